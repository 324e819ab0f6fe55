// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions and lines of the program that return addresses lie in; needs no library to be present. libdw is opened
// when it is first needed and only compiled against: the library does not depend on it.
#include "shim/report/frame_names.hpp"

#include "shim/report/callsite.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

struct Name {
    std::string function; // as the object has it; empty: not known
    std::string place;    // "file:line"; empty: no debug information
};

std::string_view base_name(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

#ifdef HOPSCOTCH_HAVE_LIBDW
/// The function of a library opened by dlopen; false, and null, when there is none.
template <typename Function>
bool load(void* library, const char* symbol, Function& function)
{
    function = library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library, symbol));
    return function != nullptr;
}

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
    std::string function; // readable; empty: not known
    std::string text;
};

Frame frame_of(const void* address, const DebugInformation& debug_information)
{
    Name name;
    debug_information.look_up(address, name);
    if (name.function.empty()) {
        Dl_info info{};
        if (::dladdr(address, &info) != 0 && info.dli_sname != nullptr)
            name.function = info.dli_sname;
    }
    const std::string function = readable(name.function);
    return {function, (function.empty() ? "??" : function) + " (" +
                          (name.place.empty() ? object_and_offset(address) : name.place) + ")"};
}

} // namespace

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
            const auto& [function, text] = frame->second;
            if (function == "_start" || function.rfind("__libc_start", 0) == 0)
                break;
            texts.push_back(text);
            if (function == "main" || function == "MAIN__") // of Fortran, called by a main that is not the program's
                break;
        }
        return texts;
    } catch (...) {
        return {};
    }
}

} // namespace hopscotch::shim
