// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the largest values of all processes without waiting for any.
#pragma once

#include "shim/mpi/process_group.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Of each value the largest that any process of a group gives, found by messages as processes make progress. Several
/// one after the other may have the same tag, if all processes have them in the same order.
class SilentMaxima
{
  public:
    /// `own`: as many values on all processes. Local.
    SilentMaxima(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<std::int64_t> own);
    SilentMaxima(const SilentMaxima&) = delete;
    SilentMaxima& operator=(const SilentMaxima&) = delete;

    /// Does what can be done now; true once values() are those of all. It must be, before this goes. Throws: MpiError.
    bool advance();

    const std::vector<std::int64_t>& values() const noexcept { return values_; }

  private:
    void begin_round();

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::vector<std::int64_t> values_;
    std::vector<std::int64_t> sent_; // in this round
    std::vector<std::int64_t> received_;
    int distance_ = 1; // to whom this round goes
    bool in_round_ = false;
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

} // namespace hopscotch::shim
