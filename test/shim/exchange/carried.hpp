// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries random calls over random process grids by one algorithm, and compares every byte, gaps included, with the
// expected data.
#pragma once

#include "shim/selection/exchange_pool.hpp"
#include "test/processes.hpp"
#include "test/schedules/plan/jobs.hpp"
#include "test/shim/graph/detected.hpp"

#include <random>
#include <string>

/// The layout of a block in the buffers of a call.
enum class ElementLayout { ints, columns }; // columns: a type with gaps

/// A job for all processes of MPI_COMM_WORLD, with the exchanges of a communicator as the library would have them.
class CarriedJob
{
  public:
    /// Collective: over MPI_COMM_WORLD, with the same random numbers.
    explicit CarriedJob(std::mt19937& random);
    ~CarriedJob() { pool_.release(); }
    CarriedJob(const CarriedJob&) = delete;
    CarriedJob& operator=(const CarriedJob&) = delete;

    /// Makes some calls in turn, the first with the largest blocks, then with smaller and other ones. Returns the first
    /// fault in one sentence, or nothing. Collective: as above, with the same arguments.
    std::string fault(hopscotch::shim::Collective collective, const hopscotch::shim::Choice& choice,
                      std::mt19937& random);

    /// Like fault, but in some calls process 0 expects an int more in each block, or less: if it receives anything it
    /// must return MPI_ERR_TRUNCATE, all calls must end, and the next calls must deliver.
    std::string fault_of_wrong_size(hopscotch::shim::Collective collective, const hopscotch::shim::Choice& choice);

    bool has_memory() const { return detected_.segment != nullptr; }
    bool has_staging() const { return pool_.aggregated_bytes(hopscotch::shim::Collective::alltoall) > 0; }
    bool one_node() const { return group_.group->nodes() == 1; }

    std::string description() const { return describe(job_); }

  private:
    struct Call;

    std::string fault_of(Call& call, const hopscotch::shim::Choice& choice);

    Job job_;
    TestGroup group_;
    std::shared_ptr<hopscotch::shim::Graph> graph_;
    hopscotch::shim::Detected detected_;
    hopscotch::shim::ExchangePool pool_;
};

/// Carries each of these collectives over random jobs by the algorithm; a choice that the job cannot have is left out.
/// Checks that nothing is wrong. Collective: over MPI_COMM_WORLD.
void carry(hopscotch::shim::Algorithm algorithm, const std::vector<hopscotch::shim::Collective>& collectives,
           unsigned jobs);
