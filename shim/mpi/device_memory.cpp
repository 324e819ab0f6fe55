// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/mpi/device_memory.hpp"

#include "shim/device/device_library.hpp"
#include "shim/mpi/next.hpp"
#include "shim/mpi/runtime.hpp"

#include <cstdlib>

namespace hopscotch::shim
{

namespace
{

/// True if the library can be asked: MPICH before 4 ends the program if it was built without devices. MPICH 4 is the
/// first of MPI 4; its descendants keep to that.
bool answers() noexcept
{
#ifdef OPEN_MPI
    return true;
#else
    int version = 0;
    int subversion = 0;
    return next.MPI_Get_version(&version, &subversion) == MPI_SUCCESS && version >= 4;
#endif
}

/// MPICH and Open MPI answer a question; other libraries of the MPICH family take such buffers if a variable tells them
/// to.
bool ask_library() noexcept
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

bool library_takes_device_memory() noexcept
{
    static const bool takes = ask_library();
    return takes;
}

DeviceBuffers device_buffers() noexcept
{
    const bool found = look_for_device_libraries();
    const bool looks = runtime().settings.device_bytes.has_value();
    devices_are_driven = found && looks;
    if (!found || !library_takes_device_memory())
        return DeviceBuffers::staged;
    return looks ? DeviceBuffers::taken : DeviceBuffers::passed;
}

std::string devices_in_words()
{
    if (!may_be_on_devices())
        return {};
    return device_library_names() + ", whose memory the MPI library " +
           (library_takes_device_memory() ? "takes, too" : "does not take");
}

} // namespace hopscotch::shim
