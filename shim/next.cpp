// The MPI functions behind the shim, found at run time: the library is not linked to MPI.
#include "shim/next.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace hopscotch::shim
{

Functions next;
Functions tools;
std::atomic<bool> functions_resolved{false};

namespace
{

const void* object_of(const void* address)
{
    Dl_info info;
    return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// A handle of a loaded MPI library that the global scope does not show, as Python's MPI modules leave it
/// (dlopen with RTLD_LOCAL). dl_iterate_phdr calls this once per loaded object.
int try_object(dl_phdr_info* info, std::size_t, void* found)
{
    const char* path = info->dlpi_name;
    if (path == nullptr || std::strstr(path, "libmp") == nullptr)
        return 0;
    void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr)
        return 0;
    void* symbol = dlsym(handle, "PMPI_Comm_rank");
    if (symbol == nullptr || object_of(symbol) == object_of(reinterpret_cast<void*>(&try_object))) {
        dlclose(handle);
        return 0;
    }
    *static_cast<void**>(found) = handle;
    return 1;
}

void* hidden_library()
{
    void* handle = nullptr;
    dl_iterate_phdr(try_object, &handle);
    return handle;
}

void fill(void* library)
{
#define CALL(name, family)                                                                                             \
    {                                                                                                                  \
        void* base = dlsym(library, "PMPI_" #name);                                                                    \
        void* shown = dlsym(library, "MPI_" #name);                                                                    \
        next.name = reinterpret_cast<decltype(next.name)>(base != nullptr ? base : shown);                             \
        const bool is_tool = base != nullptr && shown != nullptr && object_of(base) != object_of(shown);               \
        tools.name = is_tool ? reinterpret_cast<decltype(tools.name)>(shown) : nullptr;                                \
    }
#include "shim/calls.def"
#undef CALL
}

} // namespace

void resolve_functions() noexcept
{
    fill(RTLD_NEXT);
    if (next.Comm_rank == nullptr) {
        if (void* library = hidden_library())
            fill(library);
    }
    if (next.Comm_rank == nullptr) {
        static const char message[] = "hopscotch error: an MPI function was called but no MPI library is loaded\n";
        const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
        (void)written;
        std::abort();
    }
    functions_resolved.store(true, std::memory_order_release);
}

} // namespace hopscotch::shim
