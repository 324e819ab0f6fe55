// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Declares by hand the used parts of the public interfaces of CUDA's driver, HIP and Level Zero, so that no header of
// theirs is needed, and none of their libraries is linked. A function is a row FUNCTION(name, parameters); each returns
// 0 for success.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopscotch::shim
{

/// CUDA's driver; an address is a number.
namespace cuda
{
using Address = unsigned long long;

constexpr int attribute_context = 1;
constexpr int attribute_memory_type = 2;
constexpr int attribute_is_managed = 8;
constexpr int attribute_device_ordinal = 9;
constexpr unsigned memory_host = 1;
constexpr unsigned memory_device = 2;
constexpr unsigned memory_unified = 4;

/// CUDA_MEMCPY2D: its members for the source, then for the target.
struct MemoryRows {
    std::size_t x, y;
    unsigned type;
    const void* host;
    Address device;
    void* array;
    std::size_t pitch;
};
struct Memcpy2D {
    MemoryRows source, target;
    std::size_t width_bytes, height;
};

#define HOPSCOTCH_CUDA(FUNCTION)                                                                                       \
    FUNCTION(cuPointerGetAttributes, (unsigned, int*, void**, Address))                                                \
    FUNCTION(cuDevicePrimaryCtxRetain, (void**, int))                                                                  \
    FUNCTION(cuCtxPushCurrent_v2, (void*))                                                                             \
    FUNCTION(cuCtxPopCurrent_v2, (void**))                                                                             \
    FUNCTION(cuStreamCreate, (void**, unsigned))                                                                       \
    FUNCTION(cuStreamSynchronize, (void*))                                                                             \
    FUNCTION(cuMemcpyAsync, (Address, Address, std::size_t, void*))                                                    \
    FUNCTION(cuMemcpy2DAsync_v2, (const Memcpy2D*, void*))                                                             \
    FUNCTION(cuMemHostRegister_v2, (void*, std::size_t, unsigned))                                                     \
    FUNCTION(cuMemHostUnregister, (void*))
} // namespace cuda

namespace hip
{
/// hipPointerAttribute_t. The value that stands for device memory differs between HIP 5 and 6.
struct PointerAttributes {
    int type, device;
    void *device_pointer, *host_pointer;
    int is_managed;
    unsigned flags;
};
constexpr int version_6 = 60000000; // the form of hipRuntimeGetVersion
constexpr int device_before_6 = 1;
constexpr int device_since_6 = 2;
constexpr int copy_default = 4;

#define HOPSCOTCH_HIP(FUNCTION)                                                                                        \
    FUNCTION(hipRuntimeGetVersion, (int*))                                                                             \
    FUNCTION(hipPointerGetAttributes, (PointerAttributes*, const void*))                                               \
    FUNCTION(hipPeekAtLastError, ())                                                                                   \
    FUNCTION(hipGetLastError, ())                                                                                      \
    FUNCTION(hipGetDevice, (int*))                                                                                     \
    FUNCTION(hipSetDevice, (int))                                                                                      \
    FUNCTION(hipStreamCreateWithFlags, (void**, unsigned))                                                             \
    FUNCTION(hipStreamSynchronize, (void*))                                                                            \
    FUNCTION(hipMemcpyAsync, (void*, const void*, std::size_t, int, void*))                                            \
    FUNCTION(hipMemcpy2DAsync, (void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, int, void*))   \
    FUNCTION(hipHostRegister, (void*, std::size_t, unsigned))                                                          \
    FUNCTION(hipHostUnregister, (void*))
} // namespace hip

namespace level_zero
{
constexpr int structure_context = 0xd;
constexpr int structure_queue = 0xe;
constexpr int structure_memory = 0x17;
constexpr int memory_device = 2;
constexpr int mode_synchronous = 1;

/// ze_context_desc_t, ze_command_queue_desc_t, ze_memory_allocation_properties_t, ze_copy_region_t.
struct ContextDescription {
    int structure;
    const void* next;
    std::uint32_t flags;
};
struct QueueDescription {
    int structure;
    const void* next;
    std::uint32_t ordinal, index, flags;
    int mode, priority;
};
struct MemoryProperties {
    int structure;
    void* next;
    int type;
    std::uint64_t id, page_size;
};
struct Region {
    std::uint32_t x, y, z, width, height, depth;
};

#define HOPSCOTCH_LEVEL_ZERO(FUNCTION)                                                                                 \
    FUNCTION(zeDriverGet, (std::uint32_t*, void**))                                                                    \
    FUNCTION(zeContextCreate, (void*, const ContextDescription*, void**))                                              \
    FUNCTION(zeMemGetAllocProperties, (void*, const void*, MemoryProperties*, void**))                                 \
    FUNCTION(zeCommandListCreateImmediate, (void*, void*, const QueueDescription*, void**))                            \
    FUNCTION(zeCommandListAppendMemoryCopy, (void*, void*, const void*, std::size_t, void*, std::uint32_t, void**))    \
    FUNCTION(zeCommandListAppendMemoryCopyRegion,                                                                      \
             (void*, void*, const Region*, std::uint32_t, std::uint32_t, const void*, const Region*, std::uint32_t,    \
              std::uint32_t, void*, std::uint32_t, void**))
} // namespace level_zero

} // namespace hopscotch::shim
