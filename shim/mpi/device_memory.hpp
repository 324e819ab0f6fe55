// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds out if the MPI library takes buffers in the memory of a device, which the host must not touch.
#pragma once

#include <string>

namespace hopscotch::shim
{

/// True if the MPI library takes such buffers, and the program has loaded the run-time library of a device. Local.
bool library_takes_device_memory() noexcept;

/// The treatment of buffers in the memory of devices.
enum class DeviceBuffers : int {
    staged, // wherever they are met, if at all
    taken,  // the same, but the MPI library takes them, too
    passed  // calls must not look for them (HOPSCOTCH_DEVICE=off), though the MPI library takes them
};

/// Looks for run-time libraries of devices that the program has loaded by now; later calls check their buffers for
/// memory of these devices. Local.
DeviceBuffers device_buffers() noexcept;

/// "CUDA, whose memory the MPI library does not take"; "" if no device is in use. Local.
std::string devices_in_words();

} // namespace hopscotch::shim
