// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for libcuda.so.1 without a device: the part of CUDA's driver interface that the library uses, and its
// rules. A copy without a current context, or on a stream of another one, fails. Copies are carried out as soon as the
// caller waits for their stream. A small copy of the program to the device is under way on the default stream after its
// function has returned: streams that do not wait for that stream are faster.
#include "device_memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Address;

enum { success = 0, invalid_value = 1, not_initialized = 3, invalid_context = 201, invalid_handle = 400 };
enum { attribute_context = 1, attribute_memory_type = 2, attribute_managed = 8, attribute_ordinal = 9 };
enum { memory_host = 1, memory_device = 2, memory_unified = 4 };
enum { most_pending = 1 << 20, most_depth = 8, most_streams = 16 };

typedef struct {
    int device;
} Context;

typedef struct {
    void* to;
    size_t to_pitch;
    const void* from;
    size_t from_pitch;
    size_t width;
    size_t rows;
} Copy;

typedef struct {
    Context* context;
    int is_alone; // does not wait for the default stream
    Copy* pending;
    size_t count;
    size_t room;
} Stream;

typedef struct {
    size_t source_x, source_y;
    unsigned source_type;
    const void* source_host;
    Address source_device;
    void* source_array;
    size_t source_pitch;
    size_t target_x, target_y;
    unsigned target_type;
    void* target_host;
    Address target_device;
    void* target_array;
    size_t target_pitch;
    size_t width_bytes, height;
} Memcpy2D;

static Context contexts[devices] = {{0}, {1}};
// A small copy that the default stream has not made.
typedef struct Under_way {
    struct Under_way* next;
    void* to;
    size_t bytes;
    unsigned char data[];
} Under_way;

static Under_way* default_stream; // the first one
static Stream streams[most_streams];
static int stream_count;
static int initialized;
static _Thread_local Context* current[most_depth];
static _Thread_local int depth;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void end_work(void);

int cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    (void)flags;
    initialized = 1;
    device_ends_work = end_work;
    return success;
}

int cuPointerGetAttributes(unsigned count, int* attributes, void** values, Address address);
int cuPointerGetAttributes(unsigned count, int* attributes, void** values, Address address)
{
    if (!initialized) {
        return not_initialized;
    }
    int known;
    const int device = device_of((const void*)(uintptr_t)address, &known);
    for (unsigned i = 0; i < count; ++i) {
        switch (attributes[i]) {
        case attribute_context: // that of a pool's memory is none
            *(Context**)values[i] = device >= 0 && getenv("DEVICE_POOL") == NULL ? &contexts[device] : NULL;
            break;
        case attribute_memory_type:
            *(unsigned*)values[i] = device >= 0 ? memory_device : known ? memory_host : 0;
            break;
        case attribute_managed:
            *(unsigned*)values[i] = (unsigned)device_is_managed();
            break;
        case attribute_ordinal:
            *(int*)values[i] = device >= 0 ? device : -2;
            break;
        default:
            return invalid_value;
        }
    }
    return success;
}

int cuDevicePrimaryCtxRetain(Context** context, int device);
int cuDevicePrimaryCtxRetain(Context** context, int device)
{
    if (device < 0 || device >= devices) {
        return invalid_value;
    }
    *context = &contexts[device];
    return success;
}

int cuCtxPushCurrent_v2(Context* context);
int cuCtxPushCurrent_v2(Context* context)
{
    if (context == NULL || depth == most_depth) {
        return invalid_context;
    }
    current[depth++] = context;
    return success;
}

int cuCtxPopCurrent_v2(Context** context);
int cuCtxPopCurrent_v2(Context** context)
{
    if (depth == 0) {
        return invalid_context;
    }
    *context = current[--depth];
    return success;
}

// The number of contexts that the thread has pushed and not popped, for programs that check it.
int device_depth(void);
int device_depth(void)
{
    return depth;
}

int cuStreamCreate(Stream** stream, unsigned flags);
int cuStreamCreate(Stream** stream, unsigned flags)
{
    if (depth == 0) {
        return invalid_context;
    }
    pthread_mutex_lock(&mutex);
    if (stream_count == most_streams) {
        device_complain("too many streams");
    }
    *stream = &streams[stream_count++];
    (*stream)->context = current[depth - 1];
    (*stream)->is_alone = flags != 0;
    pthread_mutex_unlock(&mutex);
    return success;
}

// Lets the default stream come to an end; under the mutex.
static void end_default_stream(void)
{
    while (default_stream != NULL) {
        Under_way* const copy = default_stream;
        default_stream = copy->next;
        device_copy(copy->to, copy->bytes, copy->data, copy->bytes, copy->bytes, 1);
        free(copy);
    }
}

static void end_work(void)
{
    pthread_mutex_lock(&mutex);
    end_default_stream();
    pthread_mutex_unlock(&mutex);
}

