// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What the shim keeps with a communicator, as an MPI attribute: neighborhood, ways to carry collectives, counters.
#pragma once

#include "shim/call/long_wait.hpp"
#include "shim/exchange/operation.hpp"
#include "shim/graph/detection.hpp"
#include "shim/memory/segment.hpp"
#include "shim/report/statistics.hpp"
#include "shim/selection/choice.hpp"
#include "shim/selection/tuner.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Counters of a way, in ticks until they reach a report.
struct Counters {
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;
    std::uint64_t compared = 0;
    std::uint64_t bytes = 0;
    std::uint64_t bytes_saved = 0;
    std::uint64_t messages = 0;
    std::uint64_t messages_trivial = 0;
    std::uint64_t ticks = 0;
};

/// Calls from one place of the program.
struct SiteTicks {
    std::uint64_t calls = 0;
    std::uint64_t ticks = 0;
};

/// How one MPI function is carried on one communicator by one algorithm.
struct Way {
    Call call;
    Choice choice;
    Exchange* exchange = nullptr;       // of blocking calls; null where the native function carries the call
    std::uint64_t trivial_messages = 0; // to other processes a trivial algorithm sends per call from this process
    Counters counters;
    std::atomic<std::uint64_t> ticks_of_requests{0};      // which several threads may wait for at once
    std::map<const std::vector<void*>*, SiteTicks> sites; // by capture_call_site()
};

/// What is kept of communicators alike which were freed.
struct ClosedRecord {
    GraphRecord record;
    std::uint64_t more_setup_ticks = 0; // of those that were only counted
};

class Communicator
{
  public:
    Communicator(MPI_Comm comm, Detected detected, const Settings& settings, std::uint64_t setup_ticks);

    /// Does what was deferred when the communicator was made, if anything: before its first blocking call, persistent
    /// request or duplicate. Where that fails the library carries all its calls. Collective: over the communicator.
    void set_up()
    {
        if (deferred_ != nullptr)
            set_up_now();
    }

    /// Communicators made in its place are worth setting up. Local.
    void note_use() const noexcept;

    /// Its counters are kept for the report.
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    const Graph& graph() const noexcept { return *graph_; }
    const ProcessGroup* group() const noexcept { return group_.get(); }
    const std::shared_ptr<ProcessGroup>& share_group() const noexcept { return group_; }

    /// Of messages that carry a call a second time. Persistent calls, which processes may start in different orders,
    /// have one each. Collective: over the communicator, if persistent, as persistent_exchange.
    int twin_tag(Completion completion);

    /// A tag for one persistent request alone. Collective: over the communicator; agrees once in some hundred calls on
    /// new ones. Throws: MpiError{MPI_ERR_TAG} on all processes when no tags are left.
    int persistent_tag();

    /// The first of `own_tags` tags under which no exchange of the engine sends.
    static constexpr int own_tags = 16;
    int first_own_tag() const noexcept;

    /// Bytes of every block of a regular call. A process without destinations may give any send count, and one without
    /// sources any receive count: then the other buffer says it.
    std::size_t block_bytes(const BlockLayout& send, const BlockLayout& receive) const noexcept
    {
        return has_destinations_ ? send.block_bytes() : receive.block_bytes();
    }

    /// The way for blocks of this size; for those of varying sizes 0. All processes must ask for the same: the choice
    /// depends on it. Collective for a blocking call: over the communicator, when a trial of `auto` ends. Throws:
    /// MpiError.
    Way& way(Call call, Collective collective, Completion completion, std::size_t block_bytes)
    {
        if (completion == Completion::nonblocking)
            ++nonblocking_calls_[static_cast<std::size_t>(collective)];
        if (completion == Completion::blocking && ++meetings_[static_cast<std::size_t>(collective)].calls ==
                                                      meetings_[static_cast<std::size_t>(collective)].next_call)
            return way_of_meeting(call, collective, block_bytes);
        if (by_call_ != nullptr)
            for (const Served& served : (*by_call_)[static_cast<std::size_t>(call)])
                if (served.sizes.holds(block_bytes))
                    return *served.way;
        return choose_way(call, collective, completion, block_bytes);
    }

