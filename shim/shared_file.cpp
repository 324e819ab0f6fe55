// A file in memory that the processes of one node map, never visible in a file system.
#include "shim/shared_file.hpp"

#include "shim/messages.hpp"
#include "shim/mpi_error.hpp"

#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

namespace
{

/// How another process of the node finds the file.
struct Address {
    std::int64_t process = 0;
    std::int64_t descriptor = -1;
};

/// The first process of the node makes the file and tells the others. Collective: over the graph.
Address agree_on_file(const Ground& ground, std::size_t bytes)
{
    const ProcessGroup& group = ground.group;
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
            start_send(group, reinterpret_cast<const char*>(&address), sizeof address, node[i], ground.tag,
                       requests[i]);
    } else {
        start_receive(group, reinterpret_cast<char*>(&address), sizeof address, node.front(), ground.tag, requests[0]);
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

std::optional<SharedFile> SharedFile::create(const Ground& ground, std::size_t bytes)
{
    const Address address = agree_on_file(ground, bytes);
    char* const base = map_file(address, bytes);
    int mapped = base != nullptr ? 1 : 0;
    check(next.Allreduce(MPI_IN_PLACE, &mapped, 1, MPI_INT, MPI_MIN, ground.comm));
    if (address.descriptor >= 0 && address.process == getpid())
        close(static_cast<int>(address.descriptor));
    if (mapped != 0)
        return SharedFile(base, bytes);
    if (base != nullptr)
        munmap(base, bytes);
    return std::nullopt;
}

SharedFile::SharedFile(SharedFile&& other) noexcept : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_)
{
}

SharedFile::~SharedFile()
{
    if (base_ != nullptr)
        munmap(base_, bytes_);
}

} // namespace hopscotch::shim
