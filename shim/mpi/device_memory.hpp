// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether buffers of the program may lie in the memory of a device, which the host must not touch.
#pragma once

namespace hopscotch::shim
{

/// Whether the MPI library takes such buffers, and the run-time library of a device is loaded here by now. Local.
bool may_be_given_device_memory() noexcept;

} // namespace hopscotch::shim