    /// The way of a call that the library carries, now and later, whatever its blocks are; null where that is not
    /// settled. Local.
    Way* passing_way(Call call) noexcept
    {
        if (by_call_ == nullptr)
            return nullptr;
        const std::vector<Served>& served = (*by_call_)[static_cast<std::size_t>(call)];
        return !served.empty() && served.front().passes ? served.front().way : nullptr;
    }

    /// As way, for a persistent request. Processes whose sizes disagree, wrongly, and would have chosen different
    /// algorithms use merged, where who receives other sizes learns of it. Collective: over the communicator. Throws:
    /// MpiError.
    Way& persistent_way(Call call, Collective collective, std::size_t block_bytes);

    /// The blocking or nonblocking call for which way() was asked last, as neighbors may be told of it; none where
    /// blocks may differ. Local.
    std::optional<NumberedCall> last_call(Collective collective, Completion completion, Algorithm algorithm,
                                          std::size_t block_bytes) const noexcept;

    /// Remembers a nonblocking call for a while: a neighbor may wait in it after this process has left it. Local.
    void remember(const NumberedCall& call);

    /// To be asked now and then while a call waits: a neighbor that carries it, or a call remembered, by another
    /// algorithm, since its blocks are of another size. Local. Throws: MpiError.
    std::optional<Deviation> deviation(WaitingCall& call);

    /// The trial that the call for which way() was asked last is part of, once; else null.
    Trial* take_trial() noexcept { return std::exchange(running_, nullptr); }

    /// The exchange of the nonblocking call for which way() was asked last: calls in flight at once take turns. Local.
    /// `block_bytes`: of a regular call.
    std::shared_ptr<Exchange> next_lane(Collective collective, const Choice& choice, std::size_t block_bytes);

    /// An exchange for one persistent request alone. Where no shared memory is left for one more, `choice` becomes
    /// merged. Collective: over the communicator; agrees on memory. Throws: as persistent_tag.
    std::shared_ptr<Exchange> persistent_exchange(Collective collective, Choice& choice);

    /// The algorithm asked for; automatic where none is. Local.
    Algorithm asked_for(Collective collective) const noexcept { return settings_.algorithm(collective); }

    /// The way of calls that are carried as `choice` says.
    Way& find_way(Call call, Collective collective, Completion completion, const Choice& choice);

    /// Where calls are counted that the native function carries for the given reason.
    Way& native_way(Call call, std::string_view reason);

    /// The same of a call that passes for this reason, unless the communicator has one of its own.
    Way& passed_way(Call call, std::string_view reason)
    {
        return native_way(call, graph_->unusable.empty() ? reason : graph_->unusable);
    }

    /// Whose blocks a process receives, slot by slot; no_rank where nobody's.
    const std::vector<int>& sources(Collective collective);

    /// The same number for graphs over the same processes made in the same place of the program.
    std::uint64_t origin() const noexcept { return origin_; }

    GraphRecord record() const;

    /// Counts the communicator in what is kept of another, made in the same place, if there is no more to be said of it
    /// than that it was one like that: without calls and without a process box. Needs no memory.
    bool adds_to(ClosedRecord& other) const noexcept;

    /// The program frees the communicator; requests on it may still go on. Its error handler is kept for them.
    void note_freed(MPI_Comm comm) noexcept;
    bool is_freed() const noexcept { return is_freed_; }

    /// Raises an error of a request after the communicator was freed. The handler gets a communicator of ours.
    void raise_after_free(int code) noexcept;

    /// Gives back what must not outlive MPI: operations and the private communicator.
    void release() noexcept;

  private:
    /// Settled: blocks of these sizes go this way.
    struct Served {
        SizeClass sizes;
        Way* way;
        bool passes; // to the library, as all later calls will
    };

