// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA's driver, HIP and Level Zero, each as a DeviceLibrary. The used parts of their public interfaces are declared
// here by hand, so that no header of theirs is needed, and none of their libraries is linked.
#include "shim/device/device_library.hpp"

#include <cstdint>
#include <iterator>
#include <memory>

namespace hopscotch::shim
{

namespace
{

/// A function of the library, called by its own name; it returns 0 for success.
#define HOPSCOTCH_FUNCTION(name, ...) int (*const name)(__VA_ARGS__) = find<int(__VA_ARGS__)>(#name)

/// A stream with these flags waits for the program's work on the default stream. CUDA and HIP let a small copy to the
/// device return while it is still under way there.
constexpr unsigned as_default = 0;

constexpr unsigned pinned_for_all = 1;

class Cuda final : public DeviceLibrary
{
  public:
    explicit Cuda(void* handle) : DeviceLibrary("CUDA", handle) {}

    DeviceOwner* owner_of(const void* address) override
    {
        enum { context_attribute = 1, memory_type = 2, is_managed = 8, device_ordinal = 9 };
        int attributes[] = {memory_type, is_managed, context_attribute, device_ordinal};
        unsigned type = 0;
        unsigned managed = 0;
        void* context = nullptr;
        int device = 0;
        void* values[] = {&type, &managed, &context, &device};
        const bool known = cuPointerGetAttributes(4, attributes, values, number_of(address)) == 0;
        if (!known || type != on_device || managed != 0)
            return nullptr;
        if (context == nullptr && cuDevicePrimaryCtxRetain(&context, device) != 0) // memory of a pool has none
            return nullptr;
        return owner(context);
    }

  protected:
    int enter(DeviceOwner& owner, void*&) override { return cuCtxPushCurrent_v2(owner.handle); }
    int leave(DeviceOwner&, void* popped) override { return cuCtxPopCurrent_v2(&popped); }
    int make_stream(DeviceOwner& owner) override { return cuStreamCreate(&owner.stream, as_default); }
    int wait(DeviceOwner& owner) override { return cuStreamSynchronize(owner.stream); }
    int do_pin(void* memory, std::size_t bytes) override { return cuMemHostRegister_v2(memory, bytes, pinned_for_all); }
    int do_unpin(void* memory) override { return cuMemHostUnregister(memory); }

    int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) override
    {
        return cuMemcpyAsync(number_of(to), number_of(from), bytes, owner.stream);
    }

    int copy_rows(DeviceOwner& owner, Towards towards, void* to, const void* from,
                  const schedules::Pieces& rows) override
    {
        const bool to_host = towards == Towards::host; // the other end may be any memory: MPI_BOTTOM spans several
        const auto end = [&](unsigned type, const void* at) {
            return MemoryRows{0, 0, type, at, number_of(at), nullptr, rows.stride};
        };
        const Memcpy2D copy{end(to_host ? unified : on_host, from), end(to_host ? on_host : unified, to), rows.length,
                            rows.count};
        return cuMemcpy2DAsync_v2(&copy, owner.stream);
    }

  private:
    using Address = unsigned long long;
    enum : unsigned { on_host = 1, on_device = 2, unified = 4 };

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

    static Address number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

    HOPSCOTCH_FUNCTION(cuPointerGetAttributes, unsigned, int*, void**, Address);
    HOPSCOTCH_FUNCTION(cuDevicePrimaryCtxRetain, void**, int);
    HOPSCOTCH_FUNCTION(cuCtxPushCurrent_v2, void*);
    HOPSCOTCH_FUNCTION(cuCtxPopCurrent_v2, void**);
    HOPSCOTCH_FUNCTION(cuStreamCreate, void**, unsigned);
    HOPSCOTCH_FUNCTION(cuStreamSynchronize, void*);
    HOPSCOTCH_FUNCTION(cuMemcpyAsync, Address, Address, std::size_t, void*);
    HOPSCOTCH_FUNCTION(cuMemcpy2DAsync_v2, const Memcpy2D*, void*);
    HOPSCOTCH_FUNCTION(cuMemHostRegister_v2, void*, std::size_t, unsigned);
    HOPSCOTCH_FUNCTION(cuMemHostUnregister, void*);
};

class Hip final : public DeviceLibrary
{
  public:
    explicit Hip(void* handle) : DeviceLibrary("HIP", handle)
    {
        int version = 0;
        usable_ = usable_ && hipRuntimeGetVersion(&version) == 0;
        on_device_ = version >= 60000000 ? 2 : 1; // HIP 6 has other numbers
    }

    DeviceOwner* owner_of(const void* address) override
    {
        PointerAttributes found{};
        const bool sound = hipPeekAtLastError() == 0;
        const bool known = hipPointerGetAttributes(&found, address) == 0;
        if (!known && sound)
            hipGetLastError(); // the program must not find an error caused here
        return known && found.type == on_device_ && found.is_managed == 0 ? owner(handle_of(found.device)) : nullptr;
    }

  protected:
    int enter(DeviceOwner& owner, void*& before) override
    {
        int device = 0;
        const int code = hipGetDevice(&device);
        before = handle_of(device);
        return code != 0 || before == owner.handle ? code : hipSetDevice(device_of(owner.handle));
    }
    int leave(DeviceOwner& owner, void* before) override
    {
        return before == owner.handle ? 0 : hipSetDevice(device_of(before));
    }
    int make_stream(DeviceOwner& owner) override { return hipStreamCreateWithFlags(&owner.stream, as_default); }
    int wait(DeviceOwner& owner) override { return hipStreamSynchronize(owner.stream); }
    int do_pin(void* memory, std::size_t bytes) override { return hipHostRegister(memory, bytes, pinned_for_all); }
    int do_unpin(void* memory) override { return hipHostUnregister(memory); }

