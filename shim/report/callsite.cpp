// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>
#include <mutex>
#include <set>
#include <string_view>
#include <unwind.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_frames = 16;

/// Frames of the stack that are looked at: some are of this library, and of the MPI library.
constexpr std::size_t most_looked_at = 32;

/// The program, or one of its libraries.
struct Object {
    const link_map* entry = nullptr; // entry in the list of loaded objects; null: none

    bool is_program() const noexcept { return entry != nullptr && entry->l_prev == nullptr; }
    bool starts_with(std::initializer_list<std::string_view> starts) const
    {
        const std::string_view path = entry != nullptr ? entry->l_name : "";
        const std::string_view name = path.substr(path.rfind('/') + 1);
        return std::any_of(starts.begin(), starts.end(), [name](auto start) { return name.rfind(start, 0) == 0; });
    }
    bool is_mpi() const { return starts_with({"libmpi", "libpmpi", "libfmpi"}); }

    /// True if it is start-up code, below main or the function of a thread.
    bool is_start_up() const
    {
        return starts_with({"libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libstdc++", "libgomp", "libomp"});
    }
};

Object object_of(const void* address)
{
    Dl_info info{};
    void* entry = nullptr;
    const bool is_found = ::dladdr1(address, &info, &entry, RTLD_DL_LINKMAP) != 0;
    return {is_found ? static_cast<const link_map*>(entry) : nullptr};
}

/// True if valgrind runs the process: it loads an object of its own before all others.
bool is_under_valgrind()
{
    return ::dlsym(RTLD_DEFAULT, "_vgnU_freeres") != nullptr;
}

/// Return addresses on the stack, innermost first.
struct Stack {
    std::array<void*, most_looked_at> addresses;
    std::array<void* const*, most_looked_at> slots; // the places of the addresses on the stack
    std::size_t size = 0;
    bool has_slots = false;

    /// Leaves out the frames within the one that returns to `caller`.
    void begin_at(const void* caller)
    {
        const auto end = addresses.begin() + static_cast<std::ptrdiff_t>(size);
        const auto begin = std::find(addresses.begin(), end, caller);
        if (begin == end) {
            has_slots = false;
            return;
        }
        const auto inner = begin - addresses.begin();
        std::copy(begin, end, addresses.begin());
        std::copy(slots.begin() + inner, slots.end(), slots.begin());
        size -= static_cast<std::size_t>(inner);
    }
};

_Unwind_Reason_Code add_frame(_Unwind_Context* frame, void* result)
{
    Stack& stack = *static_cast<Stack*>(result);
    void* const address = reinterpret_cast<void*>(_Unwind_GetIP(frame));
    if (address == nullptr || stack.size == stack.addresses.size())
        return _URC_END_OF_STACK;
    // x86-64: a call leaves its return address below the stack pointer of the caller.
    void* const* const slot = reinterpret_cast<void* const*>(_Unwind_GetCFA(frame)) - 1;
    stack.has_slots = (stack.has_slots || stack.size == 0) && *slot == address;
    stack.slots[stack.size] = slot;
    stack.addresses[stack.size++] = address;
    return _URC_NO_REASON;
}

using StackReader = void (*)(Stack& stack);

/// By the run-time library of the compiler, with slots.
void read_by_compiler(Stack& stack)
{
    _Unwind_Backtrace(add_frame, &stack);
}

int (*unwind_backtrace)(void** addresses, int most); // libunwind's

void read_by_libunwind(Stack& stack)
{
    stack.size = static_cast<std::size_t>(std::max(unwind_backtrace(stack.addresses.data(), most_looked_at), 0));
}

/// The stack is read so often before libunwind is loaded. The compiler's library takes 1 to 3 us. libunwind takes 100
/// us at a new place, 10 us for the next few stacks there, then 0.1 us. Loading it takes as long as several hundred
/// stacks by the compiler's library.
constexpr unsigned long read_before_libunwind = 256;

/// The reader of libunwind, if that is installed; else the compiler's. Under valgrind always the latter: libunwind
/// passes uninitialized bytes of the stack to write(), and the error would change the exit status.
StackReader fastest_reader()
{
    // Local: libunwind's _Unwind_* must not take the place of the compiler's.
    void* const library = is_under_valgrind() ? nullptr : ::dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL);
    void* const reader = library == nullptr ? nullptr : ::dlsym(library, "unw_backtrace");
    unwind_backtrace = reinterpret_cast<int (*)(void**, int)>(reader);
    return reader == nullptr ? &read_by_compiler : &read_by_libunwind;
}

