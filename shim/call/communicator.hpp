// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the record of a communicator: its neighborhood, its life, and the algorithms of its calls.
#pragma once

#include "shim/blocks/block_layout.hpp"
#include "shim/blocks/staged_buffers.hpp"
#include "shim/call/mismatch_watchdog.hpp"
#include "shim/graph/detection.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/selection/exchange_pool.hpp"
#include "shim/selection/selection.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

class Communicator
{
  public:
    Communicator(MPI_Comm comm, Detected detected, const Settings& settings, std::uint64_t setup_ticks);
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    /// True if the MPI library carries a blocking call that begins now, since the set-up waits for more of them. Local;
    /// the same on all processes of the communicator in each call.
    bool rents() noexcept
    {
        if (detected_.set_up_later == nullptr || rented_calls_ == detected_.rented_calls)
            return false;
        ++rented_calls_;
        return true;
    }

    /// Completes a deferred set-up, if any: before a blocking call that rents() does not leave to the library. If that
    /// fails the library carries all its calls. Collective: over the communicator.
    void set_up()
    {
        if (detected_.set_up_later != nullptr)
            set_up_now();
    }

    /// The same before a persistent request or a call of a function of Hop_.
    void set_up_for_good()
    {
        note_lasting_use();
        set_up();
    }

    /// The proposal of a deferred set-up; null: it is done. Local.
    const Proposal* waiting() const noexcept { return detected_.set_up_later.get(); }

    /// Communicators made in its place are worth setting up. Local.
    void note_use() const noexcept;

    /// The program makes other calls on it than blocking ones of MPI: later communicators made in its place do not wait
    /// for their set-up. Local.
    void note_lasting_use() noexcept
    {
        if (!is_lasting_)
            note_lasting_use_once();
    }

    const Graph& graph() const noexcept { return *detected_.graph; }
    const std::shared_ptr<const Graph>& share_graph() const noexcept { return detected_.graph; }
    const ProcessGroup* group() const noexcept { return detected_.group.get(); }
    const std::shared_ptr<ProcessGroup>& share_group() const noexcept { return detected_.group; }

    Selection& selection() noexcept { return selection_; }
    const Selection& selection() const noexcept { return selection_; }
    ExchangePool& exchanges() noexcept { return exchanges_; }
    const ExchangePool& exchanges() const noexcept { return exchanges_; }
    MismatchWatchdog& watchdog() noexcept { return watchdog_; }

    /// Bytes of every block of a regular call. A process without destinations may give any send count, and one without
    /// sources any receive count: then the other buffer says it.
    std::size_t block_bytes(const BlockLayout& send, const BlockLayout& receive) const noexcept
    {
        return has_destinations_ ? send.block_bytes() : receive.block_bytes();
    }

    [[gnu::hot]] BlockSizes sizes_of(Collective collective, const Layouts& blocks) const noexcept
    {
        return {is_regular(collective) ? block_bytes(blocks.send, blocks.receive) : 0,
                std::max(blocks.send.largest_bytes(), blocks.receive.largest_bytes())};
    }

    /// The blocks of a call. `layouts`: makes them from the edges, which give their number, and from the KeptBlocks.
    template <class MakeLayouts>
    Layouts blocks_of(MakeLayouts&& layouts)
    {
        return layouts(graph().edges, kept_blocks_);
    }

    /// StagedBuffers::find for a call with these blocks.
    std::unique_ptr<StagedBuffers> find_staged(Collective collective, const Layouts& user)
    {
        const schedules::Edges& edges = graph().edges;
        if (!is_allgather(collective))
            return StagedBuffers::find(user, edges.destinations, sources(collective));
        const bool used = collective == Collective::global_allgather || schedules::degree(edges.destinations) > 0;
        return StagedBuffers::find(user, {used ? edges.rank : schedules::no_rank}, sources(collective));
    }

    /// Messages and bytes sent by a native call with this code. Bytes are 0 if the library accepted arguments that this
    /// one rejects. `layouts`: as those of blocks_of(). Throws: MpiError, std::bad_alloc.
    template <class MakeLayouts>
    SentMessages sent_natively(const SelectionEntry& entry, const MakeLayouts& layouts, int code)
    {
        if (entry.trivial_messages == 0 || code != MPI_SUCCESS)
            return messages_by_library(entry);
        try {
            const Layouts blocks = blocks_of(layouts);
            return sent_by_library(graph(), entry, blocks.send);
        } catch (const WrongArgument&) {
            return messages_by_library(entry);
        }
    }

    /// See BlockLayout::keep.
    void keep(Layouts& blocks) { blocks.keep(kept_blocks_); }

    /// Carries a blocking call over the exchange of the entry and waits for it. The job ends if a neighbor turns out to
    /// carry it by another algorithm. Throws: MpiError, std::bad_alloc.
    [[gnu::hot]] int run(SelectionEntry& entry, Collective collective, const Layouts& blocks);

    /// The blocking or nonblocking call of the last entry, in the form for neighbors; none if blocks may differ. Local.
    std::optional<NumberedCall> last_call(Collective collective, Completion completion, Algorithm algorithm,
                                          std::size_t block_bytes) const noexcept;

    /// The sender of the block in each receive slot; no_rank if there is none.
    const std::vector<int>& sources(Collective collective);

    /// Distinct within the job, and the same number for graphs over the same processes made in the same place of the
    /// program. The same on all processes.
    std::uint64_t key() const noexcept { return detected_.key; }
    std::uint64_t origin() const noexcept { return detected_.origin; }

    /// The addresses of the calls that made it; see Origin.
    const std::vector<void*>* call_site() const noexcept { return detected_.call_site; }

    /// The time to make and to set it up.
    std::uint64_t setup_ticks() const noexcept { return setup_ticks_; }

    /// The reason why it is not isomorphic; empty if it is.
    const schedules::Reason& reason() const noexcept;

    /// The program frees the communicator; requests on it may still go on. Its error handler is kept for them.
    void note_freed(MPI_Comm comm) noexcept;
    bool is_freed() const noexcept { return is_freed_; }

    /// Raises an error of a request after the communicator was freed. The handler gets a communicator of ours.
    void raise_after_free(const char* function, int code);

    /// Gives back objects that must not outlive MPI: operations and the private communicator.
    void release() noexcept;

  private:
    void set_up_now();
    void note_lasting_use_once() noexcept;
    Use use() const noexcept;

    Detected detected_;
    std::uint64_t setup_ticks_;
    std::size_t rented_calls_ = 0;
    std::atomic<bool> is_lasting_{false};
    bool has_destinations_ = false;
    KeptBlocks kept_blocks_;
    ExchangePool exchanges_;
    Selection selection_;
    MismatchWatchdog watchdog_;
    std::vector<int> everyone_; // all ranks, once somebody has asked for them
    std::atomic<bool> is_freed_{false};
    MPI_Errhandler kept_handler_ = MPI_ERRHANDLER_NULL; // handler of the freed communicator
};

} // namespace hopscotch::shim
