// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// libdw is opened when it is first needed and only compiled against: the library does not depend on it.
#include "shim/report/callsite.hpp"

#include "shim/report/stack.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <unistd.h>

#ifdef HOPSCOTCH_HAVE_LIBDW
#include <elfutils/libdwfl.h>
#endif

namespace hopscotch::shim
{

namespace
{

/// The object an address lies in; null when it lies in none.
const link_map* object_of(const void* address)
{
    Dl_info info{};
    void* map = nullptr;
    if (::dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0)
        return nullptr;
    return static_cast<const link_map*>(map);
}

bool is_program(const link_map* object)
{
    return object != nullptr && object->l_prev == nullptr;
}

std::string_view base_name(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool name_starts_with(const link_map* object, std::string_view start)
{
    return object != nullptr && base_name(object->l_name).substr(0, start.size()) == start;
}

bool is_mpi(const link_map* object)
{
    return name_starts_with(object, "libmpi") || name_starts_with(object, "libpmpi") ||
           name_starts_with(object, "libfmpi");
}

/// What lies below main or the function of a thread.
bool is_start_up(const link_map* object)
{
    for (const char* const library :
         {"libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libstdc++", "libgomp", "libomp"}) {
        if (name_starts_with(object, library))
            return true;
    }
    return false;
}

/// The instruction before the one an address returns to: inside the call, so inside the line that makes it.
const void* call_of(const void* return_address)
{
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(return_address) - 1);
}

// ---- names

struct Name {
    std::string function; // as the object has it; empty: not known
    std::string place;    // "file:line"; empty: no debug information
};

#ifdef HOPSCOTCH_HAVE_LIBDW
struct Dwarf {
    decltype(&dwfl_begin) begin = nullptr;
    decltype(&dwfl_end) end = nullptr;
    decltype(&dwfl_linux_proc_report) report = nullptr;
    decltype(&dwfl_report_end) report_end = nullptr;
    decltype(&dwfl_linux_proc_find_elf) find_elf = nullptr;
    decltype(&dwfl_build_id_find_debuginfo) find_debuginfo = nullptr;
    decltype(&dwfl_addrmodule) module_of = nullptr;
    decltype(&dwfl_module_addrinfo) name_of = nullptr;
    decltype(&dwfl_module_getsrc) line_of = nullptr;
    decltype(&dwfl_lineinfo) line_info = nullptr;
    bool complete = false;
};

const Dwarf& dwarf()
{
    static const Dwarf functions = [] {
        Dwarf found;
        void* const library = ::dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
        found.complete =
            load(library, "dwfl_begin", found.begin) && load(library, "dwfl_end", found.end) &&
            load(library, "dwfl_linux_proc_report", found.report) &&
            load(library, "dwfl_report_end", found.report_end) &&
            load(library, "dwfl_linux_proc_find_elf", found.find_elf) &&
            load(library, "dwfl_build_id_find_debuginfo", found.find_debuginfo) &&
            load(library, "dwfl_addrmodule", found.module_of) && load(library, "dwfl_module_addrinfo", found.name_of) &&
            load(library, "dwfl_module_getsrc", found.line_of) && load(library, "dwfl_lineinfo", found.line_info);
        return found;
    }();
    return functions;
}
#endif

/// The debug information of this process, open as long as this lives.
class DebugInformation
{
  public:
    DebugInformation()
    {
#ifdef HOPSCOTCH_HAVE_LIBDW
        if (!dwarf().complete)
            return;
        callbacks_.find_elf = dwarf().find_elf;
        // Looks on this machine only; dwfl_standard_find_debuginfo may ask servers on the network.
        callbacks_.find_debuginfo = dwarf().find_debuginfo;
        session_ = dwarf().begin(&callbacks_);
        if (session_ != nullptr)
            usable_ = dwarf().report(session_, ::getpid()) == 0 && dwarf().report_end(session_, nullptr, nullptr) == 0;
#endif
    }
    ~DebugInformation()
    {
#ifdef HOPSCOTCH_HAVE_LIBDW
        if (session_ != nullptr)
            dwarf().end(session_);
#endif
    }
    DebugInformation(const DebugInformation&) = delete;
    DebugInformation& operator=(const DebugInformation&) = delete;

