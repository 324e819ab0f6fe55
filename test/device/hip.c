// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for libamdhip64.so without a device: the part of HIP's interface that the library uses, and its rules. Each
// thread has a current device; a copy on a stream of another one fails, and a question about memory that HIP does not
// know leaves an error behind. With DEVICE_HIP=5 it answers as HIP 5 does.
#include "device_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { success = 0, invalid_value = 1, invalid_handle = 400 };
enum { copy_default = 4, most_streams = 16 };

typedef struct {
    int type;
    int device;
    void* device_pointer;
    void* host_pointer;
    int is_managed;
    unsigned flags;
} PointerAttributes;

typedef struct {
    int device;
} Stream;

static Stream streams[most_streams];
static int stream_count;
static _Thread_local int current;
static _Thread_local int last_error;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int kept(int error)
{
    last_error = error != success ? error : last_error;
    return error;
}

static int is_old(void)
{
    const char* version = getenv("DEVICE_HIP");
    return version != NULL && strcmp(version, "5") == 0;
}

int hipRuntimeGetVersion(int* version);
int hipRuntimeGetVersion(int* version)
{
    *version = is_old() ? 50731921 : 60241134;
    return success;
}

int hipPointerGetAttributes(PointerAttributes* found, const void* address);
int hipPointerGetAttributes(PointerAttributes* found, const void* address)
{
    int known;
    const int device = device_of(address, &known);
    memset(found, 0, sizeof *found);
    if (!known && is_old()) {
        return kept(invalid_value);
    }
    found->type = (device >= 0 ? 2 : known ? 1 : 0) - (is_old() ? 1 : 0);
    found->device = device >= 0 ? device : 0;
    found->is_managed = device_is_managed();
    return known ? success : kept(invalid_value);
}

int hipPeekAtLastError(void);
int hipPeekAtLastError(void)
{
    return last_error;
}

int hipGetLastError(void);
int hipGetLastError(void)
{
    const int error = last_error;
    last_error = success;
    return error;
}

int hipGetDevice(int* device);
int hipGetDevice(int* device)
{
    *device = current;
    return success;
}

int hipSetDevice(int device);
int hipSetDevice(int device)
{
    if (device < 0 || device >= devices) {
        return kept(invalid_value);
    }
    current = device;
    return success;
}

int hipStreamCreateWithFlags(Stream** stream, unsigned flags);
int hipStreamCreateWithFlags(Stream** stream, unsigned flags)
{
    if (flags != 0) {
        device_complain("a stream that does not wait for the default stream, on which programs copy");
    }
    pthread_mutex_lock(&mutex);
    if (stream_count == most_streams) {
        device_complain("too many streams");
    }
    *stream = &streams[stream_count++];
    (*stream)->device = current;
    pthread_mutex_unlock(&mutex);
    return success;
}

int hipStreamSynchronize(Stream* stream);
int hipStreamSynchronize(Stream* stream)
{
    __atomic_fetch_add(&device_counts.waits, 1, __ATOMIC_RELAXED);
    return stream == NULL || stream->device == current ? success : kept(invalid_handle);
}

int hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows,
                     int kind, Stream* stream);
int hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows,
                     int kind, Stream* stream)
{
    if (stream != NULL && stream->device != current) {
        return kept(invalid_handle);
    }
    const int failed = kind != copy_default || device_copy(to, to_pitch, from, from_pitch, width, rows);
    return failed ? kept(invalid_value) : success;
}

int hipMemcpyAsync(void* to, const void* from, size_t bytes, int kind, Stream* stream);
int hipMemcpyAsync(void* to, const void* from, size_t bytes, int kind, Stream* stream)
{
    return hipMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

int hipHostRegister(void* memory, size_t bytes, unsigned flags);
int hipHostRegister(void* memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return device_pin(memory, bytes) ? kept(invalid_value) : success;
}

int hipHostUnregister(void* memory);
int hipHostUnregister(void* memory)
{
    return device_unpin(memory) ? kept(invalid_value) : success;
}

// Functions used by the test programs.
int hipMalloc(void** memory, size_t bytes);
int hipMalloc(void** memory, size_t bytes)
{
    *memory = device_allocate(current, bytes);
    return *memory != NULL ? success : kept(invalid_value);
}

int hipFree(void* memory);
int hipFree(void* memory)
{
    device_release(memory);
    return success;
}
