// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/mpi/imported_function.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

using schedules::AddressRange;

std::size_t number_of(const void* address) noexcept
{
    return reinterpret_cast<std::size_t>(address);
}

/// A loaded object and its entry for the function.
struct Importer {
    const char* path;
    void** entry;
    AddressRange object;
    AddressRange read_only;
};

struct ImportSearch {
    const char* name;
    std::array<Importer, 16> found{};
    std::size_t count = 0;
};

/// The parts of an object that tell about its imports.
class Imports
{
  public:
    explicit Imports(const dl_phdr_info& info) noexcept : base_(info.dlpi_addr)
    {
        for (int i = 0; i < info.dlpi_phnum; ++i)
            if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
                for (const auto* part = (const ElfW(Dyn)*)(base_ + info.dlpi_phdr[i].p_vaddr); part->d_tag != DT_NULL;
                     ++part)
                    read(*part);
    }

    /// The one entry for calls of this function; nullptr if there is none, or several.
    void** entry(const char* name) const noexcept
    {
        void** found = nullptr;
        std::size_t count = 0;
        if (symbols_ == nullptr || names_ == nullptr || !all_have_addends_)
            return nullptr;
        const auto look = [&](const ElfW(Rela) * relocations, std::size_t bytes, bool calls_only) {
            for (std::size_t i = 0; relocations != nullptr && i < bytes / sizeof *relocations; ++i) {
                const std::size_t symbol = symbol_of(relocations[i].r_info);
                if (symbol == 0 || !(calls_only || is_address(relocations[i])) ||
                    std::strcmp(names_ + symbols_[symbol].st_name, name) != 0)
                    continue;
                found = reinterpret_cast<void**>(base_ + relocations[i].r_offset);
                ++count;
            }
        };
        look(calls_, bytes_of_calls_, true);
        look(others_, bytes_of_others_, false);
        return count == 1 ? found : nullptr;
    }

  private:
    static std::size_t symbol_of(std::uint64_t info) noexcept
    {
        return static_cast<std::size_t>(sizeof(void*) == 8 ? info >> 32 : info >> 8);
    }

    /// True for the address of a function in the table of addresses: calls without a stub use it.
    static bool is_address([[maybe_unused]] const ElfW(Rela) & relocation) noexcept
    {
#if defined(__x86_64__) && defined(__LP64__)
        return ELF64_R_TYPE(relocation.r_info) == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
        return ELF64_R_TYPE(relocation.r_info) == R_AARCH64_GLOB_DAT;
#else
        return false;
#endif
    }

    /// The dynamic linker has made most addresses absolute, but not in objects whose dynamic section is read-only.
    const char* at(std::size_t address) const noexcept
    {
        return (const char*)(address < base_ ? base_ + address : address);
    }

    void read(const ElfW(Dyn) & part) noexcept
    {
        switch (part.d_tag) {
        case DT_STRTAB:
            names_ = at(part.d_un.d_ptr);
            break;
        case DT_SYMTAB:
            symbols_ = reinterpret_cast<const ElfW(Sym)*>(at(part.d_un.d_ptr));
            break;
        case DT_JMPREL:
            calls_ = reinterpret_cast<const ElfW(Rela)*>(at(part.d_un.d_ptr));
            break;
        case DT_PLTRELSZ:
            bytes_of_calls_ = part.d_un.d_val;
            break;
        case DT_PLTREL:
            all_have_addends_ = part.d_un.d_val == DT_RELA;
            break;
        case DT_RELA:
            others_ = reinterpret_cast<const ElfW(Rela)*>(at(part.d_un.d_ptr));
            break;
        case DT_RELASZ:
            bytes_of_others_ = part.d_un.d_val;
            break;
        default:
            break;
        }
    }

    std::size_t base_;
    const char* names_ = nullptr;
    const ElfW(Sym) * symbols_ = nullptr;
    const ElfW(Rela) * calls_ = nullptr;
    std::size_t bytes_of_calls_ = 0;
    const ElfW(Rela) * others_ = nullptr;
    std::size_t bytes_of_others_ = 0;
    bool all_have_addends_ = true;
};

std::size_t page_of(std::size_t address) noexcept
{
    return address & ~(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) - 1);
}

/// dl_iterate_phdr calls this once for each loaded object.
int look_at_object(dl_phdr_info* info, std::size_t, void* argument)
{
    ImportSearch& search = *static_cast<ImportSearch*>(argument);
    if (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0' || search.count == search.found.size())
        return 0; // the program itself
    Importer importer{info->dlpi_name, Imports(*info).entry(search.name), {}, {}};
    if (importer.entry == nullptr)
        return 0;
    importer.object.begin = SIZE_MAX;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& part = info->dlpi_phdr[i];
        const std::size_t begin = info->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && begin < importer.object.begin)
            importer.object.begin = begin;
        if (part.p_type == PT_LOAD && begin + part.p_memsz > importer.object.end)
            importer.object.end = begin + part.p_memsz;
        if (part.p_type == PT_GNU_RELRO)
            importer.read_only = {page_of(begin), page_of(begin + part.p_memsz)};
    }
    search.found[search.count++] = importer;
    return 0;
}

bool defines(const Importer& importer, const char* name) noexcept
{
    void* const handle = dlopen(importer.path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr)
        return false;
    const bool found = importer.object.contains(number_of(dlsym(handle, name)));
    dlclose(handle);
    return found;
}

} // namespace

ImportedFunction ImportedFunction::find(const char* name, const char* defined, const void* address) noexcept
{
#if defined(__powerpc64__) && (!defined(_CALL_ELF) || _CALL_ELF != 2)
    return {}; // its entries are descriptors of three words
#endif
    ImportSearch search{name};
    dl_iterate_phdr(look_at_object, &search);
    ImportedFunction found;
    std::size_t count = 0;
    for (std::size_t i = 0; i < search.count; ++i) {
        const Importer& importer = search.found[i];
        if (!defines(importer, defined))
            continue;
        const bool decides = importer.object.contains(number_of(address));
        if (decides || ++count == 1) {
            found.entry_ = importer.entry;
            found.object_ = importer.object;
            found.protected_ = importer.read_only;
        }
        if (decides)
            return found;
    }
    return count == 1 ? found : ImportedFunction{};
}

void* ImportedFunction::target() const noexcept
{
    void* const function = __atomic_load_n(entry_, __ATOMIC_ACQUIRE);
    return object_.contains(number_of(function)) ? nullptr : function; // a stub of the object asks the dynamic linker
}

bool ImportedFunction::replace(void* function) const noexcept
{
    void* const page = (void*)page_of(number_of(entry_)); // an entry never crosses its end
    const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const bool read_only = protected_.contains(number_of(entry_));
    if (read_only && mprotect(page, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(entry_, function, __ATOMIC_RELEASE);
    if (read_only)
        mprotect(page, size, PROT_READ);
    return true;
}

} // namespace hopscotch::shim