    void look_up([[maybe_unused]] const void* address, [[maybe_unused]] Name& name) const
    {
#ifdef HOPSCOTCH_HAVE_LIBDW
        if (!usable_)
            return;
        const auto position = reinterpret_cast<std::uintptr_t>(address);
        Dwfl_Module* const module = dwarf().module_of(session_, position);
        if (module == nullptr)
            return;
        GElf_Off offset = 0;
        GElf_Sym symbol{};
        const char* const function = dwarf().name_of(module, position, &offset, &symbol, nullptr, nullptr, nullptr);
        if (function != nullptr && offset < symbol.st_size) // otherwise it only is the nearest name before the address
            name.function = function;
        int line = 0;
        if (Dwfl_Line* const entry = dwarf().line_of(module, position)) {
            const char* const file = dwarf().line_info(entry, nullptr, &line, nullptr, nullptr, nullptr);
            if (file != nullptr && line > 0)
                name.place = std::string(base_name(file)) + ":" + std::to_string(line);
        }
#endif
    }

  private:
#ifdef HOPSCOTCH_HAVE_LIBDW
    Dwfl_Callbacks callbacks_{};
    Dwfl* session_ = nullptr;
    bool usable_ = false;
#endif
};

/// From the symbol table of the object's file, which knows static functions and main, too.
void look_up_symbol([[maybe_unused]] const void* address, [[maybe_unused]] Name& name)
{
#ifdef HOPSCOTCH_HAVE_LIBUNWIND
    if (unwind().get_proc_name == nullptr)
        return;
    unw_context_t registers;
    std::memset(&registers, 0, sizeof registers);
    unw_cursor_t cursor;
    if (unwind().init_local(&cursor, &registers) != 0 ||
        unwind().set_reg(&cursor, UNW_REG_IP, reinterpret_cast<unw_word_t>(address)) != 0)
        return;
    char text[512] = "";
    unw_word_t offset = 0;
    const int outcome = unwind().get_proc_name(&cursor, text, sizeof text, &offset);
    if (outcome != 0 && outcome != -UNW_ENOMEM) // the latter: cut to the size of text
        return;
    // The nearest symbol before the address is another function's where the table lacks the right one.
    unw_proc_info_t procedure;
    std::memset(&procedure, 0, sizeof procedure);
    if (unwind().get_proc_info(&cursor, &procedure) == 0 &&
        reinterpret_cast<unw_word_t>(address) - offset < procedure.start_ip)
        return;
    name.function = text;
#endif
}

/// A demangled C++ name without parameters and return type.
std::string bare(std::string function)
{
    const std::size_t close = function.rfind(')');
    if (close != std::string::npos && function.find("::", close) == std::string::npos) {
        int depth = 0;
        for (std::size_t open = close; open > 0; --open) {
            depth += function[open] == ')' ? 1 : function[open] == '(' ? -1 : 0;
            if (depth == 0) {
                function.erase(open);
                break;
            }
        }
    }
    // Only names of templates come with a return type. "operator new" and conversions have a blank of their own.
    if (function.find("operator") != std::string::npos)
        return function;
    int depth = 0;
    for (std::size_t i = function.size(); i > 0; --i) {
        const char c = function[i - 1];
        depth += c == '>' || c == ')' || c == '}' ? 1 : c == '<' || c == '(' || c == '{' ? -1 : 0;
        if (c == ' ' && depth == 0)
            return function.substr(i);
    }
    return function;
}

/// Without parameters, clone numbers and mangling; what is not C++ or Fortran stays as it is.
std::string readable(std::string function)
{
    const std::size_t longest = 100;
    const std::size_t clone = function.find('.', 1); // "pack.constprop.0", "main.cold"
    if (clone != std::string::npos)
        function.erase(clone);

    if (function.rfind("_Z", 0) == 0) {
        int status = 0;
        const std::unique_ptr<char, decltype(&std::free)> demangled(
            abi::__cxa_demangle(function.c_str(), nullptr, nullptr, &status), &std::free);
        if (status == 0 && demangled != nullptr)
            function = bare(demangled.get());
    }
    const std::size_t module = function.find("_MOD_"); // gfortran: __halo_MOD_exchange
    if (module != std::string::npos && function.rfind("__", 0) == 0)
        function = function.substr(2, module - 2) + "::" + function.substr(module + 5);

    if (function.size() > longest)
        function = function.substr(0, longest - 3) + "...";
    return function;
}

std::string object_and_offset(const void* address)
{
    Dl_info info{};
    void* map = nullptr;
    std::string object = "?";
    std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address);
    if (::dladdr1(address, &info, &map, RTLD_DL_LINKMAP) != 0 && info.dli_fname != nullptr) {
        object = base_name(info.dli_fname);
        if (map != nullptr)
            offset -= static_cast<std::uintptr_t>(static_cast<const link_map*>(map)->l_addr);
    }
    char text[2 + 2 * sizeof offset + 1];
    std::snprintf(text, sizeof text, "0x%jx", static_cast<std::uintmax_t>(offset));
    return object + "+" + text;
}

struct Frame {
    std::string text;
    enum class Kind { inner, outermost, start_up } kind = Kind::inner;
};

Frame frame_of(const void* address, const DebugInformation& debug_information)
{
    Name name;
    debug_information.look_up(address, name);
    if (name.function.empty())
        look_up_symbol(address, name);
    if (name.function.empty()) {
        Dl_info info{};
        if (::dladdr(address, &info) != 0 && info.dli_sname != nullptr)
            name.function = info.dli_sname;
    }
    Frame frame;
    const std::string function = readable(name.function);
    if (function == "main" ||
        function == "MAIN__") // the latter: a Fortran program, called by a main that is not its own
        frame.kind = Frame::Kind::outermost;
    else if (function == "_start" || function.rfind("__libc_start", 0) == 0)
        frame.kind = Frame::Kind::start_up;
    frame.text = (function.empty() ? "??" : function) + " (" +
                 (name.place.empty() ? object_and_offset(address) : name.place) + ")";
    return frame;
}

/// The frames stack[0] to stack[raw - 1] without those of this library, of the MPI library and of start-up code.
std::vector<void*> of_the_program(void* const* stack, int raw, int most)
{
    // A test has this code in the program itself: then the object says nothing about whose a frame is.
    const link_map* own = object_of(reinterpret_cast<const void*>(&of_the_program));
    if (is_program(own))
        own = nullptr;

    std::vector<void*> kept;
    std::vector<const link_map*> objects;
    for (int i = 0; i < raw; ++i) {
        const link_map* const object = object_of(call_of(stack[i]));
        if (object == nullptr ? stack[i] == nullptr : object == own || is_mpi(object))
            continue;
        kept.push_back(stack[i]);
        objects.push_back(object);
    }
    std::size_t size = kept.size();
    if (size > 1 && is_program(objects[size - 1]) && is_start_up(objects[size - 2]))
        --size; // _start
    while (size > 0 && is_start_up(objects[size - 1]))
        --size;
    if (most >= 0 && size > static_cast<std::size_t>(most))
        size = static_cast<std::size_t>(most);
    kept.resize(size);
    return kept;
}

/// By stack and by how many frames of it are wanted. Never forgotten.
using KnownPlaces = std::map<std::pair<int, std::vector<void*>>, std::vector<void*>>;

const KnownPlaces::value_type& find_or_add(void* const* stack, int raw, int most)
{
    static auto& known = *new KnownPlaces;
    static auto& known_mutex = *new std::mutex;
    const std::lock_guard<std::mutex> lock(known_mutex);
    const auto [place, is_new] = known.try_emplace({most, std::vector<void*>(stack, stack + raw)});
    if (is_new)
        place->second = of_the_program(stack, raw, most);
    return *place;
}

/// The same, found once: to ask which object an address lies in takes microseconds per frame. The place that asked last
/// needs no search.
const std::vector<void*>& remembered(void* const* stack, int raw, int most)
{
    thread_local const KnownPlaces::value_type* last = nullptr;
    const auto is_last = [&] {
        const auto& [most_frames, frames] = last->first;
        return most_frames == most && std::equal(frames.begin(), frames.end(), stack, stack + raw);
    };
    if (last == nullptr || !is_last())
        last = &find_or_add(stack, raw, most);
    return last->second;
}

/// Who has asked for its place last. One that asks again and again is worth a walk over its stack.
struct Caller {
    int most = 0;
    const void* frame = nullptr;
    const std::vector<void*>* place = nullptr;
    int repeats = 0;
    KnownStack stack; // where `place` was found, or holds nothing

