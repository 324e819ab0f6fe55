// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one communicator agree between its calls, where no collective of the MPI library may be made.
#include "shim/memory/call_consensus.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/progress.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hopscotch::shim
{

namespace
{

std::uint64_t both_bits(std::uint64_t one, std::uint64_t other)
{
    return one & other;
}

/// Of numbers with sign.
std::uint64_t larger(std::uint64_t one, std::uint64_t other)
{
    return static_cast<std::int64_t>(one) < static_cast<std::int64_t>(other) ? other : one;
}

/// Puts words together one by one in a way that does not mind hearing the same process twice.
using Join = std::uint64_t (*)(std::uint64_t, std::uint64_t);

class CallConsensus : public Consensus
{
  public:
    explicit CallConsensus(std::shared_ptr<const ProcessGroup> group) : group_(std::move(group)) {}

    void maxima(std::int64_t* values, std::size_t count) final
    {
        in_pieces(reinterpret_cast<std::uint64_t*>(values), count, larger); // the same object but for its sign
    }
    using Consensus::common_bits;
    void common_bits(std::uint64_t* words, std::size_t count) final { in_pieces(words, count, both_bits); }

  protected:
    static constexpr std::size_t most_words = Statement::most_values;

    const ProcessGroup& group() const noexcept { return *group_; }

    /// Of at most most_words.
    virtual void agree(std::uint64_t* words, std::size_t count, Join join) = 0;

  private:
    void in_pieces(std::uint64_t* words, std::size_t count, Join join)
    {
        for (std::size_t first = 0; first < count; first += most_words)
            agree(words + first, std::min(count - first, most_words), join);
    }

    std::shared_ptr<const ProcessGroup> group_;
};

class MemoryConsensus final : public CallConsensus
{
  public:
    MemoryConsensus(std::shared_ptr<const ProcessGroup> group, std::shared_ptr<Segment> segment)
        : CallConsensus(std::move(group)), segment_(std::move(segment))
    {
    }

  private:
    /// Even and odd turns have statements of their own: whoever makes one again knows that all have made the next one,
    /// and so have read this one.
    void agree(std::uint64_t* words, std::size_t count, Join join) override
    {
        const std::size_t which = ++turn_ % buffers_per_stream;
        Statement& own = segment_->statement(group().node_index(group().rank()), which);
        std::copy(words, words + count, own.values.begin());
        own.stamp.publish(turn_);
        for (int process = 0; process < group().size(); ++process) {
            const Statement& statement = segment_->statement(process, which);
            progress_until([&] { return statement.stamp.has(turn_); }, [this] { idle(); });
            std::transform(words, words + count, statement.values.begin(), words, join);
        }
    }

    void idle() noexcept
    {
        poll_now_and_then(idle_looks_, group().communicator());
        group().yields() ? give_way() : relax();
    }

    std::shared_ptr<Segment> segment_;
    SequenceNumber turn_ = no_turn; // of the last agreement
    unsigned idle_looks_ = 0;
};

class MessageConsensus final : public CallConsensus
{
  public:
    MessageConsensus(std::shared_ptr<const ProcessGroup> group, int tag) : CallConsensus(std::move(group)), tag_(tag) {}

  private:
    /// Dissemination: after k rounds every process knows what it and the 2^k - 1 before it say.
    void agree(std::uint64_t* words, std::size_t count, Join join) override
    {
        std::array<std::uint64_t, most_words> theirs{};
        const int size = group().size();
        for (int distance = 1; distance < size; distance *= 2) {
            swap(words, theirs.data(), count * sizeof *words, distance);
            std::transform(words, words + count, theirs.begin(), words, join);
        }
    }

    void swap(const std::uint64_t* ours, std::uint64_t* theirs, std::size_t bytes, int distance) const
    {
        const int rank = group().rank();
        const int size = group().size();
        std::array<MPI_Request, 2> requests{};
        start_receive(group(), reinterpret_cast<char*>(theirs), bytes, (rank - distance + size) % size, tag_,
                      requests[0]);
        start_send(group(), reinterpret_cast<const char*>(ours), bytes, (rank + distance) % size, tag_, requests[1]);
        const auto complete = [&requests] {
            int flag = 0;
            check(next.Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE));
            return flag != 0;
        };
        progress_until(complete, [this] {
            if (group().yields())
                give_way();
        });
    }

    int tag_;
};

} // namespace

std::unique_ptr<Consensus> make_call_consensus(std::shared_ptr<const ProcessGroup> group, int tag,
                                               std::shared_ptr<Segment> segment)
{
    if (segment != nullptr && group->nodes() == 1)
        return std::make_unique<MemoryConsensus>(std::move(group), std::move(segment));
    return std::make_unique<MessageConsensus>(std::move(group), tag);
}

} // namespace hopscotch::shim