static int later(Stream* stream, Copy copy)
{
    if (depth == 0) {
        return invalid_context;
    }
    if (stream == NULL || stream->context != current[depth - 1]) {
        return invalid_handle;
    }
    pthread_mutex_lock(&mutex);
    if (stream->count == stream->room) {
        stream->room = stream->room * 2 + 64;
        stream->pending = realloc(stream->pending, stream->room * sizeof *stream->pending);
        if (stream->pending == NULL) {
            device_complain("no memory");
        }
    }
    stream->pending[stream->count++] = copy;
    pthread_mutex_unlock(&mutex);
    return success;
}

int cuStreamSynchronize(Stream* stream);
int cuStreamSynchronize(Stream* stream)
{
    if (depth == 0 || stream == NULL || stream->context != current[depth - 1]) {
        return invalid_handle;
    }
    int failed = 0;
    pthread_mutex_lock(&mutex);
    ++device_counts.waits;
    if (!stream->is_alone) {
        end_default_stream();
    }
    for (size_t i = 0; i < stream->count; ++i) {
        const Copy* copy = &stream->pending[i];
        failed += device_copy(copy->to, copy->to_pitch, copy->from, copy->from_pitch, copy->width, copy->rows);
    }
    stream->count = 0;
    end_default_stream();
    pthread_mutex_unlock(&mutex);
    return failed ? invalid_value : success;
}

int cuMemcpyAsync(Address to, Address from, size_t bytes, Stream* stream);
int cuMemcpyAsync(Address to, Address from, size_t bytes, Stream* stream)
{
    return later(stream, (Copy){(void*)(uintptr_t)to, 0, (const void*)(uintptr_t)from, 0, bytes, 1});
}

int cuMemcpy2DAsync_v2(const Memcpy2D* copy, Stream* stream);
int cuMemcpy2DAsync_v2(const Memcpy2D* copy, Stream* stream)
{
    const int sound = (copy->source_type == memory_host || copy->source_type == memory_unified) &&
                      (copy->target_type == memory_host || copy->target_type == memory_unified) &&
                      copy->source_x + copy->source_y + copy->target_x + copy->target_y == 0 &&
                      copy->width_bytes <= copy->source_pitch && copy->width_bytes <= copy->target_pitch &&
                      copy->source_pitch <= INT32_MAX && copy->target_pitch <= INT32_MAX;
    if (!sound) {
        return invalid_value;
    }
    const void* from =
        copy->source_type == memory_host ? copy->source_host : (const void*)(uintptr_t)copy->source_device;
    void* to = copy->target_type == memory_host ? copy->target_host : (void*)(uintptr_t)copy->target_device;
    return later(stream, (Copy){to, copy->target_pitch, from, copy->source_pitch, copy->width_bytes, copy->height});
}

int cuMemHostRegister_v2(void* memory, size_t bytes, unsigned flags);
int cuMemHostRegister_v2(void* memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return depth == 0 ? invalid_context : device_pin(memory, bytes) ? invalid_value : success;
}

int cuMemHostUnregister(void* memory);
int cuMemHostUnregister(void* memory)
{
    return device_unpin(memory) ? invalid_value : success;
}

// Functions used by the test programs.
int cuDeviceGetCount(int* count);
int cuDeviceGetCount(int* count)
{
    *count = initialized && getenv("DEVICE_NONE") == NULL ? devices : 0;
    return initialized ? success : not_initialized;
}

int cuDeviceGet(int* device, int number);
int cuDeviceGet(int* device, int number)
{
    *device = number;
    return success;
}

int cuMemcpy(Address to, Address from, size_t bytes);
int cuMemcpy(Address to, Address from, size_t bytes)
{
    enum { small = 65536 };
    if (depth == 0) {
        return invalid_context;
    }
    void* const target = (void*)(uintptr_t)to;
    const void* const source = (const void*)(uintptr_t)from;
    const int to_device = device_of(target, NULL) >= 0;
    pthread_mutex_lock(&mutex);
    Under_way* const copy = to_device && bytes <= small ? malloc(sizeof *copy + bytes) : NULL;
    int failed = 0;
    if (copy != NULL) {
        Under_way** last = &default_stream;
        while (*last != NULL) {
            last = &(*last)->next;
        }
        *copy = (Under_way){.to = target, .bytes = bytes};
        memcpy(copy->data, source, bytes);
        *last = copy;
    } else {
        end_default_stream();
        failed = device_copy(target, bytes, source, bytes, bytes, 1);
    }
    pthread_mutex_unlock(&mutex);
    return failed ? invalid_value : success;
}

int cuMemAlloc_v2(Address* memory, size_t bytes);
int cuMemAlloc_v2(Address* memory, size_t bytes)
{
    const int device = depth > 0 ? current[depth - 1]->device : 0;
    *memory = (uintptr_t)device_allocate(device, bytes);
    return *memory != 0 ? success : invalid_value;
}

int cuMemFree_v2(Address memory);
int cuMemFree_v2(Address memory)
{
    end_work();
    device_release((void*)(uintptr_t)memory);
    return success;
}
