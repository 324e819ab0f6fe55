// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps what the shim has with a communicator: its neighborhood and its life, and what carries its calls.
#include "shim/call/communicator.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

Communicator::Communicator(MPI_Comm comm, Detected detected, const Settings& settings, std::uint64_t setup_ticks)
    : graph_(std::move(detected.graph)), group_(std::move(detected.group)), tags_(detected.tags), key_(detected.key),
      origin_(detected.origin), setup_ticks_(setup_ticks), site_(detected.site),
      set_up_later_(std::move(detected.set_up_later)), exchanges_(comm, graph_, group_, tags_),
      selection_(graph_, group_, settings, exchanges_, tags_, site_), watchdog_(*graph_, group_, tags_.watchdog())
{
    exchanges_.take_memory(std::move(detected.staging), detected.segment);
    const std::vector<int>& destinations = graph_->edges.destinations;
    has_destinations_ =
        std::any_of(destinations.begin(), destinations.end(), [](int rank) { return rank != schedules::no_rank; });
}

Communicator::~Communicator()
{
    if (kept_handler_ != MPI_ERRHANDLER_NULL)
        next.Errhandler_free(&kept_handler_);
    note_end(site_);
}

void Communicator::set_up_now()
{
    const std::uint64_t begin = ticks();
    const std::unique_ptr<Proposal> set_up_later = std::move(set_up_later_);
    Detected detected;
    detected.graph = graph_;
    detected.group = group_;
    detected.tags = tags_;
    try {
        hopscotch::shim::set_up(detected, *set_up_later, selection_.settings());
        exchanges_.take_memory(std::move(detected.staging), detected.segment);
    } catch (const std::bad_alloc&) {
        end_without_memory("prepare a communicator"); // the others count on this process
    } catch (const MpiError& error) {
        graph_->unusable = "could not be set up";
        log(LogLevel::warn, "a communicator could not be set up (MPI error " + std::to_string(error.code) +
                                "): the MPI library carries its calls");
    }
    selection_.forget_choices(); // what the library's functions have carried until now
    setup_ticks_ += ticks() - begin;
}

void Communicator::note_use() const noexcept
{
    hopscotch::shim::note_use(site_);
}

int Communicator::reference_tag(Completion completion)
{
    return completion == Completion::persistent ? exchanges_.persistent_tag() : tags_.reference();
}

std::optional<NumberedCall> Communicator::last_call(Collective collective, Completion completion, Algorithm algorithm,
                                                    std::size_t block_bytes) const noexcept
{
    if (!is_regular(collective))
        return std::nullopt;
    const auto index = static_cast<std::size_t>(collective);
    const bool blocks = completion == Completion::blocking;
    const std::uint64_t large =
        !blocks && exchanges_.is_large(collective, algorithm, block_bytes) ? with_large_blocks : 0;
    return NumberedCall{blocks ? index : collective_count + index, selection_.calls(collective, completion),
                        static_cast<std::uint64_t>(algorithm) + large, block_bytes};
}

const std::vector<int>& Communicator::sources(Collective collective)
{
    if (collective != Collective::global_allgather)
        return graph_->edges.sources;
    if (everyone_.empty())
        everyone_ = schedules::edges_to_everyone(graph_->ranks, graph_->edges.rank).sources;
    return everyone_;
}

std::string_view Communicator::reason() const noexcept
{
    return graph_->unusable.empty() ? std::string_view(graph_->declined) : graph_->unusable;
}

void Communicator::note_freed(MPI_Comm comm) noexcept
{
    if (next.Comm_get_errhandler(comm, &kept_handler_) != MPI_SUCCESS)
        kept_handler_ = MPI_ERRHANDLER_NULL;
    is_freed_ = true;
}

void Communicator::raise_after_free(int code) noexcept
{
    if (group_ == nullptr || kept_handler_ == MPI_ERRHANDLER_NULL)
        return;
    // Other graphs share it. Recursive, since the program's handler may complete a request that fails, too.
    static auto* const one_at_a_time = new std::recursive_mutex;
    const std::lock_guard<std::recursive_mutex> lock(*one_at_a_time);
    next.Comm_set_errhandler(group_->communicator(), kept_handler_);
    next.Comm_call_errhandler(group_->communicator(), code);
    next.Comm_set_errhandler(group_->communicator(), MPI_ERRORS_RETURN);
}

void Communicator::release() noexcept
{
    selection_.release();
    watchdog_.release();
    exchanges_.release();
    group_.reset();
}

} // namespace hopscotch::shim