    std::string_view reason() const noexcept; // why it is not isomorphic; empty when it is
    void set_up_now();
    void take_memory(Detected& detected);
    std::uint64_t trivial_messages(Call call) const;
    Way& add_way(std::unique_ptr<Way> way);
    Abilities abilities(Collective collective, Completion completion) const;
    Way& choose_way(Call call, Collective collective, Completion completion, std::size_t block_bytes);
    struct Question;
    Question question(Collective collective, Completion completion, std::size_t block_bytes) const;
    Way& way_of_meeting(Call call, Collective collective, std::size_t block_bytes);
    Way& tuned_way(Call call, Collective collective, Completion completion, std::size_t block_bytes);
    Way& serve(Call call, Collective collective, Completion completion, SizeClass sizes, const Choice& choice);
    MeetingPlace& meeting_place();
    void add_trials(GraphRecord& record) const;
    std::uint64_t common_bits(std::uint64_t bits) const;
    /// The memory of blocking calls (lane 0), or of the nonblocking ones of a lane; null where there is none.
    std::shared_ptr<Stream> stream_of(Collective collective, int lane) const;
    bool is_large(Collective collective, Algorithm algorithm, std::size_t block_bytes) const;
    std::shared_ptr<Segment> own_segment() const;
    int persistent_stream();
    const std::shared_ptr<Exchange>& exchange(Collective collective, Completion completion, const Choice& choice,
                                              int lane);

    MPI_Comm comm_; // until it is freed
    std::shared_ptr<Graph> graph_;
    std::shared_ptr<ProcessGroup> group_;
    TagBlock tags_;
    std::uint64_t key_;
    std::uint64_t origin_;
    Settings settings_;
    std::uint64_t setup_ticks_;
    std::uint64_t place_; // in the program that made it
    std::unique_ptr<Proposal> deferred_;
    bool has_destinations_ = false;
    std::unique_ptr<std::array<std::vector<Served>, call_count>> by_call_; // since the first call
    Trials trials_;
    std::array<Meetings, collective_count> meetings_;
    std::array<std::uint64_t, collective_count> nonblocking_calls_{};
    std::unique_ptr<MeetingPlace> meeting_place_; // since the first meeting
    std::unique_ptr<LongWait> long_wait_;         // since the first
    std::vector<NumberedCall> recent_;            // nonblocking calls, the oldest at next_recent_
    std::size_t next_recent_ = 0;
    std::mutex waiting_mutex_; // since requests may wait while a call is made
    Trial* running_ = nullptr;
    std::vector<std::unique_ptr<Way>> ways_;
    std::shared_ptr<NodeBoxes> boxes_;             // null where blocks between nodes are not aggregated
    std::vector<std::shared_ptr<Stream>> streams_; // of shared memory: of calls, then of persistent requests,
                                                   // which have none before their first use; or empty
    std::shared_ptr<Stream> global_stream_;        // of calls among all processes
    std::vector<std::shared_ptr<Stream>> nonblocking_streams_;
    std::map<int, std::shared_ptr<Exchange>> exchanges_; // by tag
    int persistent_made_ = 0;                            // since the last new tag block
    TagBlock persistent_tags_;
    std::vector<int> everyone_; // all ranks, once somebody has asked for them
    std::atomic<bool> is_freed_{false};
    MPI_Errhandler kept_handler_ = MPI_ERRHANDLER_NULL; // of the freed communicator
};

/// The record of a communicator, or null when the shim knows nothing of it. Cost: nanoseconds when the thread asks for
/// the communicator it asked for last, else one attribute look-up.
[[gnu::hot]] Communicator* find_communicator(MPI_Comm comm);

/// The same for an operation that outlives the call, and perhaps the communicator.
std::shared_ptr<Communicator> share_communicator(MPI_Comm comm);

/// Attaches a record to the communicator; it is deleted with it, its counters are kept for the report.
void attach_communicator(MPI_Comm comm, std::shared_ptr<Communicator> record);

/// The communicator and its duplicates get no record, for this reason. Local.
void pass_over(MPI_Comm comm, const char* reason);

/// The records of all communicators there are and were.
std::vector<GraphRecord> all_records();

/// While it lives, communicators this thread duplicates are known to be made by a nonblocking call.
struct DuplicatingLater {
    DuplicatingLater() noexcept;
    ~DuplicatingLater();
    DuplicatingLater(const DuplicatingLater&) = delete;
    DuplicatingLater& operator=(const DuplicatingLater&) = delete;
};

/// Where calls on communicators without record are counted, of which this is one. It stays. Local.
Way& unknown_way(Call call, MPI_Comm comm);

/// Counts a call on a communicator without record. Local.
void count_unknown(Call call, MPI_Comm comm, std::uint64_t elapsed_ticks, bool failed);

/// Before MPI ends: communicators the program has not freed give back what is MPI's.
void release_communicators() noexcept;

} // namespace hopscotch::shim
