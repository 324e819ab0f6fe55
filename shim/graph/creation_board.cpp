// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one node agree through memory on the graphs that they make from a communicator again and again.
#include "shim/graph/creation_board.hpp"

#include "shim/group/progress.hpp"
#include "shim/memory/segment.hpp"
#include "shim/mpi/comm_attribute.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

/// So many graphs, and their communicator gets a board: programs that make fewer are spared its memory.
constexpr int creations_before_board = 4;

/// The graphs made from a communicator so far. The same on all its processes between two creations.
struct Creations {
    int agreed = 0;
    std::unique_ptr<CreationBoard> board;
};

/// True if every process of `parent` takes part in the creation of `made`, so that all count the same creations.
bool takes_all(MPI_Comm parent, MPI_Comm made)
{
    int before = 0;
    int after = 0;
    check(next.MPI_Comm_size(parent, &before));
    check(next.MPI_Comm_size(made, &after));
    return before == after && before > 1 && before <= CreationBoard::most_processes;
}

} // namespace

/// The values of one process. Turn n uses values n % 2: a process that shows turn n + 2 has seen all others show turn
/// n + 1, and these have read turn n before.
struct alignas(schedules::line_bytes) CreationBoard::Column {
    std::atomic<std::uint64_t> shown; // the last turn
    std::int64_t values[2][most_values];
};

CreationBoard::CreationBoard(MemoryFile file, const ProcessGroup& group)
    : file_(std::move(file)), processes_(group.size()), own_(group.rank()), yields_(group.yields())
{
}

std::unique_ptr<CreationBoard> CreationBoard::create(const Ground& ground)
{
    const auto own = static_cast<std::size_t>(ground.group.rank());
    const auto processes = static_cast<std::size_t>(ground.group.size());
    MemoryFile file = share_file(ground, processes * sizeof(Column), {{own * sizeof(Column), sizeof(Column)}});
    if (file.refusal() != Refusal::none)
        return nullptr;
    return std::unique_ptr<CreationBoard>(new CreationBoard(std::move(file), ground.group));
}

CreationBoard::Column& CreationBoard::column(int process) const noexcept
{
    return reinterpret_cast<Column*>(file_.base())[process];
}

void CreationBoard::await(const Column& other)
{
    unsigned looks = 0;
    progress_until([&] { return other.shown.load(std::memory_order_acquire) >= turn_; },
                   [&] {
                       yields_ ? give_way() : relax();
                       poll_now_and_then(looks, comm_);
                   });
}

void CreationBoard::maxima(std::int64_t* values, std::size_t count)
{
    ++turn_;
    const std::size_t half = turn_ % 2;
    Column& own = column(own_);
    std::copy_n(values, count, own.values[half]);
    own.shown.store(turn_, std::memory_order_release);
    for (int process = 0; process < processes_; ++process) {
        const Column& other = column(process);
        await(other);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = std::max(values[i], other.values[half][i]);
    }
}

CreationBoard* creation_board(MPI_Comm parent, MPI_Comm made)
{
    if (parent == MPI_COMM_NULL || !takes_all(parent, made))
        return nullptr;
    const Creations* const creations = CommAttribute<Creations>::find(parent);
    if (creations == nullptr || creations->board == nullptr)
        return nullptr;
    creations->board->wait_on(made);
    return creations->board.get();
}

void note_creation(MPI_Comm parent, const Ground& ground)
{
    if (parent == MPI_COMM_NULL || ground.group.nodes() > 1 || !takes_all(parent, ground.comm))
        return;
    Creations* creations = CommAttribute<Creations>::find(parent);
    if (creations == nullptr)
        creations = &CommAttribute<Creations>::set(parent, std::make_unique<Creations>());
    if (++creations->agreed == creations_before_board)
        creations->board = CreationBoard::create(ground);
}

} // namespace hopscotch::shim
