// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the record of a communicator: its neighborhood, its life, and the algorithms of its calls.
#include "shim/call/communicator.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

Communicator::Communicator(MPI_Comm comm, Detected detected, const Settings& settings, std::uint64_t setup_ticks)
    : detected_(std::move(detected)), setup_ticks_(setup_ticks), exchanges_(comm, detected_),
      selection_(detected_, settings, exchanges_), watchdog_(detected_)
{
    const std::vector<int>& destinations = graph().edges.destinations;
    has_destinations_ =
        std::any_of(destinations.begin(), destinations.end(), [](int rank) { return rank != schedules::no_rank; });
}

Communicator::~Communicator()
{
    if (kept_handler_ != MPI_ERRHANDLER_NULL)
        next.MPI_Errhandler_free(&kept_handler_);
    note_end(detected_.site, use());
}

void Communicator::note_lasting_use_once() noexcept
{
    is_lasting_ = true;
    hopscotch::shim::note_lasting_use(detected_.site);
}

Use Communicator::use() const noexcept
{
    std::uint64_t calls = rented_calls_;
    for (std::size_t i = 0; i < collective_count; ++i)
        calls += selection_.calls(static_cast<Collective>(i), Completion::blocking);
    if (is_lasting_ || calls > few_calls)
        return Use::lasting;
    return calls > 0 ? Use::brief : Use::none;
}

void Communicator::set_up_now()
{
    const std::uint64_t begin = ticks();
    const std::unique_ptr<Proposal> set_up_later = std::move(detected_.set_up_later);
    try {
        hopscotch::shim::set_up(detected_, *set_up_later, selection_.settings());
    } catch (const NoMemory&) {
        end_without_memory("prepare a communicator"); // the others count on this process
    } catch (const MpiError& error) {
        CollectiveConsensus(set_up_later->comm).all_have_done(false);
        leave_to_library(detected_, schedules::reason::not_set_up);
        log(LogLevel::warn, "a communicator could not be set up (MPI error " + std::to_string(error.code) +
                                "): the MPI library carries its calls");
    }
    selection_.choose_anew();
    setup_ticks_ += ticks() - begin;
}

void Communicator::note_use() const noexcept
{
    hopscotch::shim::note_use(detected_.site);
}

int Communicator::run(SelectionEntry& entry, Collective collective, const Layouts& blocks)
{
    Exchange& exchange = *entry.exchange;
    exchange.begin(blocks.send, blocks.receive);
    WaitInCall so_far;
    wait(exchange, detected_.group->yields(), [&] {
        watchdog_.look(entry.call, so_far, [&] {
            return last_call(collective, Completion::blocking, entry.choice.algorithm,
                             block_bytes(blocks.send, blocks.receive));
        });
    });
    return exchange.error();
}

std::optional<NumberedCall> Communicator::last_call(Collective collective, Completion completion, Algorithm algorithm,
                                                    std::size_t block_bytes) const noexcept
{
    if (!is_regular(collective))
        return std::nullopt;
    const auto index = static_cast<std::size_t>(collective);
    const bool blocks = completion == Completion::blocking;
    const std::uint64_t large =
        !blocks && exchanges_.is_large(collective, algorithm, block_bytes) ? schedules::with_large_blocks : 0;
    return NumberedCall{blocks ? index : collective_count + index, selection_.calls(collective, completion),
                        static_cast<std::uint64_t>(algorithm) | large, block_bytes};
}

const std::vector<int>& Communicator::sources(Collective collective)
{
    if (collective != Collective::global_allgather)
        return graph().edges.sources;
    if (everyone_.empty())
        everyone_ = schedules::edges_to_everyone(graph().ranks, graph().edges.rank).sources;
    return everyone_;
}

const schedules::Reason& Communicator::reason() const noexcept
{
    return graph().is_ready() ? graph().declined : graph().native_reason;
}

void Communicator::note_freed(MPI_Comm comm) noexcept
{
    if (next.MPI_Comm_get_errhandler(comm, &kept_handler_) != MPI_SUCCESS)
        kept_handler_ = MPI_ERRHANDLER_NULL;
    is_freed_ = true;
}

void Communicator::raise_after_free(const char* function, int code)
{
    if (detected_.group == nullptr || kept_handler_ == MPI_ERRHANDLER_NULL)
        return;
    // Other graphs share it. Recursive, since the program's handler may complete a request that fails, too.
    static auto* const one_at_a_time = new std::recursive_mutex;
    const std::lock_guard<std::recursive_mutex> lock(*one_at_a_time);
    const MPI_Comm ours = detected_.group->communicator();
    next.MPI_Comm_set_errhandler(ours, kept_handler_);
    const auto put_back = [ours](MPI_Errhandler*) { next.MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN); };
    const std::unique_ptr<MPI_Errhandler, decltype(put_back)> puts_back(&kept_handler_, put_back);
    raise_error(ours, function, code);
}

void Communicator::release() noexcept
{
    selection_.release();
    watchdog_.release();
    exchanges_.release();
    detected_.staging.reset();
    detected_.segment.reset();
    detected_.group.reset();
}

} // namespace hopscotch::shim
