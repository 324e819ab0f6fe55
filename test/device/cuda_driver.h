// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA's driver for test programs, which load it by name: they need no toolkit.
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Its functions; each returns 0 for success.
static struct {
    int (*start)(unsigned);
    int (*count_devices)(int*);
    int (*get_device)(int*, int);
    int (*retain_context)(void**, int);
    int (*push_context)(void*);
    int (*pop_context)(void**);
    int (*allocate)(uintptr_t*, size_t);
    int (*release)(uintptr_t);
    int (*copy)(uintptr_t, uintptr_t, size_t);
    int (*pin)(void*, size_t, unsigned);
} cuda;

// Starts the driver. Returns the number of devices; 0 without a driver.
static int find_cuda(void)
{
    static const struct {
        const char* name;
        void* function;
    } functions[] = {{"cuInit", &cuda.start},
                     {"cuDeviceGetCount", &cuda.count_devices},
                     {"cuDeviceGet", &cuda.get_device},
                     {"cuDevicePrimaryCtxRetain", &cuda.retain_context},
                     {"cuCtxPushCurrent_v2", &cuda.push_context},
                     {"cuCtxPopCurrent_v2", &cuda.pop_context},
                     {"cuMemAlloc_v2", &cuda.allocate},
                     {"cuMemFree_v2", &cuda.release},
                     {"cuMemcpy", &cuda.copy},
                     {"cuMemHostRegister_v2", &cuda.pin}};
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        void* found = driver != NULL ? dlsym(driver, functions[i].name) : NULL;
        if (found == NULL) {
            return 0;
        }
        memcpy(functions[i].function, &found, sizeof found);
    }
    int count = 0;
    return cuda.start(0) == 0 && cuda.count_devices(&count) == 0 ? count : 0;
}

// The context of device `number`; null if there is none.
static void* cuda_context(int number)
{
    int device;
    void* context = NULL;
    return cuda.get_device(&device, number) == 0 && cuda.retain_context(&context, device) == 0 ? context : NULL;
}

#endif
