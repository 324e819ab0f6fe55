// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA's driver, HIP and Level Zero, each as a DeviceLibrary.
#include "shim/base/device_interfaces.hpp"
#include "shim/base/device_library.hpp"

#include <cstdint>
#include <dlfcn.h>

namespace hopscotch::shim
{

/// A stream with these flags waits for the program's work on the default stream. CUDA and HIP let a small copy to the
/// device return while it is still under way there.
constexpr unsigned as_default = 0;

/// A struct with a pointer for each row of a list, and a function that tells if an object of the program has all of
/// these functions.
#define HOPSCOTCH_POINTER(name, parameters) int(*name) parameters = nullptr;
#define HOPSCOTCH_LOOK_UP(name, parameters)                                                                            \
    found.name = reinterpret_cast<int(*) parameters>(dlsym(handle, #name));                                            \
    complete = complete && found.name != nullptr;
#define HOPSCOTCH_FUNCTIONS(list)                                                                                      \
    struct Functions {                                                                                                 \
        list(HOPSCOTCH_POINTER)                                                                                        \
    };                                                                                                                 \
    static bool find_functions(void* handle, Functions& found)                                                         \
    {                                                                                                                  \
        bool complete = true;                                                                                          \
        list(HOPSCOTCH_LOOK_UP) return complete;                                                                       \
    }

namespace cuda
{

HOPSCOTCH_FUNCTIONS(HOPSCOTCH_CUDA)

static Address number_of(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address);
}

class Library final : public DeviceLibrary
{
  public:
    explicit Library(const Functions& functions) : DeviceLibrary("CUDA"), f_(functions) {}

    DeviceOwner* owner_of(const void* address) override
    {
        int attributes[] = {attribute_memory_type, attribute_is_managed, attribute_context, attribute_device_ordinal};
        unsigned type = 0;
        unsigned managed = 0;
        void* context = nullptr;
        int device = 0;
        void* values[] = {&type, &managed, &context, &device};
        const bool known = f_.cuPointerGetAttributes(4, attributes, values, number_of(address)) == 0;
        if (!known || type != memory_device || managed != 0)
            return nullptr;
        if (context == nullptr && f_.cuDevicePrimaryCtxRetain(&context, device) != 0) // memory of a pool has none
            return nullptr;
        return owner(context);
    }

  protected:
    int enter(DeviceOwner& owner, void*&) override { return f_.cuCtxPushCurrent_v2(owner.handle); }
    int leave(DeviceOwner&, void* popped) override { return f_.cuCtxPopCurrent_v2(&popped); }
    int make_stream(DeviceOwner& owner) override { return f_.cuStreamCreate(&owner.stream, as_default); }
    int wait(DeviceOwner& owner) override { return f_.cuStreamSynchronize(owner.stream); }
    int do_pin(void* memory, std::size_t bytes) override
    {
        return f_.cuMemHostRegister_v2(memory, bytes, 1);
    } // for all
    int do_unpin(void* memory) override { return f_.cuMemHostUnregister(memory); }

    int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) override
    {
        return f_.cuMemcpyAsync(number_of(to), number_of(from), bytes, owner.stream);
    }

    int copy_rows(DeviceOwner& owner, Towards towards, void* to, const void* from,
                  const schedules::Pieces& rows) override
    {
        const bool to_host = towards == Towards::host; // the other end may be any memory: MPI_BOTTOM spans several
        const auto end = [&](unsigned type, const void* at) {
            return MemoryRows{0, 0, type, at, number_of(at), nullptr, rows.stride};
        };
        const Memcpy2D copy{end(to_host ? memory_unified : memory_host, from),
                            end(to_host ? memory_host : memory_unified, to), rows.length, rows.count};
        return f_.cuMemcpy2DAsync_v2(&copy, owner.stream);
    }

  private:
    Functions f_;
};

} // namespace cuda

namespace hip
{

HOPSCOTCH_FUNCTIONS(HOPSCOTCH_HIP)

/// A device's number as the handle of an owner, which is never null.
static void* handle_of(int device)
{
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(device) + 1);
}
static int device_of(const void* handle)
{
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(handle) - 1);
}

class Library final : public DeviceLibrary
{
  public:
    Library(const Functions& functions, int version)
        : DeviceLibrary("HIP"), f_(functions), device_type_(version >= version_6 ? device_since_6 : device_before_6)
    {
    }

