// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The pool of exchanges of a communicator whose graph is a ring or another grid, and calls with them.
#pragma once

#include "shim/selection/exchange_pool.hpp"
#include "test/shim/graph/detected.hpp"

#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

inline Choice by(Algorithm algorithm)
{
    Choice choice;
    choice.algorithm = algorithm;
    return choice;
}

/// The pool of an MPI communicator with a ring as its graph, or another grid.
struct RingPool {
    std::mt19937 random{seed()};
    JobCommunicator comm;
    Detected detected = detect(comm.get());
    ExchangePool pool{comm.get(), detected};

    explicit RingPool(const schedules::Topology& grid = schedules::Topology({world().size}, {true}),
                      const schedules::Stencil& stencil = schedules::Stencil(1, {1, -1}))
        : comm(shuffled_job(grid, stencil, random))
    {
    }
    ~RingPool() { pool.release(); }
};

/// For four processes.
struct SquarePool : RingPool {
    SquarePool()
        : RingPool(schedules::Topology({2, 2}, {true, true}),
                   schedules::Stencil(2, {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1}))
    {
    }
};

/// A call in which every process sends a number of its own to all neighbors.
class RingCall
{
  public:
    RingCall(const RingPool& ring, std::shared_ptr<Exchange> exchange, int number, std::size_t ints = 1)
        : RingCall(ring.detected.graph->edges, std::move(exchange), number, ints)
    {
    }

    RingCall(const schedules::Edges& edges, std::shared_ptr<Exchange> exchange, int number, std::size_t ints)
        : sources_(edges.sources), exchange_(std::move(exchange)), number_(number), ints_(ints),
          sent_(edges.destinations.size() * ints, number + world().rank), received_(sources_.size() * ints, -1),
          from_(BlockLayout::regular(sent_.data(), static_cast<MPI_Count>(ints), MPI_INT)),
          to_(BlockLayout::regular(received_.data(), static_cast<MPI_Count>(ints), MPI_INT))
    {
    }

    void begin() { exchange_->begin(from_, to_); }

    /// True if the call ends although no process advances another call, and brings the numbers of its own senders.
    bool ends_well()
    {
        const double begin = MPI_Wtime();
        while (!exchange_->advance()) {
            exchange_->idle(true);
            if (MPI_Wtime() - begin > patience())
                return false;
        }
        bool good = exchange_->error() == MPI_SUCCESS;
        for (std::size_t i = 0; i < received_.size(); ++i)
            good = good && received_[i] == number_ + sources_[i / ints_];
        return good;
    }

  private:
    std::vector<int> sources_;
    std::shared_ptr<Exchange> exchange_;
    int number_;
    std::size_t ints_;
    std::vector<int> sent_;
    std::vector<int> received_;
    BlockLayout from_;
    BlockLayout to_;
};

} // namespace hopscotch::shim
