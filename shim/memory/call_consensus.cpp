// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one communicator agree between its calls, where no collective of the MPI library may be made.
#include "shim/memory/call_consensus.hpp"

#include "shim/mpi/dissemination.hpp"
#include "shim/mpi/progress.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

namespace
{

std::uint64_t both_bits(std::uint64_t one, std::uint64_t other)
{
    return one & other;
}

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

    std::shared_ptr<const ProcessGroup> group_;

    /// Of at most most_words.
    virtual void agree(std::uint64_t* words, std::size_t count, Join join) = 0;

  private:
    void in_pieces(std::uint64_t* words, std::size_t count, Join join)
    {
        for (std::size_t first = 0; first < count; first += most_words)
            agree(words + first, std::min(count - first, most_words), join);
    }
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
        Statement& own = segment_->statement(group_->node_index(group_->rank()), which);
        std::copy(words, words + count, own.values.begin());
        own.stamp.publish(turn_);
        for (int process = 0; process < group_->size(); ++process) {
            const Statement& statement = segment_->statement(process, which);
            progress_until([&] { return statement.stamp.has(turn_); }, [this] { idle(); });
            std::transform(words, words + count, statement.values.begin(), words, join);
        }
    }

    void idle() noexcept
    {
        poll_now_and_then(idle_looks_, group_->communicator());
        group_->yields() ? give_way() : relax();
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
    void agree(std::uint64_t* words, std::size_t count, Join join) override
    {
        static_assert(most_words <= Dissemination::most_words);
        Dissemination all(group_, tag_, words, count, join);
        progress_until([&all] { return all.advance(); },
                       [this] {
                           if (group_->yields())
                               give_way();
                       });
        std::copy(all.words(), all.words() + count, words);
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
