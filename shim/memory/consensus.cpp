// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one communicator agree on numbers between its calls: in memory that they all share, or by
// messages.
#include "shim/memory/consensus.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/progress.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hopscotch::shim
{

Consensus::Consensus(std::shared_ptr<const ProcessGroup> group, int tag, std::shared_ptr<Segment> segment)
    : group_(std::move(group)), tag_(tag), segment_(group_->nodes() == 1 ? std::move(segment) : nullptr)
{
}

void Consensus::maxima(std::vector<std::uint64_t>& values)
{
    if (segment_ != nullptr && values.size() <= Statement::most_values)
        agree_in_memory(values);
    else
        send_messages(values);
}

bool Consensus::same(std::uint64_t value)
{
    std::vector<std::uint64_t> ends{value, ~value};
    maxima(ends);
    return ends[0] == ~ends[1];
}

/// Even and odd turns have statements of their own: whoever makes one again knows that all have made the next one, and
/// so have read this one.
void Consensus::agree_in_memory(std::vector<std::uint64_t>& values)
{
    const std::size_t which = ++turn_ % buffers_per_stream;
    Statement& own = segment_->statement(group_->node_index(group_->rank()), which);
    std::copy(values.begin(), values.end(), own.values.begin());
    own.turn.store(turn_, std::memory_order_release);
    for (int process = 0; process < group_->size(); ++process) {
        const Statement& statement = segment_->statement(process, which);
        progress_until([&] { return statement.turn.load(std::memory_order_acquire) == turn_; }, [this] { idle(); });
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::max(values[i], statement.values[i]);
    }
}

/// Dissemination: after k rounds every process knows the maximum over itself and the 2^k - 1 before it.
void Consensus::send_messages(std::vector<std::uint64_t>& values) const
{
    const int size = group_->size();
    const std::size_t bytes = values.size() * sizeof(std::uint64_t);
    std::vector<std::uint64_t> theirs(values.size());
    for (int distance = 1; distance < size; distance *= 2) {
        std::array<MPI_Request, 2> requests{};
        start_receive(*group_, reinterpret_cast<char*>(theirs.data()), bytes, (group_->rank() - distance + size) % size,
                      tag_, requests[0]);
        start_send(*group_, reinterpret_cast<const char*>(values.data()), bytes, (group_->rank() + distance) % size,
                   tag_, requests[1]);
        const auto complete = [&requests] {
            int flag = 0;
            check(next.Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE));
            return flag != 0;
        };
        progress_until(complete, [this] {
            if (group_->yields())
                give_way();
        });
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::max(values[i], theirs[i]);
    }
}

void Consensus::idle() noexcept
{
    poll_now_and_then(idle_looks_, group_->communicator());
    group_->yields() ? give_way() : relax();
}

} // namespace hopscotch::shim