    int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) override
    {
        return hipMemcpyAsync(to, from, bytes, copy_default, owner.stream);
    }

    int copy_rows(DeviceOwner& owner, Towards, void* to, const void* from, const schedules::Pieces& rows) override
    {
        return hipMemcpy2DAsync(to, rows.stride, from, rows.stride, rows.length, rows.count, copy_default,
                                owner.stream);
    }

  private:
    enum { copy_default = 4 };

    /// hipPointerAttribute_t.
    struct PointerAttributes {
        int type, device;
        void *device_pointer, *host_pointer;
        int is_managed;
        unsigned flags;
    };

    /// A device's number as the handle of an owner, which is never null.
    static void* handle_of(int device) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(device) + 1); }
    static int device_of(const void* handle) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(handle) - 1); }

    HOPSCOTCH_FUNCTION(hipRuntimeGetVersion, int*);
    HOPSCOTCH_FUNCTION(hipPointerGetAttributes, PointerAttributes*, const void*);
    HOPSCOTCH_FUNCTION(hipPeekAtLastError, void);
    HOPSCOTCH_FUNCTION(hipGetLastError, void);
    HOPSCOTCH_FUNCTION(hipGetDevice, int*);
    HOPSCOTCH_FUNCTION(hipSetDevice, int);
    HOPSCOTCH_FUNCTION(hipStreamCreateWithFlags, void**, unsigned);
    HOPSCOTCH_FUNCTION(hipStreamSynchronize, void*);
    HOPSCOTCH_FUNCTION(hipMemcpyAsync, void*, const void*, std::size_t, int, void*);
    HOPSCOTCH_FUNCTION(hipMemcpy2DAsync, void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, int,
                       void*);
    HOPSCOTCH_FUNCTION(hipHostRegister, void*, std::size_t, unsigned);
    HOPSCOTCH_FUNCTION(hipHostUnregister, void*);

    int on_device_; // type of memory
};

/// Each copy is complete at the return of its call. The interface has no function that pins memory.
class LevelZero final : public DeviceLibrary
{
  public:
    explicit LevelZero(void* handle) : DeviceLibrary("Level Zero", handle) {}

    DeviceOwner* owner_of(const void* address) override
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (contexts_.empty())
            make_contexts();
        for (void* context : contexts_) {
            MemoryProperties found{properties_structure, nullptr, 0, 0, 0};
            void* device = nullptr;
            if (zeMemGetAllocProperties(context, address, &found, &device) == 0 && found.type == on_device)
                return owner(device, context);
        }
        return nullptr;
    }

  protected:
    int make_stream(DeviceOwner& owner) override
    {
        const QueueDescription description{queue_structure, nullptr, 0, 0, 0, synchronous, 0};
        return zeCommandListCreateImmediate(owner.context, owner.handle, &description, &owner.stream);
    }

    int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) override
    {
        return zeCommandListAppendMemoryCopy(owner.stream, to, from, bytes, nullptr, 0, nullptr);
    }

    int copy_rows(DeviceOwner& owner, Towards, void* to, const void* from, const schedules::Pieces& rows) override
    {
        const auto number = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
        const Region region{0, 0, 0, number(rows.length), number(rows.count), 1};
        return zeCommandListAppendMemoryCopyRegion(owner.stream, to, &region, number(rows.stride), 0, from, &region,
                                                   number(rows.stride), 0, nullptr, 0, nullptr);
    }

  private:
    enum { context_structure = 0xd, queue_structure = 0xe, properties_structure = 0x17 };
    enum { on_device = 2, synchronous = 1 };

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

    /// Makes a context of each driver of Level Zero; none before the program has started that library.
    void make_contexts()
    {
        void* drivers[8];
        std::uint32_t count = std::size(drivers);
        if (zeDriverGet(&count, drivers) != 0)
            return;
        const ContextDescription description{context_structure, nullptr, 0};
        for (std::uint32_t i = 0; i < count; ++i)
            if (void* context = nullptr; zeContextCreate(drivers[i], &description, &context) == 0)
                contexts_.push_back(context);
    }

    HOPSCOTCH_FUNCTION(zeDriverGet, std::uint32_t*, void**);
    HOPSCOTCH_FUNCTION(zeContextCreate, void*, const ContextDescription*, void**);
    HOPSCOTCH_FUNCTION(zeMemGetAllocProperties, void*, const void*, MemoryProperties*, void**);
    HOPSCOTCH_FUNCTION(zeCommandListCreateImmediate, void*, void*, const QueueDescription*, void**);
    HOPSCOTCH_FUNCTION(zeCommandListAppendMemoryCopy, void*, void*, const void*, std::size_t, void*, std::uint32_t,
                       void**);
    HOPSCOTCH_FUNCTION(zeCommandListAppendMemoryCopyRegion, void*, void*, const Region*, std::uint32_t, std::uint32_t,
                       const void*, const Region*, std::uint32_t, std::uint32_t, void*, std::uint32_t, void**);

    std::mutex mutex_;
    std::vector<void*> contexts_;
};

template <class Library>
DeviceLibrary* usable(void* handle)
{
    auto made = std::make_unique<Library>(handle);
    return made->usable() ? made.release() : nullptr;
}

} // namespace

const KnownLibrary known_libraries[3] = {
    {"libcuda.so", usable<Cuda>}, {"libamdhip64.so", usable<Hip>}, {"libze_loader.so", usable<LevelZero>}};

} // namespace hopscotch::shim