/// Both readers find the same addresses. Any thread.
void read_stack(Stack& stack)
{
    static std::atomic<unsigned long> stacks{0};
    static std::atomic<StackReader> reader{&read_by_compiler};
    if (++stacks == read_before_libunwind)
        reader = fastest_reader();
    reader.load()(stack);
}

/// True if an address belongs to this library, to the MPI library, or to no object.
bool is_left_out(const void* address)
{
    const Object object = object_of(call_of(address));
    // In a test this code is part of the program: then the object does not tell the owner of a frame.
    static const Object own = object_of(reinterpret_cast<const void*>(&is_left_out));
    const bool ours = object.entry == own.entry;
    return address == nullptr || (ours && !object.is_program()) || object.is_mpi();
}

/// The list that all captures of this stack share.
const std::vector<void*>* shared(std::vector<void*> stack)
{
    static auto& known = *new std::set<std::vector<void*>>;
    static auto& known_mutex = *new std::mutex;
    const std::lock_guard<std::mutex> lock(known_mutex);
    return &*known.insert(std::move(stack)).first;
}

/// A stack that was read before. The stack is the same now if its innermost frame is at the same address and all return
/// addresses are where they were. They are compared from the innermost on: an equal one says that the caller is the
/// same function, so its own return address is at the same place, too.
struct EarlierStack {
    const void* frame = nullptr; // on the stack of this thread, or of one that has ended
    const std::vector<void*>* site = nullptr;
    std::array<void* const*, most_looked_at> slots = {};

    bool is_same(const void* innermost) const noexcept
    {
        return frame == innermost &&
               std::equal(site->begin(), site->end(), slots.begin(),
                          [](const void* address, void* const* slot) { return *slot == address; });
    }
};

/// The last stacks: one for each of a few addresses of the innermost frame and its caller. Shared by all threads: with
/// memory for each thread the library could not be loaded with dlopen.
class EarlierStacks
{
  public:
    /// The site of the stack that begins with this frame; null if it is to be read.
    const std::vector<void*>* find(const void* frame, const void* caller)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const EarlierStack& earlier = stacks_[index(frame, caller)];
        return earlier.is_same(frame) ? earlier.site : nullptr;
    }

    void keep(const void* caller, const EarlierStack& stack)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stacks_[index(stack.frame, caller)] = stack;
    }

  private:
    static constexpr std::size_t number = 16;

    static std::size_t index(const void* frame, const void* caller)
    {
        return (reinterpret_cast<std::uintptr_t>(frame) / 16 ^ reinterpret_cast<std::uintptr_t>(caller)) % number;
    }

    std::mutex mutex_;
    std::array<EarlierStack, number> stacks_;
};

EarlierStacks earlier_stacks;

} // namespace

const std::vector<void*>& capture_call_site() noexcept
{
    const void* const frame = __builtin_frame_address(0);
    const void* const caller = __builtin_return_address(0);
    try {
        if (const std::vector<void*>* const earlier = earlier_stacks.find(frame, caller))
            return *earlier;
        Stack stack;
        read_stack(stack);
        stack.begin_at(caller);
        const auto end = stack.addresses.begin() + static_cast<std::ptrdiff_t>(stack.size);
        const std::vector<void*>* const site = shared(std::vector<void*>(stack.addresses.begin(), end));
        if (stack.has_slots)
            earlier_stacks.keep(caller, {frame, site, stack.slots});
        return *site;
    } catch (...) {
        static const auto& nowhere = *new std::vector<void*>;
        return nowhere;
    }
}

std::vector<void*> frames_of_the_program(std::vector<void*> site)
{
    site.erase(std::remove_if(site.begin(), site.end(), is_left_out), site.end());
    const auto is_start_up = [](const void* address) { return object_of(call_of(address)).is_start_up(); };
    std::size_t size = site.size();
    if (size > 1 && object_of(call_of(site[size - 1])).is_program() && is_start_up(site[size - 2]))
        --size; // _start
    while (size > 0 && is_start_up(site[size - 1]))
        --size;
    site.resize(std::min(size, most_frames));
    return site;
}

} // namespace hopscotch::shim
