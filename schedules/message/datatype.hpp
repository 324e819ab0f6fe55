// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A datatype as its constructors say it, flattened into runs of bytes in the order of its type map.
#pragma once

#include "schedules/message/pieces.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// `length` bytes at `offset` from the address of an element.
struct ByteRun {
    std::ptrdiff_t offset = 0;
    std::size_t length = 0;
};

/// Elements of an inner type, one extent after the other.
struct ElementBlock {
    std::ptrdiff_t offset = 0; // bytes from the address of the outer element
    std::ptrdiff_t count = 0;
    std::size_t inner = 0; // place of the inner type in the list
};

/// One constructor (MPI 4.0, 5.1.2 and 5.1.3). It names the types it was applied to by their places in a list of types,
/// so that a type which several others contain is described once.
struct DataType {
    enum class Kind {
        bytes,    // `bytes` of them, no gap
        strided,  // `count` blocks of `length` elements of the inner type, `stride` bytes apart
        blocks,   // the blocks of `parts`, in their order
        subarray, // a subarray of an array of the inner type
    };
    Kind kind = Kind::bytes;
    std::ptrdiff_t extent = 0; // bytes from one element of this type to the next
    std::size_t bytes = 0;
    std::ptrdiff_t count = 0;
    std::ptrdiff_t length = 0;
    std::ptrdiff_t stride = 0;
    std::vector<ElementBlock> parts;
    std::vector<std::ptrdiff_t> sizes; // sizes of the array; the three have one length, at least 1
    std::vector<std::ptrdiff_t> subsizes;
    std::vector<std::ptrdiff_t> starts;
    bool last_varies_fastest = true; // MPI_ORDER_C; else the first, MPI_ORDER_FORTRAN
    std::size_t inner = 0;           // place of the inner type in the list; blocks have it in `parts`
};

/// The runs of an element of the last type; those that touch are joined. Nothing if there are more than `most_runs`, or
/// if it takes too long to find them.
/// Requires: each type stands behind its inner types.
/// Cost: no recursion; memory for `most_runs` runs and one more per type; about 4 million runs are copied at most.
std::optional<std::vector<ByteRun>> flatten(const std::vector<DataType>& types, std::size_t most_runs);

/// The runs of an element as pieces; their offsets count from the lowest byte.
struct ElementPieces {
    std::ptrdiff_t lowest = 0; // all data lies in [lowest, highest)
    std::ptrdiff_t highest = 0;
    std::vector<Pieces> pieces;

    bool one_run() const noexcept { return pieces.size() == 1 && pieces.front().count == 1; }
};
ElementPieces pieces_of(const std::vector<ByteRun>& runs);

} // namespace hopscotch::schedules