    void note(int most_frames, const void* its_frame, const std::vector<void*>& its_place) noexcept
    {
        constexpr int worth_a_walk = 8;
        const bool again = most == most_frames && frame == its_frame && place == &its_place;
        repeats = again ? repeats + 1 : 0;
        most = most_frames;
        frame = its_frame;
        place = &its_place;
        if (repeats == worth_a_walk)
            stack.remember(frame);
        else
            stack.forget();
    }
};

const std::vector<void*>& nowhere()
{
    static const auto& none = *new std::vector<void*>;
    return none;
}

} // namespace

[[gnu::noinline]] const std::vector<void*>& capture_stack(int most) noexcept
{
    const void* const frame = __builtin_frame_address(0);
    thread_local Caller last;
    if (last.most == most && last.stack.holds(frame))
        return *last.place;
    try {
        void* const caller = __builtin_return_address(0);
        void* stack[128];
        const int raw = read_stack(stack, 128);
        int first = 0;
        for (int i = 0; i < raw; ++i) {
            if (stack[i] == caller) {
                first = i;
                break;
            }
        }
        const std::vector<void*>& place = remembered(stack + first, raw - first, most);
        last.note(most, frame, place);
        return place;
    } catch (...) {
        return nowhere();
    }
}

const std::vector<void*>& known_call_site() noexcept
{
    try {
        constexpr int most_frames = 16;
        void* stack[most_frames + 6]; // some are ours
        const int raw = read_stack(stack, most_frames + 6);
        return remembered(stack, raw, most_frames);
    } catch (...) {
        return nowhere();
    }
}

std::vector<std::string> describe(const std::vector<void*>& addresses) noexcept
{
    try {
        // A program creates many graphs at few places, and looking up one takes milliseconds. Never destroyed: a
        // program's own destructors may still call MPI.
        static auto& known = *new std::map<const void*, Frame>;
        static auto& known_mutex = *new std::mutex;
        const std::lock_guard<std::mutex> lock(known_mutex);

        std::unique_ptr<DebugInformation> debug_information;
        std::vector<std::string> texts;
        for (const void* const return_address : addresses) {
            const void* const address = call_of(return_address);
            auto frame = known.find(address);
            if (frame == known.end()) {
                if (debug_information == nullptr)
                    debug_information = std::make_unique<DebugInformation>();
                frame = known.emplace(address, frame_of(address, *debug_information)).first;
            }
            if (frame->second.kind == Frame::Kind::start_up)
                break;
            texts.push_back(frame->second.text);
            if (frame->second.kind == Frame::Kind::outermost)
                break;
        }
        return texts;
    } catch (...) {
        return {};
    }
}

} // namespace hopscotch::shim
