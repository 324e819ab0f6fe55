// Memory that the processes of one graph communicator on one node share: counters and double buffers.
#include "shim/segment.hpp"

#include "shim/messages.hpp"
#include "shim/mpi_error.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t page_bytes = 4096;

/// In front of the buffers of a stream, and of the mailboxes of a kind.
constexpr std::size_t control_bytes = page_bytes;
static_assert(sizeof(Arrivals) + sizeof(Readings) <= control_bytes && sizeof(MailboxControl) <= control_bytes);

constexpr std::size_t kind_bytes = control_bytes + buffers_per_stream * mailbox_bytes;

std::size_t whole_pages(std::size_t bytes)
{
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// How another process of the node finds the file.
struct Address {
    std::int64_t process = 0;
    std::int64_t descriptor = -1;
};

/// The first process of the node makes the file and tells the others. Collective: over the group.
Address agree_on_file(const ProcessGroup& group, std::size_t bytes)
{
    const std::vector<int>& node = group.node_ranks();
    Address address;
    std::vector<MPI_Request> requests(node.size(), MPI_REQUEST_NULL);
    if (group.rank() == node.front()) {
        const int descriptor = memfd_create("hopscotch", MFD_CLOEXEC);
        if (descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(bytes)) == 0)
            address = {getpid(), descriptor};
        else if (descriptor >= 0)
            close(descriptor);
        for (std::size_t i = 1; i < node.size(); ++i)
            start_send(group, reinterpret_cast<const char*>(&address), sizeof address, node[i], ProcessGroup::setup_tag,
                       requests[i]);
    } else {
        start_receive(group, reinterpret_cast<char*>(&address), sizeof address, node.front(), ProcessGroup::setup_tag,
                      requests[0]);
    }
    check(next.Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    return address;
}

char* map_file(const Address& address, std::size_t bytes)
{
    if (address.descriptor < 0)
        return nullptr;
    const bool own = address.process == getpid();
    const std::string path = "/proc/" + std::to_string(address.process) + "/fd/" + std::to_string(address.descriptor);
    const int descriptor = own ? static_cast<int>(address.descriptor) : open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return nullptr;
    void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (!own)
        close(descriptor);
    return base == MAP_FAILED ? nullptr : static_cast<char*>(base);
}

} // namespace

std::shared_ptr<Segment> Segment::create(const ProcessGroup& group, std::size_t buffer_bytes, int streams)
{
    const std::size_t stream_bytes = control_bytes + buffers_per_stream * whole_pages(buffer_bytes);
    const std::size_t process_bytes = static_cast<std::size_t>(streams) * stream_bytes + mailbox_kinds * kind_bytes;
    const std::size_t bytes = group.node_ranks().size() * process_bytes;
    const Address address = agree_on_file(group, bytes);
    char* const base = map_file(address, bytes);
    int mapped = base != nullptr ? 1 : 0;
    check(next.Allreduce(MPI_IN_PLACE, &mapped, 1, MPI_INT, MPI_MIN, group.communicator()));
    if (address.descriptor >= 0 && address.process == getpid())
        close(static_cast<int>(address.descriptor));
    if (mapped != 0)
        return std::shared_ptr<Segment>(new Segment(base, bytes, whole_pages(buffer_bytes), streams));
    if (base != nullptr)
        munmap(base, bytes);
    return nullptr;
}

Segment::Segment(char* base, std::size_t bytes, std::size_t buffer_bytes, int streams)
    : base_(base), bytes_(bytes), buffer_bytes_(buffer_bytes),
      stream_bytes_(control_bytes + buffers_per_stream * buffer_bytes),
      process_bytes_(static_cast<std::size_t>(streams) * stream_bytes_ + mailbox_kinds * kind_bytes), streams_(streams)
{
}

Segment::~Segment()
{
    munmap(base_, bytes_);
}

char* Segment::at(int process, int stream) const noexcept
{
    return base_ + static_cast<std::size_t>(process) * process_bytes_ +
           static_cast<std::size_t>(stream) * stream_bytes_;
}

// The file begins as zeros, which is what the counters start from.
Arrivals& Segment::arrivals(int process, int stream) const noexcept
{
    return *reinterpret_cast<Arrivals*>(at(process, stream));
}

Readings& Segment::readings(int process, int stream) const noexcept
{
    return *reinterpret_cast<Readings*>(at(process, stream) + sizeof(Arrivals));
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

} // namespace hopscotch::shim
