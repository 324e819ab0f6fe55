// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions and lines of the program at return addresses; needs no library to be present. libdw is opened at its
// first use and only compiled against: the library does not depend on it.
#include "shim/report/frame_names.hpp"

#include "shim/report/callsite.hpp"

#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string_view>
#include <unistd.h>

#ifdef HOPSCOTCH_HAVE_LIBDW
#include <elfutils/libdwfl.h>
#endif

namespace hopscotch::shim
{

namespace
{

/// The name of an address in an object.
struct Name {
    std::string function; // as in the object; empty: not known
    std::string place;    // "file:line"; empty: no debug information
};

std::string_view base_name(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

#ifdef HOPSCOTCH_HAVE_LIBDW
/// The library libdw; null if it is not installed.
void* libdw()
{
    static void* const library = ::dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    return library;
}
#define LIBDW(function) reinterpret_cast<decltype(&(function))>(::dlsym(libdw(), #function))

/// The objects of this process with their debug information; null if they cannot be read.
std::shared_ptr<Dwfl> debug_information()
{
    if (libdw() == nullptr)
        return nullptr;
    static Dwfl_Callbacks callbacks{};
    callbacks.find_elf = LIBDW(dwfl_linux_proc_find_elf);
    // Looks on this machine only; dwfl_standard_find_debuginfo may ask servers on the network.
    callbacks.find_debuginfo = LIBDW(dwfl_build_id_find_debuginfo);
    const std::shared_ptr<Dwfl> session(LIBDW(dwfl_begin)(&callbacks), LIBDW(dwfl_end));
    const bool usable = session != nullptr && LIBDW(dwfl_linux_proc_report)(session.get(), ::getpid()) == 0 &&
                        LIBDW(dwfl_report_end)(session.get(), nullptr, nullptr) == 0;
    return usable ? session : nullptr;
}

Name name_in(Dwfl* session, const void* address)
{
    const auto position = reinterpret_cast<std::uintptr_t>(address);
    Dwfl_Module* const module = session != nullptr ? LIBDW(dwfl_addrmodule)(session, position) : nullptr;
    if (module == nullptr)
        return {};
    Name name;
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    const char* const function =
        LIBDW(dwfl_module_addrinfo)(module, position, &offset, &symbol, nullptr, nullptr, nullptr);
    if (function != nullptr && offset < symbol.st_size) // otherwise it only is the nearest name before the address
        name.function = function;
    int line = 0;
    Dwfl_Line* const entry = LIBDW(dwfl_module_getsrc)(module, position);
    const char* const file =
        entry != nullptr ? LIBDW(dwfl_lineinfo)(entry, nullptr, &line, nullptr, nullptr, nullptr) : nullptr;
    if (file != nullptr && line > 0)
        name.place = std::string(base_name(file)) + ":" + std::to_string(line);
    return name;
}
#else
using Dwfl = void;

std::shared_ptr<Dwfl> debug_information()
{
    return nullptr;
}

Name name_in(Dwfl*, const void*)
{
    return {};
}
#endif

/// A demangled C++ name without the last parentheses, which hold the parameters.
std::string bare(const std::string& function)
{
    const std::size_t close = function.rfind(')');
    if (close == std::string::npos || function.find("::", close) != std::string::npos)
        return function;
    int depth = 0;
    for (std::size_t open = close; open > 0; --open) {
        depth += function[open] == ')' ? 1 : function[open] == '(' ? -1 : 0;
        if (depth == 0)
            return function.substr(0, open);
    }
    return function;
}

/// A function without parameters, clone numbers and mangling; names from languages other than C++ and Fortran stay as
/// they are.
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
    const bool known = ::dladdr1(address, &info, &map, RTLD_DL_LINKMAP) != 0 && info.dli_fname != nullptr;
    const auto begin = known ? static_cast<std::uintptr_t>(static_cast<const link_map*>(map)->l_addr) : 0;
    std::ostringstream text;
    text << (known ? base_name(info.dli_fname) : "?") << "+0x" << std::hex
         << reinterpret_cast<std::uintptr_t>(address) - begin;
    return text.str();
}

/// "function (place)"
std::string text_of(const void* address, Dwfl* session)
{
    Name name = name_in(session, address);
    Dl_info info{};
    if (name.function.empty() && ::dladdr(address, &info) != 0 && info.dli_sname != nullptr)
        name.function = info.dli_sname;
    return (name.function.empty() ? "??" : readable(name.function)) + " (" +
           (name.place.empty() ? object_and_offset(address) : name.place) + ")";
}

} // namespace

std::vector<std::string> describe(const std::vector<void*>& addresses) noexcept
{
    try {
        // A program creates many graphs at few places, and looking up one takes milliseconds. Never destroyed: a
        // program's own destructors may still call MPI.
        static auto& known = *new std::map<const void*, std::string>;
        static auto& known_mutex = *new std::mutex;
        const std::lock_guard<std::mutex> lock(known_mutex);

        std::shared_ptr<Dwfl> session;
        std::vector<std::string> texts;
        for (const void* const return_address : addresses) {
            const void* const address = call_of(return_address);
            const auto [found, is_new] = known.try_emplace(address);
            std::string& text = found->second;
            if (is_new) {
                if (session == nullptr)
                    session = debug_information();
                text = text_of(address, session.get());
            }
            texts.push_back(text);
            // MAIN__: of Fortran, called by a main that is not the program's.
            if (text.rfind("main (", 0) == 0 || text.rfind("MAIN__ (", 0) == 0)
                break;
        }
        return texts;
    } catch (...) {
        return {};
    }
}

} // namespace hopscotch::shim
