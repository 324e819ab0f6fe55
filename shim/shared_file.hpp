// A file in memory that the processes of one node map, never visible in a file system.
#pragma once

#include "shim/process_group.hpp"

#include <cstddef>
#include <optional>

namespace hopscotch::shim
{

/// It begins as zeros, takes up memory where it is written, and is gone with the last of its processes, however they
/// end.
class SharedFile
{
  public:
    /// One file per node, of `bytes` bytes, which may differ between nodes. Collective: over the graph.
    /// Returns none on all processes when it cannot be had on one of them.
    static std::optional<SharedFile> create(const Ground& ground, std::size_t bytes);

    ~SharedFile();
    SharedFile(SharedFile&& other) noexcept;
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;

    char* base() const noexcept { return base_; }

  private:
    SharedFile(char* base, std::size_t bytes) : base_(base), bytes_(bytes) {}

    char* base_;
    std::size_t bytes_;
};

} // namespace hopscotch::shim
