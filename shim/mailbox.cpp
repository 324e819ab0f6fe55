// Messages between processes of one node through memory: each process has two mailboxes of its own per kind of
// exchange.
#include "shim/mailbox.hpp"

#include "schedules/topology.hpp"
#include "shim/claim.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace hopscotch::shim
{

using schedules::Round;

namespace
{

constexpr std::size_t most_entries = 1024;
constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

bool Mailbox::usable(const schedules::Schedule& schedule)
{
    std::set<int> receivers;
    std::size_t messages = 0;
    for (const auto& phase : schedule.phases)
        for (const Round& round : phase.rounds)
            if (round.destination != schedules::no_rank) {
                receivers.insert(round.destination);
                ++messages;
            }
    return schedule.phases.size() <= static_cast<std::size_t>(doorbell_phases) && messages <= most_entries &&
           messages == receivers.size();
}

Mailbox::Mailbox(std::shared_ptr<Segment> segment, int kind, const ProcessGroup& group,
                 const schedules::Schedule& schedule)
    : segment_(std::move(segment)), own_index_(static_cast<std::uint32_t>(group.node_index(group.rank()))),
      control_(&segment_->mailbox_control(static_cast<int>(own_index_), kind)), senders_(schedule.phases.size(), 0)
{
    for (std::size_t which = 0; which < buffers_per_stream; ++which)
        boxes_[which] = segment_->mailbox(static_cast<int>(own_index_), kind, which);
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
        for (const Round& round : schedule.phases[phase].rounds) {
            phases_.push_back(phase);
            outgoing_.emplace_back();
            incoming_.emplace_back();
            const int to = round.destination == schedules::no_rank ? -1 : group.node_index(round.destination);
            const int from = round.source == schedules::no_rank ? -1 : group.node_index(round.source);
            if (to >= 0) {
                outgoing_.back() = {&segment_->mailbox_control(to, kind), static_cast<std::uint32_t>(to), entries_++};
                readers_.push_back(&outgoing_.back().bells->readings);
            }
            if (from >= 0) {
                for (std::size_t which = 0; which < buffers_per_stream; ++which)
                    incoming_.back().boxes[which] = segment_->mailbox(from, kind, which);
                ++senders_[phase];
            }
        }
    }
}

void Mailbox::begin_call() noexcept
{
    ++turn_;
    used_ = aligned(most_entries * sizeof(Entry));
}

bool Mailbox::ready() const noexcept
{
    if (is_first_use(turn_))
        return true;
    const std::uint32_t needed = word_of(turn_ - buffers_per_stream);
    return std::all_of(readers_.begin(), readers_.end(), [this, needed](const Readings* reader) {
        return reader->done[which()].load(std::memory_order_acquire) == needed; // nobody can be further
    });
}

char* Mailbox::room(std::size_t r, std::size_t bytes) noexcept
{
    const Outgoing& outgoing = outgoing_[r];
    char* const box = boxes_[which()];
    const bool fits = bytes <= mailbox_bytes - used_;
    const Entry entry{outgoing.receiver, fits ? 1u : 0u, used_, bytes};
    std::memcpy(box + outgoing.entry * sizeof entry, &entry, sizeof entry);
    if (!fits)
        return nullptr;
    char* const room = box + used_;
    claim(room, bytes);
    used_ = std::min(mailbox_bytes, aligned(used_ + bytes));
    return room;
}

void Mailbox::ring(std::size_t r) noexcept
{
    Doorbell& bell = outgoing_[r].bells->bells[which()][phases_[r]];
    const std::uint32_t rung = bell.rung.fetch_add(1, std::memory_order_seq_cst) + 1;
    if (bell.awaited.load(std::memory_order_seq_cst) == rung)
        wake(bell.rung);
}

bool Mailbox::all_rung(std::size_t phase) const noexcept
{
    const std::uint32_t rung = control_->bells[which()][phase].rung.load(std::memory_order_acquire);
    return static_cast<std::int32_t>(rung - expected(phase)) >= 0;
}

Mailbox::Entry Mailbox::read_entry(const Incoming& incoming) const noexcept
{
    Entry entry;
    std::memcpy(&entry, incoming.boxes[which()] + incoming.entry * sizeof entry, sizeof entry);
    return entry;
}

Mailbox::Letter Mailbox::letter(std::size_t r) noexcept
{
    Incoming& incoming = incoming_[r];
    Entry entry = read_entry(incoming);
    if (entry.receiver != own_index_ || entry.offset < aligned(most_entries * sizeof(Entry))) {
        for (incoming.entry = 0; incoming.entry + 1 < most_entries; ++incoming.entry) {
            entry = read_entry(incoming);
            if (entry.receiver == own_index_ && entry.offset != 0)
                break;
        }
    }
    const bool sound =
        entry.in_memory == 1 && entry.offset <= mailbox_bytes && entry.bytes <= mailbox_bytes - entry.offset;
    return {sound ? incoming.boxes[which()] + entry.offset : nullptr, static_cast<std::size_t>(entry.bytes)};
}

void Mailbox::finish_call() noexcept
{
    control_->readings.done[which()].store(word_of(turn_), std::memory_order_release);
}

void Mailbox::sleep(std::size_t phase) noexcept
{
    Doorbell& bell = control_->bells[which()][phase];
    bell.awaited.store(expected(phase), std::memory_order_seq_cst);
    const std::uint32_t rung = bell.rung.load(std::memory_order_seq_cst);
    if (static_cast<std::int32_t>(rung - expected(phase)) < 0)
        sleep_while(bell.rung, rung);
    bell.awaited.store(0, std::memory_order_relaxed);
}

} // namespace hopscotch::shim
