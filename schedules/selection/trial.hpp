// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in turn for `auto`, keeps the fastest, and says when the processes of a communicator talk about it.
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

/// Where the processes of a communicator run. The same on all of them.
struct Surroundings {
    bool one_node;
    bool crowded; // more processes than cores

    /// Whether a call waits for cores as well as for a network: then few calls are as fast as the fastest, and an
    /// algorithm of several phases is so most rarely.
    bool scatters() const noexcept { return crowded && !one_node; }
};

/// One collective, one size class: a few calls by each candidate, then the fastest. All processes of the communicator
/// make these calls in the same order, so they are at the same call of the trial without a word.
class Trial
{
  public:
    /// `likely_fastest_first`: at least one; the same on all processes. `calls_per_candidate`: of which the first ones
    /// are not measured: they allocate, learn sizes, and take up what came late.
    explicit Trial(std::vector<Choice> likely_fastest_first, std::size_t calls_per_candidate = 5,
                   std::size_t not_measured = 1);

    /// One that was decided before. `seconds`: of each candidate on the slowest process. `winner`: its place.
    Trial(std::vector<Choice> likely_fastest_first, const std::vector<double>& seconds, std::size_t winner);

    /// Whether every candidate has had its calls, so that the next one needs conclude().
    bool exhausted() const noexcept;

    /// The candidate for the call that now begins on all processes. Requires: not exhausted, not decided.
    const Choice& next_candidate() noexcept;

    /// The call for which next_candidate() was asked last is complete on this process, where it took so many seconds.
    void note(double seconds) noexcept { note(calls_ - 1, seconds); }

    /// The same of any call, counted from 0 on.
    void note(std::size_t call, double seconds) noexcept;

    /// For how many calls next_candidate() was asked.
    std::size_t calls() const noexcept { return calls_; }

    /// What counts of the calls of a candidate: the fastest; the average without the longest, for which something else
    /// may be to blame; the one in the middle.
    enum class Counts { fastest, average, median };

    /// What calls of each candidate take on this process. Units: ns; the largest number where none is measured.
    std::vector<std::int64_t> nanoseconds(Counts counts = Counts::fastest) const;

    /// Picks the fastest. `agreed`: of each candidate what nanoseconds() is on the slowest process. Local; every
    /// process picks the same.
    void conclude(const std::vector<std::int64_t>& agreed, Surroundings surroundings);

    bool decided() const noexcept { return winner_.has_value(); }

    /// Whether calls are part of it: until it is decided, and again from begin_again() until conclude().
    bool in_progress() const noexcept { return !decided() || again_; }

    /// Once decided: it will be due after a while, each time after a longer one. Noise may have had its part in it, and
    /// what else the machine does changes. `calls`: that the processes have made so far. Local.
    void rest(std::uint64_t calls) noexcept;

    /// It will never be due: not all processes know the same of it.
    void keep_for_good() noexcept { due_at_ = never; }

    /// Whether it is time to try what was near the fastest once more.
    bool is_due(std::uint64_t calls) const noexcept { return !in_progress() && calls >= due_at_; }

    /// Begins anew with that; best() stays the same meanwhile. Where times scatter it adds to what was measured, with
    /// twice as many calls. Requires: it is due.
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
    std::size_t not_measured_;       // of these
    std::vector<std::size_t> tried_; // now, by their place among the candidates
    std::optional<std::size_t> winner_;
    std::size_t calls_ = 0;    // of those that are tried
    bool again_ = false;       // in progress
    bool tried_again_ = false; // ever
    bool scatters_ = false;    // as Surroundings
    std::uint64_t due_at_ = never;
    std::uint64_t pause_ = 64; // until it is due. Unit: calls
};

/// When the processes of a communicator talk about a collective: at every call of a trial, else now and then, by the
/// number of calls so far alone. Only there they can begin a trial for a size class: a process that passes another size
/// than the others, wrongly, must not be the only one to wait for an agreement.
struct Agreements {
    Trial* trial = nullptr;               // in progress
    const Trial* last_of_ours = nullptr;  // that was decided, for another algorithm than native
    std::size_t high = 0;                 // of its size class
    std::uint64_t calls = 0;              // blocking calls so far
    std::uint64_t trial_calls = 0;        // since it began
    std::uint64_t next_call = first_call; // the next one with an agreement
    std::uint64_t pause = 0;              // calls between the last agreement and the next

    static constexpr std::uint64_t first_call = 3; // many graphs are used but once or twice
    static constexpr std::uint64_t longest_pause = 512;
    static constexpr std::uint64_t most_trial_calls = 200;

    /// Sets next_call once the trial, if any, is over: soon after a trial, then less and less often.
    void adjourn() noexcept;

    /// Sets it after an agreement: the next call, as long as there is a trial that does not take too long, since the
    /// program makes other calls.
    void go_on() noexcept;
};

/// A trial of nonblocking calls. Several may be in flight; each is complete some time after it began. Of each candidate
/// the average time of its calls counts: where several are in flight, the first that is waited for may take the time of
/// all.
class LateTrial
{
  public:
    /// `likely_fastest_first`: as of Trial. `measured`: calls of each, at least two; twice as many come before them,
    /// since calls take many exchanges in turn, and each must have begun before its time says something.
    LateTrial(std::vector<Choice> likely_fastest_first, std::size_t measured)
        : trial_(std::move(likely_fastest_first), 3 * measured, 2 * measured)
    {
    }

    /// Whether every candidate has had its calls.
    bool exhausted() const noexcept { return trial_.exhausted(); }

    /// The number of the call that now begins, and its candidate. Requires: not exhausted.
    std::size_t calls() const noexcept { return trial_.calls(); }
    const Choice& next_candidate() noexcept { return trial_.next_candidate(); }

    /// A call is complete, which took so many seconds.
    void note(std::size_t call, double seconds) noexcept
    {
        trial_.note(call, seconds);
        ++noted_;
    }

    /// Whether all calls that have begun are.
    bool all_complete() const noexcept { return noted_ == calls(); }

    /// As of Trial. Requires: exhausted and complete.
    std::vector<std::int64_t> nanoseconds() const { return trial_.nanoseconds(Trial::Counts::average); }

    /// As of Trial.
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
