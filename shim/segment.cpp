// Memory that the processes of one graph communicator on one node share: counters and double buffers.
#include "shim/segment.hpp"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t page_bytes = 4096;

/// In front of the buffers of a stream, and of the mailboxes of a kind.
constexpr std::size_t control_bytes = page_bytes;
static_assert(sizeof(Readings) + sizeof(Sleepers) <= control_bytes && sizeof(MailboxControl) <= control_bytes);

constexpr std::size_t kind_bytes = control_bytes + buffers_per_stream * mailbox_bytes;

std::size_t whole_pages(std::size_t bytes)
{
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

} // namespace

std::shared_ptr<Segment> Segment::create(const ProcessGroup& group, std::size_t buffer_bytes, int streams)
{
    const std::size_t stream_bytes = control_bytes + buffers_per_stream * whole_pages(buffer_bytes);
    const std::size_t process_bytes = static_cast<std::size_t>(streams) * stream_bytes + mailbox_kinds * kind_bytes;
    std::optional<SharedFile> file = SharedFile::create(group, group.node_ranks().size() * process_bytes);
    if (!file)
        return nullptr;
    return std::shared_ptr<Segment>(new Segment(std::move(*file), whole_pages(buffer_bytes), streams));
}

Segment::Segment(SharedFile file, std::size_t buffer_bytes, int streams)
    : file_(std::move(file)), buffer_bytes_(buffer_bytes),
      stream_bytes_(control_bytes + buffers_per_stream * buffer_bytes),
      process_bytes_(static_cast<std::size_t>(streams) * stream_bytes_ + mailbox_kinds * kind_bytes), streams_(streams)
{
}

char* Segment::at(int process, int stream) const noexcept
{
    return file_.base() + static_cast<std::size_t>(process) * process_bytes_ +
           static_cast<std::size_t>(stream) * stream_bytes_;
}

// The file begins as zeros, which is what the counters start from.
Readings& Segment::readings(int process, int stream) const noexcept
{
    return *reinterpret_cast<Readings*>(at(process, stream));
}

Sleepers& Segment::sleepers(int process, int stream) const noexcept
{
    return *reinterpret_cast<Sleepers*>(at(process, stream) + sizeof(Readings));
}

char* Segment::mailboxes(int process, int kind) const noexcept
{
    return at(process, 0) + static_cast<std::size_t>(streams_) * stream_bytes_ +
           static_cast<std::size_t>(kind) * kind_bytes;
}

MailboxControl& Segment::mailbox_control(int process, int kind) const noexcept
{
    return *reinterpret_cast<MailboxControl*>(mailboxes(process, kind));
}

char* Segment::mailbox(int process, int kind, std::size_t which) const noexcept
{
    return mailboxes(process, kind) + control_bytes + which * mailbox_bytes;
}

char* Segment::buffer(int process, int stream, std::size_t which) const noexcept
{
    return at(process, stream) + control_bytes + which * buffer_bytes_;
}

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept
{
    const timespec most{0, 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, &most, nullptr, 0);
}

void wake(std::atomic<std::uint32_t>& word) noexcept
{
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void wake_all(std::atomic<std::uint32_t>& word) noexcept
{
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace hopscotch::shim
