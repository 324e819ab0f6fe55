// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether buffers of the program may lie in the memory of a device, which the host must not touch.
#include "shim/mpi/device_memory.hpp"

#include "shim/mpi/next.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <link.h>

namespace hopscotch::shim
{

namespace
{

/// How many objects have been loaded into this process when none of them drove devices. Programs with hundreds of
/// objects make graphs without loading any.
std::atomic<unsigned long long> looked_through{0};

enum Found { no_devices, devices, as_before };

/// One object loaded into this process. `loaded`: is set to how many have been so far.
int drives_devices(dl_phdr_info* info, std::size_t, void* loaded)
{
    *static_cast<unsigned long long*>(loaded) = info->dlpi_adds;
    if (info->dlpi_adds == looked_through)
        return as_before;
    for (const char* library : {"libcuda.so", "libamdhip64.so", "libze_loader.so"})
        if (info->dlpi_name != nullptr && std::strstr(info->dlpi_name, library) != nullptr)
            return devices;
    return no_devices;
}

/// Whether the library can be asked: MPICH before 4 ends the program when it was built without devices. MPICH 4 is the
/// first of MPI 4; its descendants keep to that.
bool answers() noexcept
{
#ifdef OPEN_MPI
    return true;
#else
    int version = 0;
    int subversion = 0;
    return next.Get_version(&version, &subversion) == MPI_SUCCESS && version >= 4;
#endif
}

/// As MPICH and Open MPI answer it; other libraries of the MPICH family are told by a variable to take such buffers.
bool library_takes_device_memory() noexcept
{
    if (!answers())
        return true;
    for (const char* name :
         {"MPIX_Query_cuda_support", "MPIX_Query_hip_support", "MPIX_Query_rocm_support", "MPIX_Query_ze_support"})
        if (const auto takes = reinterpret_cast<int (*)()>(find_symbol(name)); takes != nullptr && takes() != 0)
            return true;
    for (const char* variable : {"MPICH_GPU_SUPPORT_ENABLED", "I_MPI_OFFLOAD", "MV2_USE_CUDA"})
        if (const char* value = std::getenv(variable); value != nullptr && std::atoi(value) != 0)
            return true;
    return false;
}

} // namespace

bool may_be_given_device_memory() noexcept
{
    unsigned long long loaded = 0;
    const int found = dl_iterate_phdr(drives_devices, &loaded);
    if (found == no_devices)
        looked_through = loaded;
    if (found != devices)
        return false; // most programs need not ask the library
    static const bool takes = library_takes_device_memory();
    return takes;
}

} // namespace hopscotch::shim
