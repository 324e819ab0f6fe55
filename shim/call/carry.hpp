// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries a blocking call out, and finds that it can never end.
#pragma once

#include "shim/blocks/layouts.hpp"
#include "shim/call/communicator.hpp"

namespace hopscotch::shim
{

/// Fruitless looks at a call between two questions whether it can end at all.
constexpr unsigned looks_per_question = 64;

/// Carries a blocking call over the exchange of the entry and waits for it. The job ends where a neighbor turns out to
/// carry it by another algorithm. `block_bytes`: of a regular call. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] int carry(Communicator& known, SelectionEntry& entry, Collective collective, std::size_t block_bytes,
                       const Layouts& layouts);

/// To be asked now and then while a call has not ended: the job ends where a neighbor turns out to carry it by another
/// algorithm. Throws: MpiError.
[[gnu::cold]] void look_for_mismatch(Communicator& known, Call function, WaitingCall& call);

} // namespace hopscotch::shim
