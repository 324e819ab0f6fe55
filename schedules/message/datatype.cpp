// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A datatype as its constructors say it, flattened into runs of bytes in the order of its type map.
#include "schedules/message/datatype.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// Collects runs. Its functions return false once there are too many.
class Flattener
{
  public:
    explicit Flattener(std::size_t most_runs) : most_runs_(most_runs) {}

    bool add(const DataType& type, std::ptrdiff_t base);
    std::vector<ByteRun> take() { return std::move(runs_); }

  private:
    bool add_elements(const DataType& type, std::ptrdiff_t base, std::ptrdiff_t count);
    bool add_strided(const DataType& type, std::ptrdiff_t base);
    bool add_subarray(const DataType& type, std::ptrdiff_t base);
    bool add_run(std::ptrdiff_t offset, std::size_t length);

    std::size_t most_runs_;
    std::size_t bytes_ = 0;
    std::vector<ByteRun> runs_;
};

bool Flattener::add_run(std::ptrdiff_t offset, std::size_t length)
{
    if (length == 0)
        return true;
    bytes_ += length;
    if (!runs_.empty()) {
        ByteRun& last = runs_.back();
        if (last.offset + static_cast<std::ptrdiff_t>(last.length) == offset) {
            last.length += length;
            return true;
        }
    }
    if (runs_.size() == most_runs_)
        return false;
    runs_.push_back({offset, length});
    return true;
}

bool Flattener::add_elements(const DataType& type, std::ptrdiff_t base, std::ptrdiff_t count)
{
    if (type.kind == DataType::Kind::bytes && type.extent == static_cast<std::ptrdiff_t>(type.bytes))
        return add_run(base, static_cast<std::size_t>(count) * type.bytes);
    const std::size_t before = bytes_;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        if (!add(type, base + i * type.extent))
            return false;
        if (bytes_ == before)
            return true; // no data in this one, so none in the others
    }
    return true;
}

bool Flattener::add_strided(const DataType& type, std::ptrdiff_t base)
{
    const std::size_t before = bytes_;
    for (std::ptrdiff_t i = 0; i < type.count; ++i) {
        if (!add_elements(type.inner.front(), base + i * type.stride, type.length))
            return false;
        if (bytes_ == before)
            return true;
    }
    return true;
}

/// MPI 4.0, 5.1.3.
bool Flattener::add_subarray(const DataType& type, std::ptrdiff_t base)
{
    const DataType& element = type.inner.front();
    const std::size_t d = type.sizes.size();
    std::vector<std::ptrdiff_t> stride(d); // bytes of one step, slowest dimension first
    std::vector<std::ptrdiff_t> extent(d); // extents of the subarray
    std::ptrdiff_t step = element.extent;
    for (std::size_t place = d; place-- > 0;) {
        const std::size_t k = type.last_varies_fastest ? place : d - 1 - place;
        extent[place] = type.subsizes[k];
        stride[place] = step;
        base += type.starts[k] * step;
        step *= type.sizes[k];
        if (extent[place] == 0)
            return true;
    }
    std::vector<std::ptrdiff_t> at(d, 0);
    const std::size_t before = bytes_;
    while (true) {
        std::ptrdiff_t offset = base;
        for (std::size_t place = 0; place + 1 < d; ++place)
            offset += at[place] * stride[place];
        if (!add_elements(element, offset, extent.back()))
            return false;
        if (bytes_ == before)
            return true;
        std::size_t place = d - 1;
        while (place > 0 && ++at[place - 1] == extent[place - 1])
            at[--place] = 0;
        if (place == 0)
            return true;
    }
}

bool Flattener::add(const DataType& type, std::ptrdiff_t base)
{
    switch (type.kind) {
    case DataType::Kind::bytes:
        return add_run(base, type.bytes);
    case DataType::Kind::strided:
        return add_strided(type, base);
    case DataType::Kind::blocks:
        for (const ElementBlock& part : type.parts)
            if (!add_elements(type.inner[part.inner], base + part.offset, part.count))
                return false;
        return true;
    case DataType::Kind::subarray:
        return add_subarray(type, base);
    }
    return false;
}

} // namespace

std::optional<std::vector<ByteRun>> flatten(const DataType& type, std::size_t most_runs)
{
    Flattener flattener(most_runs);
    if (!flattener.add(type, 0))
        return std::nullopt;
    return flattener.take();
}

ElementPieces pieces_of(const std::vector<ByteRun>& runs)
{
    ElementPieces element;
    if (runs.empty())
        return element;
    element.lowest = element.highest = runs.front().offset;
    for (const ByteRun& run : runs) {
        element.lowest = std::min(element.lowest, run.offset);
        element.highest = std::max(element.highest, run.offset + static_cast<std::ptrdiff_t>(run.length));
    }
    for (const ByteRun& run : runs)
        append(element.pieces, static_cast<std::size_t>(run.offset - element.lowest), run.length);
    return element;
}

} // namespace hopscotch::schedules
