// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a neighborhood collective through its life: its arguments become blocks; it is carried, in host memory if its
// buffers lie in that of a device, or passed on; and it is counted.
#include "shim/call/neighborhood_call.hpp"

namespace hopscotch::shim
{

int run_staged(Communicator& record, Call call, Collective collective, std::shared_ptr<StagedBuffers> staged,
               const NativeMoved& native)
{
    CallDetails details{std::move(staged)};
    const auto layouts = [&](auto&&...) { return details.staged->blocks(); };
    const auto by_library = [&] {
        if (!details.brought && library_takes_device_memory())
            return native({});
        details.bring();
        return native(details.staged->shifts());
    };
    return BlockingCall(record, call, collective, layouts, by_library, &details).run_on_host();
}

} // namespace hopscotch::shim
