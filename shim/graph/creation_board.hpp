// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one node agree through memory on the graphs that they make from a communicator again and again.
#pragma once

#include "schedules/selection/agreement.hpp"
#include "shim/group/consensus.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/memory_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace hopscotch::shim
{

/// Memory in which every process of a communicator shows its values to all others. It belongs to the communicator from
/// which graphs are made: its processes make them in one order, so they use the memory in one order. No process waits
/// for another one but to see its values.
class CreationBoard final : public Consensus
{
  public:
    /// The most values of one agreement.
    static constexpr std::size_t most_values = schedules::Agreement::count;

    /// The most processes: each reads the values of all.
    static constexpr int most_processes = 64;

    /// A board for the processes of a graph that has just been made, all on one node; null if they cannot share memory.
    /// Collective: over the graph.
    static std::unique_ptr<CreationBoard> create(const Ground& ground);

    /// Requires: count <= most_values.
    void maxima(std::int64_t* values, std::size_t count) override;

    /// The communicator on which a waiting process lets the MPI library make progress: that of the new graph.
    void wait_on(MPI_Comm comm) noexcept { comm_ = comm; }

  private:
    struct Column;
    CreationBoard(MemoryFile file, const ProcessGroup& group);
    Column& column(int process) const noexcept;
    void await(const Column& other);

    MemoryFile file_;
    int processes_;
    int own_;
    bool yields_;
    std::uint64_t turn_ = 0;
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The board of `parent` for the creation of `made`; null if there is none. Local; all processes of `made` get one, or
/// none does.
CreationBoard* creation_board(MPI_Comm parent, MPI_Comm made);

/// All processes of the graph of `ground` have agreed on it, which they made from `parent`. After a few such graphs the
/// parent gets a board. Collective: over the graph. Throws: MpiError, NoMemory.
void note_creation(MPI_Comm parent, const Ground& ground);

} // namespace hopscotch::shim
