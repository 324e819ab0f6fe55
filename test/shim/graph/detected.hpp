// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes graph communicators of the MPI library and looks at them as the library does.
#pragma once

#include "shim/graph/detection.hpp"
#include "test/processes.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <cstdint>

/// A graph communicator with the neighbor lists of a job for all processes of MPI_COMM_WORLD; freed with the object.
/// Collective: over MPI_COMM_WORLD.
class JobCommunicator
{
  public:
    explicit JobCommunicator(const Job& job);
    ~JobCommunicator();
    JobCommunicator(const JobCommunicator&) = delete;
    JobCommunicator& operator=(const JobCommunicator&) = delete;

    MPI_Comm get() const noexcept { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Differs for different settings.
std::uint64_t hash_of(const hopscotch::shim::Settings& settings);

/// The result of detection on a communicator. Collective: over it.
hopscotch::shim::Detected detect(MPI_Comm comm, const hopscotch::shim::Settings& settings = {},
                                 std::vector<hopscotch::shim::Candidate> hints = {});

/// The same; nothing if a process has given up.
std::optional<hopscotch::shim::Detected> detect_if_possible(MPI_Comm comm,
                                                            const hopscotch::shim::Settings& settings = {},
                                                            std::vector<hopscotch::shim::Candidate> hints = {});

/// A set-up with this graph and these processes. They share no memory. Local.
hopscotch::shim::Detected detected_as(std::shared_ptr<const hopscotch::shim::Graph> graph, const TestGroup& test);

/// Every process has the one before it and the one behind it as neighbors, in random order. The same on all processes.
Job ring_job();

/// A job on a random grid of all processes of MPI_COMM_WORLD. The same on all processes.
Job random_job(std::mt19937& random);
