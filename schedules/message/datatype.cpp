// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/datatype.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Runs = std::vector<ByteRun>;

constexpr std::size_t most_copied = std::size_t{1} << 22; // runs

/// Flattens types, inner ones first. Functions that return bool return false if there is too much to do.
class Flattener
{
  public:
    Flattener(const std::vector<DataType>& types, std::size_t most_runs)
        : types_(types), flat_(types.size()), most_runs_(most_runs)
    {
    }

    bool flatten_all();
    Runs take_last() { return std::move(flat_.back().runs); }

  private:
    struct Flat {
        Runs runs;
        std::size_t uses = 0; // by outer types that are still to be flattened; 0: the type has no data of the last one
    };

    void count_uses();
    bool flatten_one(const DataType& type, Runs& runs);
    bool flatten_blocks(const DataType& type, Runs& runs);
    bool flatten_subarray(const DataType& type, Runs& runs);
    bool repeat(Runs& runs, std::ptrdiff_t count, std::ptrdiff_t distance);
    bool add_elements(Runs& runs, const Runs& element, ElementBlock block, std::ptrdiff_t distance);
    bool add_run(Runs& runs, std::ptrdiff_t offset, std::size_t length);
    Runs take(std::size_t place);
    void release(std::size_t place);

    const std::vector<DataType>& types_;
    std::vector<Flat> flat_;
    std::size_t most_runs_;
    std::size_t copied_ = 0;
    std::size_t gaps_ = 0; // between the runs of each type that is kept for an outer one
};

std::size_t gaps_of(const Runs& runs)
{
    return runs.empty() ? 0 : runs.size() - 1;
}

/// The blocks of one element that hold data, as far as counts tell.
template <class Use>
void for_each_use(const DataType& type, Use&& use)
{
    const auto is_empty = [](std::ptrdiff_t size) { return size <= 0; };
    switch (type.kind) {
    case DataType::Kind::bytes:
        return;
    case DataType::Kind::strided:
        if (type.count > 0 && type.length > 0)
            use(type.inner);
        return;
    case DataType::Kind::blocks:
        for (const ElementBlock& part : type.parts)
            if (part.count > 0)
                use(part.inner);
        return;
    case DataType::Kind::subarray:
        if (std::none_of(type.subsizes.begin(), type.subsizes.end(), is_empty))
            use(type.inner);
    }
}

void Flattener::count_uses()
{
    flat_.back().uses = 1;
    for (std::size_t place = types_.size(); place-- > 0;)
        if (flat_[place].uses > 0)
            for_each_use(types_[place], [this](std::size_t inner) { ++flat_[inner].uses; });
}

bool Flattener::add_run(Runs& runs, std::ptrdiff_t offset, std::size_t length)
{
    if (++copied_ > most_copied)
        return false;
    if (length == 0)
        return true;
    if (!runs.empty()) {
        ByteRun& last = runs.back();
        if (last.offset + static_cast<std::ptrdiff_t>(last.length) == offset) {
            last.length += length;
            return true;
        }
    }
    if (runs.size() == most_runs_)
        return false;
    runs.push_back({offset, length});
    return true;
}

/// Each element adds a run at least, unless all of them are one.
bool Flattener::add_elements(Runs& runs, const Runs& element, ElementBlock block, std::ptrdiff_t distance)
{
    if (element.empty())
        return true;
    const ByteRun& first = element.front();
    if (element.size() == 1 && static_cast<std::ptrdiff_t>(first.length) == distance)
        return add_run(runs, block.offset + first.offset, first.length * static_cast<std::size_t>(block.count));
    for (std::ptrdiff_t i = 0; i < block.count; ++i)
        for (const ByteRun& run : element)
            if (!add_run(runs, block.offset + i * distance + run.offset, run.length))
                return false;
    return true;
}

bool Flattener::repeat(Runs& runs, std::ptrdiff_t count, std::ptrdiff_t distance)
{
    if (count == 1)
        return true;
    const Runs element = std::exchange(runs, {});
    return add_elements(runs, element, {0, count, 0}, distance);
}

/// MPI 4.0, 5.1.3.
bool Flattener::flatten_subarray(const DataType& type, Runs& runs)
{
    const std::size_t d = type.sizes.size();
    std::ptrdiff_t step = types_[type.inner].extent; // bytes of one step in a dimension, the fastest first
    std::ptrdiff_t base = 0;
    for (std::size_t place = 0; place < d; ++place) {
        const std::size_t k = type.last_varies_fastest ? d - 1 - place : place;
        if (!repeat(runs, type.subsizes[k], step))
            return false;
        base += type.starts[k] * step;
        step *= type.sizes[k];
    }
    for (ByteRun& run : runs)
        run.offset += base;
    return true;
}

bool Flattener::flatten_blocks(const DataType& type, Runs& runs)
{
    for (const ElementBlock& part : type.parts)
        if (part.count > 0 && !add_elements(runs, flat_[part.inner].runs, part, types_[part.inner].extent))
            return false;
    for_each_use(type, [this](std::size_t inner) { release(inner); });
    return true;
}

bool Flattener::flatten_one(const DataType& type, Runs& runs)
{
    if (type.kind == DataType::Kind::bytes)
        return add_run(runs, 0, type.bytes);
    if (type.kind == DataType::Kind::blocks)
        return flatten_blocks(type, runs);
    for_each_use(type, [&](std::size_t inner) { runs = take(inner); });
    if (type.kind == DataType::Kind::subarray)
        return flatten_subarray(type, runs);
    return repeat(runs, type.length, types_[type.inner].extent) && repeat(runs, type.count, type.stride);
}

void Flattener::release(std::size_t place)
{
    if (--flat_[place].uses > 0)
        return;
    gaps_ -= gaps_of(flat_[place].runs);
    flat_[place].runs = Runs();
}

Runs Flattener::take(std::size_t place)
{
    Runs runs = flat_[place].uses > 1 ? flat_[place].runs : Runs();
    if (flat_[place].uses == 1) {
        gaps_ -= gaps_of(flat_[place].runs);
        runs.swap(flat_[place].runs);
    }
    --flat_[place].uses;
    return runs;
}

/// Runs that are kept at one time become parts of the last type that do not overlap in its list, and the gaps between
/// the runs of each part stay. So more gaps than `most_runs` are too many.
bool Flattener::flatten_all()
{
    count_uses();
    for (std::size_t place = 0; place < types_.size(); ++place) {
        Flat& flat = flat_[place];
        if (flat.uses == 0)
            continue;
        if (!flatten_one(types_[place], flat.runs))
            return false;
        gaps_ += gaps_of(flat.runs);
        if (gaps_ >= most_runs_)
            return false;
    }
    return true;
}

} // namespace

std::optional<std::vector<ByteRun>> flatten(const std::vector<DataType>& types, std::size_t most_runs)
{
    Flattener flattener(types, most_runs);
    if (!flattener.flatten_all())
        return std::nullopt;
    return flattener.take_last();
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
