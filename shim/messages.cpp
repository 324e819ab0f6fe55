// The messages of a schedule's rounds, over the private communicator of a process group.
#include "shim/messages.hpp"

#include "schedules/topology.hpp"
#include "shim/mpi_error.hpp"
#include "shim/progress.hpp"
#include "shim/returned_errors.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <sched.h>

namespace hopscotch::shim
{

using schedules::Round;

namespace
{

/// Looks at an empty mailbox, each after giving the core away, before the process goes to sleep.
constexpr unsigned looks_before_sleep = 1000;

bool fits_int(std::size_t bytes)
{
    return bytes <= static_cast<std::size_t>(INT_MAX);
}

} // namespace

void start_send(const ProcessGroup& group, const char* from, std::size_t bytes, int to, int tag, MPI_Request& request)
{
    if (fits_int(bytes))
        return check(next.Isend(from, static_cast<int>(bytes), MPI_BYTE, to, tag, group.communicator(), &request));
    check(next.Isend_c == nullptr
              ? MPI_ERR_COUNT
              : next.Isend_c(from, static_cast<MPI_Count>(bytes), MPI_BYTE, to, tag, group.communicator(), &request));
}

void start_receive(const ProcessGroup& group, char* to, std::size_t bytes, int from, int tag, MPI_Request& request)
{
    if (fits_int(bytes))
        return check(next.Irecv(to, static_cast<int>(bytes), MPI_BYTE, from, tag, group.communicator(), &request));
    check(next.Irecv_c == nullptr
              ? MPI_ERR_COUNT
              : next.Irecv_c(to, static_cast<MPI_Count>(bytes), MPI_BYTE, from, tag, group.communicator(), &request));
}

std::size_t received_bytes(const MPI_Status& status)
{
    MPI_Count bytes = 0;
    check(next.Get_elements_x(&status, MPI_BYTE, &bytes));
    return static_cast<std::size_t>(bytes);
}

Messages::Messages(const schedules::Schedule& schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : group_(std::move(group)), tag_(tag)
{
    for (const auto& phase : schedule.phases) {
        first_round_.push_back(rounds_.size());
        for (const Round& round : phase.rounds)
            rounds_.push_back(&round);
    }
    first_round_.push_back(rounds_.size());
    receives_.assign(rounds_.size(), MPI_REQUEST_NULL);
    sends_.assign(rounds_.size(), MPI_REQUEST_NULL);
    statuses_.resize(rounds_.size());
    bytes_.assign(rounds_.size(), 0);
    errors_.assign(rounds_.size(), MPI_SUCCESS);
    posted_.resize(rounds_.size());
    placed_.assign(rounds_.size(), false);
}

void Messages::use_mailboxes(std::shared_ptr<Segment> segment, int kind, const schedules::Schedule& schedule)
{
    if (Mailbox::usable(schedule))
        mailbox_ = std::make_unique<Mailbox>(std::move(segment), kind, *group_, schedule);
}

void Messages::begin_call() noexcept
{
    looks_ = 0;
    placed_.assign(rounds(), false);
    if (mailbox_ != nullptr)
        mailbox_->begin_call();
}

void Messages::finish_call() noexcept
{
    if (mailbox_ != nullptr)
        mailbox_->finish_call();
}

void Messages::idle(bool yields, std::size_t phase) noexcept
{
    if (!yields)
        return;
    if (mailbox_ != nullptr && phase < phases() && looks_ > looks_before_sleep && !mailbox_->all_rung(phase))
        mailbox_->sleep(phase);
    else
        sched_yield();
}

void Messages::receive(std::size_t r, char* to, std::size_t bytes)
{
    bytes_[r] = 0;
    errors_[r] = MPI_SUCCESS;
    posted_[r] = {to, bytes, to};
    if (mailbox_ != nullptr && mailbox_->comes_in(r))
        posted_[r].at = nullptr;
    else if (rounds_[r]->source != schedules::no_rank)
        start_receive(*group_, to, bytes, rounds_[r]->source, tag_, receives_[r]);
}

char* Messages::place(std::size_t r, std::size_t bytes) noexcept
{
    if (mailbox_ == nullptr || !mailbox_->goes_out(r))
        return nullptr;
    char* const room = mailbox_->room(r, bytes);
    placed_[r] = room != nullptr;
    return room;
}

void Messages::send(std::size_t r, const char* from, std::size_t bytes)
{
    if (rounds_[r]->destination == schedules::no_rank)
        return;
    const bool through_mailbox = mailbox_ != nullptr && mailbox_->goes_out(r);
    if (through_mailbox && !placed_[r])
        if (char* const room = place(r, bytes); room != nullptr && bytes > 0)
            std::memcpy(room, from, bytes);
    if (!placed_[r])
        start_send(*group_, from, bytes, rounds_[r]->destination, tag_, sends_[r]);
    if (through_mailbox)
        mailbox_->ring(r);
}

void Messages::fetch(std::size_t r) noexcept
{
    Posted& posted = posted_[r];
    if (posted.at == nullptr || posted.at == posted.to)
        return;
    if (bytes_[r] > 0) // else there may be no address
        std::memcpy(posted.to, posted.at, bytes_[r]);
    posted.at = posted.to;
}

void Messages::note(std::size_t r, const MPI_Status& status, int code)
{
    errors_[r] = code;
    bytes_[r] = code == MPI_SUCCESS ? received_bytes(status) : 0;
}

/// One by one, after a message has failed: the others are still to come.
bool Messages::examine_each(std::size_t first, std::size_t last)
{
    bool all = true;
    for (std::size_t r = first; r < last; ++r) {
        if (receives_[r] == MPI_REQUEST_NULL)
            continue;
        int complete = 0;
        MPI_Status status;
        const int code = next.Test(&receives_[r], &complete, &status);
        if (code != MPI_SUCCESS || complete != 0)
            note(r, status, code);
        all = all && receives_[r] == MPI_REQUEST_NULL;
    }
    return all;
}

/// Whether messages through mailboxes are missing in the phase. Then MPI need not be asked,
/// but for every now and then, since a neighbor may need our progress to come here.
bool Messages::mail_missing(std::size_t phase) noexcept
{
    if (mailbox_ == nullptr)
        return false;
    if (mailbox_->all_rung(phase))
        return false;
    poll_now_and_then(looks_, group_->communicator());
    return true;
}

/// Takes note of the messages in mailboxes; one that is only announced there is received through MPI.
void Messages::open_mail(std::size_t first, std::size_t last)
{
    if (mailbox_ == nullptr)
        return;
    for (std::size_t r = first; r < last; ++r) {
        Posted& posted = posted_[r];
        if (!mailbox_->comes_in(r) || posted.at != nullptr)
            continue;
        const Mailbox::Letter letter = mailbox_->letter(r);
        posted.at = posted.to;
        if (letter.data == nullptr) {
            start_receive(*group_, posted.to, posted.bytes, rounds_[r]->source, tag_, receives_[r]);
        } else if (letter.bytes == posted.bytes) {
            posted.at = letter.data;
            bytes_[r] = letter.bytes;
        } else if (letter.bytes < posted.bytes) {
            bytes_[r] = letter.bytes;
            std::memcpy(posted.to, letter.data, letter.bytes);
        } else {
            errors_[r] = MPI_ERR_TRUNCATE;
        }
    }
}

bool Messages::arrived(std::size_t phase)
{
    const std::size_t first = first_round(phase);
    const std::size_t last = first_round(phase + 1);
    if (mail_missing(phase))
        return false;
    open_mail(first, last);
    const auto pending = [](MPI_Request request) { return request != MPI_REQUEST_NULL; };
    const auto begin = receives_.begin() + static_cast<std::ptrdiff_t>(first);
    if (mailbox_ != nullptr && std::none_of(begin, receives_.begin() + static_cast<std::ptrdiff_t>(last), pending))
        return true; // all came through mailboxes: MPI need not look
    const ReturnedErrors returned;
    const int count = static_cast<int>(last - first);
    int complete = 0;
    // Testall leaves the requests alone unless all are complete (MPI 4.0, 3.7.5), so a status is never lost.
    const int code = next.Testall(count, receives_.data() + first, &complete, statuses_.data() + first);
    if (code != MPI_SUCCESS) {
        for (std::size_t r = first; r < last; ++r)
            if (receives_[r] == MPI_REQUEST_NULL && rounds_[r]->source != schedules::no_rank && errors_[r] == 0 &&
                bytes_[r] == 0 && statuses_[r].MPI_ERROR != MPI_ERR_PENDING)
                note(r, statuses_[r], statuses_[r].MPI_ERROR);
        return examine_each(first, last);
    }
    if (complete == 0)
        return false;
    for (std::size_t r = first; r < last; ++r)
        if (rounds_[r]->source != schedules::no_rank && errors_[r] == MPI_SUCCESS && bytes_[r] == 0)
            note(r, statuses_[r], MPI_SUCCESS);
    return true;
}

bool Messages::sent(int& error)
{
    if (std::all_of(sends_.begin(), sends_.end(), [](MPI_Request request) { return request == MPI_REQUEST_NULL; }))
        return true;
    const ReturnedErrors returned;
    int complete = 0;
    const int code = next.Testall(static_cast<int>(sends_.size()), sends_.data(), &complete, MPI_STATUSES_IGNORE);
    if (code == MPI_SUCCESS)
        return complete != 0;
    error = code;
    bool all = true;
    for (MPI_Request& request : sends_) {
        if (request == MPI_REQUEST_NULL)
            continue;
        int one = 0;
        next.Test(&request, &one, MPI_STATUS_IGNORE);
        all = all && request == MPI_REQUEST_NULL;
    }
    return all;
}

} // namespace hopscotch::shim
