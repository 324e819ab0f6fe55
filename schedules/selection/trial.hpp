// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in turn for `auto`, keeps the fastest, and schedules the agreements of the processes.
#pragma once

#include "schedules/selection/choice.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace hopscotch::schedules
{

/// An algorithm that takes this part of the predicted one's time is faster, however noisy a few calls are.
constexpr double clearly_faster = 0.5;

/// The machine around the processes of a communicator. The same on all of them.
struct Surroundings {
    bool one_node;
    bool crowded; // more processes than cores: the fastest of a few calls is one that did not wait for a core
};

/// One collective, one size class: a few calls by each candidate, then the fastest. All processes of the communicator
/// make these calls in the same order, so they are at the same call of the trial without a word.
class Trial
{
  public:
    /// `likely_fastest_first`: at least one; the same on all processes. `calls_per_candidate`: the first `not_measured`
    /// of them do not count, since they allocate, learn sizes, and wait for late processes.
    explicit Trial(std::vector<Choice> likely_fastest_first, std::size_t calls_per_candidate = 5,
                   std::size_t not_measured = 1);

    /// A trial that was decided before. `seconds`: of each candidate on the slowest process. `winner`: the index of the
    /// fastest.
    Trial(std::vector<Choice> likely_fastest_first, const std::vector<double>& seconds, std::size_t winner);

    /// True if every candidate has had its calls, so that the next one needs conclude().
    bool exhausted() const noexcept;

    /// The candidate for the call that now begins on all processes. Requires: not exhausted, not decided.
    const Choice& next_candidate() noexcept;

    /// The call of the last next_candidate() is complete on this process after so many seconds.
    void note(double seconds) noexcept { note(calls_ - 1, seconds); }

    /// Call number `call`, counted from 0, is complete on this process after so many seconds.
    void note(std::size_t call, double seconds) noexcept;

    /// The number of calls of next_candidate(), and of those left out by leave_if_hopeless().
    std::size_t calls() const noexcept { return calls_; }

    /// The last measured time that leave_if_hopeless() has not heard of; 0 if there is none. Unit: ns.
    std::int64_t last_nanoseconds() const noexcept { return last_nanoseconds_; }

    /// Leaves out the other calls of the candidate if its last one took over a tenth of a second, and ten times as long
    /// as the fastest of the trial. `slowest`: last_nanoseconds() of the slowest process. Local; all come to the same.
    void leave_if_hopeless(std::int64_t slowest) noexcept;

    /// The time that counts for a candidate: its fastest call; the average without the longest call, which may have
    /// been disturbed; the median.
    enum class Counts { fastest, average, median };

    /// The time of each candidate's calls on this process. Units: ns; the largest number if none is measured.
    std::vector<std::int64_t> nanoseconds(Counts counts = Counts::fastest) const;

    /// Picks the fastest. `agreed`: begins with the value of nanoseconds() on the slowest process for each candidate.
    /// Local; every process picks the same.
    void conclude(const std::vector<std::int64_t>& agreed, Surroundings surroundings);

    bool decided() const noexcept { return winner_.has_value(); }

    /// True if the trial still takes calls: until it is decided, and again from begin_again() until conclude().
    bool in_progress() const noexcept { return !decided() || again_; }

    /// Once decided: it will be due after a while, each time after a longer one. Noise may have influenced the result,
    /// and the load of the machine changes. `calls`: the number of calls of the processes so far. Local.
    void rest(std::uint64_t calls) noexcept;

    /// It will never be due: not all processes know the same of it.
    void keep_for_good() noexcept { due_at_ = never; }

    /// True if it is time to try the near-fastest candidates once more.
    bool is_due(std::uint64_t calls) const noexcept { return !in_progress() && calls >= due_at_; }

    /// Begins anew with these; best() stays the same meanwhile. With more processes than cores the new measurement adds
    /// to the old one, on several nodes with twice as many calls. Requires: it is due.
    void begin_again();

    /// The fastest; before it is known, the likely fastest.
    const Choice& best() const noexcept { return candidates_[winner()].choice; }
    std::size_t winner() const noexcept { return winner_.value_or(0); }

    struct Candidate {
        Choice choice;
        std::vector<double> measured; // seconds of each call so far on this process
        double seconds = 0.0;         // on the slowest process, agreed
    };
    const std::vector<Candidate>& candidates() const noexcept { return candidates_; }

  private:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    void keep(std::size_t winner);
    std::vector<std::size_t> near_the_fastest() const;

    std::vector<Candidate> candidates_;
    std::size_t calls_per_candidate_;
    std::size_t not_measured_;       // calls of these that do not count
    std::vector<std::size_t> tried_; // now, by their place among the candidates
    std::optional<std::size_t> winner_;
    std::size_t calls_ = 0; // calls that are tried
    std::int64_t last_nanoseconds_ = 0;
    std::int64_t least_nanoseconds_ = std::numeric_limits<std::int64_t>::max(); // of a call of the slowest process
    bool again_ = false;                                                        // in progress
    bool tried_again_ = false;                                                  // ever
    Surroundings where_{};                                                      // at the last conclude()
    std::uint64_t due_at_ = never;
    std::uint64_t pause_ = 64; // until it is due. Unit: calls
};

/// The calls at which the processes of a communicator agree on a collective: every call of a trial, else a call now and
/// then, by the number of calls alone. Only there can they begin a trial for a size class: a process that wrongly
/// passes another size must not be the only one to wait for an agreement.
struct Agreements {
    Trial* trial = nullptr;               // in progress
    const Trial* last_of_ours = nullptr;  // that was decided, for another algorithm than native
    std::size_t high = 0;                 // high end of its size class
    std::uint64_t calls = 0;              // blocking calls so far
    std::uint64_t trial_calls = 0;        // since it began
    std::uint64_t next_call = first_call; // the next one with an agreement
    std::uint64_t pause = 0;              // calls between the last agreement and the next

    static constexpr std::uint64_t first_call = 11; // many graphs are used but a few times; trials take calls, too
    static constexpr std::uint64_t first_call_at_once = 3; // if the program is known to make many calls
    static constexpr std::uint64_t longest_pause = 512;
    static constexpr std::uint64_t most_trial_calls = 200;

    /// Sets next_call once the trial, if any, is over: soon after a trial, then less and less often.
    void adjourn() noexcept;

    /// Sets it after an agreement: the next call, as long as there is a trial that does not take too long, since the
    /// program makes other calls.
    void go_on() noexcept;
};

/// A trial of nonblocking calls. Several may be in flight; each is complete some time after it began. The average time
/// of a candidate's calls counts: if several are in flight, the first to be waited for may take the time of all.
class LateTrial
{
  public:
    /// `likely_fastest_first`: as of Trial. `measured`: calls of each, at least two; twice as many come before them,
    /// since calls take many exchanges in turn, and each must have begun before its time says something.
    LateTrial(std::vector<Choice> likely_fastest_first, std::size_t measured)
        : trial_(std::move(likely_fastest_first), 3 * measured, 2 * measured)
    {
    }

    /// True if every candidate has had its calls.
    bool exhausted() const noexcept { return trial_.exhausted(); }

    /// The number of the call that now begins, and its candidate. Requires: not exhausted.
    std::size_t calls() const noexcept { return trial_.calls(); }
    const Choice& next_candidate() noexcept { return trial_.next_candidate(); }

    /// A call is complete after so many seconds.
    void note(std::size_t call, double seconds) noexcept
    {
        trial_.note(call, seconds);
        ++noted_;
    }

    /// True if all calls that have begun are complete.
    bool all_complete() const noexcept { return noted_ == calls(); }

    /// Like Trial::nanoseconds. Requires: exhausted and complete.
    std::vector<std::int64_t> nanoseconds() const { return trial_.nanoseconds(Trial::Counts::average); }

    /// Like Trial::conclude.
    void conclude(const std::vector<std::int64_t>& agreed, Surroundings surroundings)
    {
        trial_.conclude(agreed, surroundings);
    }
    const Trial& trial() const noexcept { return trial_; }

  private:
    Trial trial_;
    std::size_t noted_ = 0; // calls
};

} // namespace hopscotch::schedules
