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

constexpr std::size_t bytes_of_controls = sizeof(Readings) + sizeof(Sleepers);

std::size_t whole_pages(std::size_t bytes)
{
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

} // namespace

std::size_t Segment::Places::controls() const noexcept
{
    return whole_pages(streams * buffers_per_stream * processes * front_bytes);
}

std::size_t Segment::Places::statements() const noexcept
{
    return controls() + whole_pages(streams * processes * bytes_of_controls);
}

std::size_t Segment::Places::of_processes() const noexcept
{
    return statements() + whole_pages(buffers_per_stream * processes * sizeof(Statement));
}

std::size_t Segment::Places::process_bytes() const noexcept
{
    return streams * buffers_per_stream * buffer_bytes;
}

std::shared_ptr<Segment> Segment::create(const Ground& ground, std::size_t buffer_bytes, int streams)
{
    const Places places{ground.group.node_ranks().size(), static_cast<std::size_t>(streams), whole_pages(buffer_bytes)};
    std::optional<SharedFile> file = SharedFile::create(ground, places.end());
    if (!file)
        return nullptr;
    return std::shared_ptr<Segment>(new Segment(std::move(*file), places));
}

Segment::Segment(SharedFile file, const Places& places) : file_(std::move(file)), places_(places) {}

// The file begins as zeros, which is what the counters start from.
char* Segment::controls(int process, int stream) const noexcept
{
    const std::size_t index = static_cast<std::size_t>(stream) * places_.processes + static_cast<std::size_t>(process);
    return file_.base() + places_.controls() + index * bytes_of_controls;
}

Readings& Segment::readings(int process, int stream) const noexcept
{
    return *reinterpret_cast<Readings*>(controls(process, stream));
}

Sleepers& Segment::sleepers(int process, int stream) const noexcept
{
    return *reinterpret_cast<Sleepers*>(controls(process, stream) + sizeof(Readings));
}

Statement& Segment::statement(int process, std::size_t which) const noexcept
{
    const std::size_t index = which * places_.processes + static_cast<std::size_t>(process);
    return reinterpret_cast<Statement*>(file_.base() + places_.statements())[index];
}

char* Segment::front(int process, int stream, std::size_t which) const noexcept
{
    const std::size_t row = static_cast<std::size_t>(stream) * buffers_per_stream + which;
    return file_.base() + (row * places_.processes + static_cast<std::size_t>(process)) * front_bytes;
}

char* Segment::of_process(int process) const noexcept
{
    return file_.base() + places_.of_processes() + static_cast<std::size_t>(process) * places_.process_bytes();
}

char* Segment::buffer(int process, int stream, std::size_t which) const noexcept
{
    const std::size_t index = static_cast<std::size_t>(stream) * buffers_per_stream + which;
    return of_process(process) + index * places_.buffer_bytes;
}

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept
{
    const timespec most{0, 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, &most, nullptr, 0);
}

void wake_all(std::atomic<std::uint32_t>& word) noexcept
{
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace hopscotch::shim