    DeviceOwner* owner_of(const void* address) override
    {
        PointerAttributes found{};
        const bool sound = f_.hipPeekAtLastError() == 0;
        const bool known = f_.hipPointerGetAttributes(&found, address) == 0;
        if (!known && sound)
            f_.hipGetLastError(); // the program must not find an error caused here
        return known && found.type == device_type_ && found.is_managed == 0 ? owner(handle_of(found.device)) : nullptr;
    }

  protected:
    int enter(DeviceOwner& owner, void*& before) override
    {
        int device = 0;
        const int code = f_.hipGetDevice(&device);
        before = handle_of(device);
        return code != 0 || before == owner.handle ? code : f_.hipSetDevice(device_of(owner.handle));
    }
    int leave(DeviceOwner& owner, void* before) override
    {
        return before == owner.handle ? 0 : f_.hipSetDevice(device_of(before));
    }
    int make_stream(DeviceOwner& owner) override { return f_.hipStreamCreateWithFlags(&owner.stream, as_default); }
    int wait(DeviceOwner& owner) override { return f_.hipStreamSynchronize(owner.stream); }
    int do_pin(void* memory, std::size_t bytes) override { return f_.hipHostRegister(memory, bytes, 1); }
    int do_unpin(void* memory) override { return f_.hipHostUnregister(memory); }

    int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) override
    {
        return f_.hipMemcpyAsync(to, from, bytes, copy_default, owner.stream);
    }

    int copy_rows(DeviceOwner& owner, Towards, void* to, const void* from, const schedules::Pieces& rows) override
    {
        return f_.hipMemcpy2DAsync(to, rows.stride, from, rows.stride, rows.length, rows.count, copy_default,
                                   owner.stream);
    }

  private:
    Functions f_;
    int device_type_;
};

} // namespace hip

namespace level_zero
{

HOPSCOTCH_FUNCTIONS(HOPSCOTCH_LEVEL_ZERO)

/// Each copy is complete at the return of its call. The interface has no function that pins memory.
class Library final : public DeviceLibrary
{
  public:
    explicit Library(const Functions& functions) : DeviceLibrary("Level Zero"), f_(functions) {}

    DeviceOwner* owner_of(const void* address) override
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (contexts_.empty())
            make_contexts();
        for (void* context : contexts_) {
            MemoryProperties found{structure_memory, nullptr, 0, 0, 0};
            void* device = nullptr;
            if (f_.zeMemGetAllocProperties(context, address, &found, &device) == 0 && found.type == memory_device)
                return owner(device, context);
        }
        return nullptr;
    }

  protected:
    int make_stream(DeviceOwner& owner) override
    {
        const QueueDescription description{structure_queue, nullptr, 0, 0, 0, mode_synchronous, 0};
        return f_.zeCommandListCreateImmediate(owner.context, owner.handle, &description, &owner.stream);
    }

    int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) override
    {
        return f_.zeCommandListAppendMemoryCopy(owner.stream, to, from, bytes, nullptr, 0, nullptr);
    }

    int copy_rows(DeviceOwner& owner, Towards, void* to, const void* from, const schedules::Pieces& rows) override
    {
        const auto number = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
        const Region region{0, 0, 0, number(rows.length), number(rows.count), 1};
        return f_.zeCommandListAppendMemoryCopyRegion(owner.stream, to, &region, number(rows.stride), 0, from, &region,
                                                      number(rows.stride), 0, nullptr, 0, nullptr);
    }

  private:
    /// None before the program has started the library.
    void make_contexts()
    {
        std::uint32_t count = 0;
        if (f_.zeDriverGet(&count, nullptr) != 0 || count == 0)
            return;
        std::vector<void*> drivers(count);
        if (f_.zeDriverGet(&count, drivers.data()) != 0)
            return;
        const ContextDescription description{structure_context, nullptr, 0};
        for (void* driver : drivers)
            if (void* context = nullptr; f_.zeContextCreate(driver, &description, &context) == 0)
                contexts_.push_back(context);
    }

    Functions f_;
    std::mutex mutex_;
    std::vector<void*> contexts_;
};

} // namespace level_zero

DeviceLibrary* cuda_library(void* handle)
{
    cuda::Functions found;
    return cuda::find_functions(handle, found) ? new cuda::Library(found) : nullptr;
}

DeviceLibrary* hip_library(void* handle)
{
    hip::Functions found;
    int version = 0;
    const bool usable = hip::find_functions(handle, found) && found.hipRuntimeGetVersion(&version) == 0;
    return usable ? new hip::Library(found, version) : nullptr;
}

DeviceLibrary* level_zero_library(void* handle)
{
    level_zero::Functions found;
    return level_zero::find_functions(handle, found) ? new level_zero::Library(found) : nullptr;
}

} // namespace hopscotch::shim
