// Carries out a schedule whose blocks all have one size that every process knows: alltoall and allgather.
#include "shim/regular_operation.hpp"

#include "schedules/topology.hpp"
#include "shim/mpi_error.hpp"

#include <climits>
#include <sched.h>

namespace hopscotch::shim
{

using schedules::Move;
using schedules::Place;
using schedules::Round;
using schedules::Slot;

namespace
{

int as_count(std::size_t bytes)
{
    if (bytes > static_cast<std::size_t>(INT_MAX))
        throw MpiError{MPI_ERR_COUNT};
    return static_cast<int>(bytes);
}

} // namespace

void wait(Operation& operation, bool yields)
{
    while (!operation.advance())
        if (yields)
            sched_yield();
}

RegularOperation::RegularOperation(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : schedule_(std::move(schedule)), group_(std::move(group)), tag_(tag)
{
    std::vector<bool> forwarded(static_cast<std::size_t>(schedule_.arrivals), false);
    for (const auto& phase : schedule_.phases) {
        first_round_.push_back(rounds_.size());
        for (const Round& round : phase.rounds) {
            rounds_.push_back(&round);
            outgoing_offset_.push_back(volume_);
            volume_ += round.sends.size();
            for (const Slot& slot : round.sends)
                if (slot.place == Place::transit)
                    forwarded[static_cast<std::size_t>(slot.index)] = true;
        }
    }
    first_round_.push_back(rounds_.size());
    plans_.resize(rounds_.size());
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
        const Round& round = *rounds_[i];
        if (round.arrivals == 1 && round.deliveries.size() == 1 &&
            !forwarded[static_cast<std::size_t>(round.first_arrival)])
            plans_[i].direct_slot = round.deliveries.front().to.index;
    }
    receives_.assign(rounds_.size(), MPI_REQUEST_NULL);
    sends_.assign(rounds_.size(), MPI_REQUEST_NULL);
    statuses_.resize(rounds_.size());
}

void RegularOperation::reserve(std::size_t block_bytes)
{
    if (block_bytes <= capacity_ && incoming_ != nullptr)
        return;
    incoming_.reset(new char[static_cast<std::size_t>(schedule_.arrivals) * block_bytes + 1]);
    outgoing_.reset(new char[volume_ * block_bytes + 1]);
    capacity_ = block_bytes;
}

bool RegularOperation::received_in_place(std::size_t round) const
{
    const int slot = plans_[round].direct_slot;
    if (slot < 0)
        return false;
    const Block block = (*receive_)[slot];
    return block.bytes == block_bytes_ && block.contiguous();
}

void RegularOperation::post_receive(std::size_t index)
{
    const Round& round = *rounds_[index];
    if (round.source == schedules::no_rank)
        return;
    char* const to =
        received_in_place(index) ? (*receive_)[plans_[index].direct_slot].data() : arrived(round.first_arrival);
    const int bytes = as_count(static_cast<std::size_t>(round.arrivals) * block_bytes_);
    check(next.Irecv(to, bytes, MPI_BYTE, round.source, tag_, group_->communicator(), &receives_[index]));
}

void RegularOperation::begin(const BlockLayout& send, const BlockLayout& receive)
{
    send_ = &send;
    receive_ = &receive;
    block_bytes_ = send.block_bytes();
    error_ = MPI_SUCCESS;
    phase_ = 0;
    all_received_ = schedule_.phases.empty();
    if (receive.block_bytes() != block_bytes_)
        fail(MPI_ERR_TRUNCATE);
    reserve(block_bytes_);
    for (std::size_t i = 0; i < rounds_.size(); ++i)
        post_receive(i);
    if (!all_received_)
        send_phase(0);
    for (const Move& move : schedule_.copies)
        copy(send[move.from.index], receive[move.to.index]);
}

const char* RegularOperation::data_of(const Slot& slot) const
{
    if (slot.place == Place::transit)
        return arrived(slot.index);
    const Block block = (*send_)[slot.index];
    return block.contiguous() ? block.data() : nullptr;
}

void RegularOperation::send_round(const Round& round, std::size_t index)
{
    const char* from = round.sends.size() == 1 ? data_of(round.sends.front()) : nullptr;
    if (from == nullptr) {
        char* const message = outgoing_.get() + outgoing_offset_[index] * block_bytes_;
        char* to = message;
        for (const Slot& slot : round.sends) {
            if (slot.place == Place::transit) {
                Block transit;
                transit.address = arrived(slot.index);
                transit.bytes = block_bytes_;
                pack(transit, to);
            } else {
                pack((*send_)[slot.index], to);
            }
            to += block_bytes_;
        }
        from = message;
    }
    check(next.Isend(from, as_count(round.sends.size() * block_bytes_), MPI_BYTE, round.destination, tag_,
                     group_->communicator(), &sends_[index]));
}

void RegularOperation::send_phase(std::size_t phase)
{
    for (std::size_t i = first_round_[phase]; i < first_round_[phase + 1]; ++i)
        if (rounds_[i]->destination != schedules::no_rank)
            send_round(*rounds_[i], i);
}

void RegularOperation::examine(std::size_t index, const MPI_Status& status, int code)
{
    if (code != MPI_SUCCESS) {
        fail(code);
        return;
    }
    int bytes = 0;
    check(next.Get_count(&status, MPI_BYTE, &bytes));
    if (static_cast<std::size_t>(bytes) != static_cast<std::size_t>(rounds_[index]->arrivals) * block_bytes_)
        fail(MPI_ERR_TRUNCATE);
}

bool RegularOperation::receives_complete(std::size_t phase)
{
    const std::size_t first = first_round_[phase];
    const std::size_t count = first_round_[phase + 1] - first;
    int complete = 0;
    const int code =
        next.Testall(static_cast<int>(count), receives_.data() + first, &complete, statuses_.data() + first);
    if (code != MPI_SUCCESS) { // at least one failed: look at each, and keep waiting for the others
        bool all = true;
        for (std::size_t i = first; i < first + count; ++i) {
            if (receives_[i] == MPI_REQUEST_NULL)
                continue;
            all = false;
        }
        for (std::size_t i = first; i < first + count; ++i)
            fail(statuses_[i].MPI_ERROR == MPI_ERR_PENDING ? MPI_SUCCESS : statuses_[i].MPI_ERROR);
        return all;
    }
    if (complete == 0)
        return false;
    for (std::size_t i = first; i < first + count; ++i)
        if (rounds_[i]->source != schedules::no_rank)
            examine(i, statuses_[i], MPI_SUCCESS);
    return true;
}

void RegularOperation::deliver(std::size_t index)
{
    if (received_in_place(index))
        return;
    for (const Move& move : rounds_[index]->deliveries)
        unpack(arrived(move.from.index), block_bytes_, (*receive_)[move.to.index]);
}

bool RegularOperation::sends_complete()
{
    int complete = 0;
    const int code = next.Testall(static_cast<int>(sends_.size()), sends_.data(), &complete, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS)
        fail(code);
    return complete != 0 || code != MPI_SUCCESS;
}

bool RegularOperation::advance()
{
    while (!all_received_) {
        if (!receives_complete(phase_))
            return false;
        for (std::size_t i = first_round_[phase_]; i < first_round_[phase_ + 1]; ++i)
            deliver(i);
        if (++phase_ == schedule_.phases.size())
            all_received_ = true;
        else
            send_phase(phase_);
    }
    return sends_complete();
}

} // namespace hopscotch::shim
