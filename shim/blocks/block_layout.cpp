// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Describes the blocks of one buffer argument: the plain, v and w forms, int and large counts, as one.
#include "shim/blocks/block_layout.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <type_traits>

namespace hopscotch::shim
{

namespace
{

// The arguments that the MPI library checks even if there is no data to be sent or received. A call goes to it only if
// it surely fails: if one process alone called it with success, that process would wait for its neighbors, and they for
// it.
#ifdef OPEN_MPI
constexpr bool looks_at_buffers = false;
constexpr bool looks_at_type_of_nothing = true; // in regular forms
constexpr bool looks_at_type_of_nobody = false; // in v forms, without neighbors
#else
constexpr bool looks_at_buffers = true;
constexpr bool looks_at_type_of_nothing = false;
constexpr bool looks_at_type_of_nobody = true;
#endif

/// The arguments that are compared. If the buffer is null, some blocks must not have data.
enum ComparedForm : int { v_form, w_form, w_form_nowhere };

/// Data at address 0 is invalid, unless the type has an offset from there.
void demand_buffer(const void* buffer, const TypeMap& map)
{
    if (looks_at_buffers)
        demand_argument(buffer != nullptr || map.size == 0 || map.lowest_offset != 0, MPI_ERR_BUFFER);
}

template <class Count, class Displacement>
void demand_buffer_of_blocks(const Count* counts, const Displacement* displacements, const TypeMap& map, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i)
        if (counts[i] > 0 && displacements[i] == 0)
            demand_buffer(nullptr, map);
}

/// The blocks of a w form, every type looked up. `nowhere`: the buffer is null.
template <class Count>
std::shared_ptr<const BlockList> list_of(bool nowhere, const Count* counts, const MPI_Aint* displacements,
                                         const MPI_Datatype* types, std::size_t n)
{
    auto list = std::make_shared<BlockList>();
    list->blocks.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (counts[i] == 0) {
            list->blocks.emplace_back(); // its type may be anything
            continue;
        }
        demand_argument(counts[i] > 0, MPI_ERR_COUNT);
        list->maps.push_back(type_map(types[i]));
        const TypeMap& map = *list->maps.back();
        if (nowhere && displacements[i] == 0)
            demand_buffer(nullptr, map);
        list->append(block_at(nullptr, displacements[i], counts[i], map));
    }
    return list;
}

} // namespace

BlockLayout BlockLayout::regular(const void* buffer, MPI_Count count, MPI_Datatype type)
{
    BlockLayout layout = single(buffer, count, type);
    if (count > 0)
        layout.stride_ = static_cast<MPI_Aint>(count) * layout.map_->extent;
    return layout;
}

BlockLayout BlockLayout::single(const void* buffer, MPI_Count count, MPI_Datatype type)
{
    BlockLayout layout;
    demand_argument(count >= 0, MPI_ERR_COUNT);
    if (count == 0 && !looks_at_type_of_nothing)
        return layout; // for any type
    layout.map_ = type_map(type);
    if (count > 0)
        demand_buffer(buffer, *layout.map_);
    layout.uniform_ = block_at(buffer, 0, count, *layout.map_);
    return layout;
}

template <class Count, class Displacement>
BlockLayout BlockLayout::varying(const void* buffer, const Count* counts, const Displacement* displacements,
                                 MPI_Datatype type, std::size_t n)
{
    demand_argument(n == 0 || (counts != nullptr && displacements != nullptr), MPI_ERR_ARG);
    BlockLayout layout;
    if (n == 0 && !looks_at_type_of_nobody)
        return layout;
    layout.map_ = type_map(type);
    layout.uniform_ = block_at(buffer, 0, 0, *layout.map_);
    layout.form_ = std::is_same_v<Count, int> ? Form::of_ints : Form::of_large_counts;
    layout.counts_ = counts;
    layout.displacements_ = displacements;
    layout.size_ = static_cast<int>(n);
    std::size_t largest = 0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, static_cast<std::size_t>(counts[i]));
    demand_argument(static_cast<MPI_Count>(largest) >= 0, MPI_ERR_COUNT); // a negative count is a very large one
    if (buffer == nullptr)
        demand_buffer_of_blocks(counts, displacements, *layout.map_, n);
    layout.uniform_.count = static_cast<MPI_Count>(largest);
    return layout;
}

void BlockLayout::keep(KeptBlocks& kept)
{
    if (form_ == Form::uniform || form_ == Form::listed)
        return;
    const bool ints = form_ == Form::of_ints;
    const TypeMap* const map = map_.get();
    const auto size = static_cast<std::size_t>(size_);
    const schedules::ArgumentArrays arguments{v_form,
                                              {{{counts_, size * (ints ? sizeof(int) : sizeof(MPI_Count))},
                                                {displacements_, size * (ints ? sizeof(int) : sizeof(MPI_Aint))},
                                                {&map, sizeof map}}}};
    set_list(kept.find_or_make(arguments, [this] {
        auto list = std::make_shared<BlockList>();
        list->maps.push_back(map_);
        list->blocks.reserve(static_cast<std::size_t>(size_));
        for (int i = 0; i < size_; ++i) {
            Block block = (*this)[i];
            block.address = moved(block.address, -reinterpret_cast<std::ptrdiff_t>(uniform_.address));
            list->append(block);
        }
        return list;
    }));
}

template <class Count>
BlockLayout BlockLayout::general(const void* buffer, const Count* counts, const MPI_Aint* displacements,
                                 const MPI_Datatype* types, std::size_t n, KeptBlocks* kept)
{
    demand_argument(n == 0 || (counts != nullptr && displacements != nullptr && types != nullptr), MPI_ERR_ARG);
    const schedules::ArgumentArrays arguments{
        buffer == nullptr ? w_form_nowhere : w_form,
        {{{counts, n * sizeof(Count)}, {displacements, n * sizeof(MPI_Aint)}, {types, n * sizeof(MPI_Datatype)}}}};
    const auto make = [=] { return list_of(buffer == nullptr, counts, displacements, types, n); };
    BlockLayout layout;
    layout.uniform_.address = moved(buffer, 0);
    layout.set_list(kept != nullptr ? kept->find_or_make(arguments, make) : make());
    return layout;
}

BlockLayout BlockLayout::at(const std::vector<char*>& addresses) const
{
    auto list = std::make_shared<BlockList>();
    if (list_ != nullptr)
        list->maps = list_->maps;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        Block block = (*this)[static_cast<int>(i)];
        block.address = addresses[i];
        list->append(block);
    }
    BlockLayout layout = *this;
    layout.uniform_.address = nullptr;
    layout.set_list(std::move(list));
    return layout;
}

schedules::AddressRange range_of(const Block& block) noexcept
{
    if (block.bytes == 0)
        return {};
    const auto first = reinterpret_cast<MPI_Aint>(block.address);
    const MPI_Aint last = first + static_cast<MPI_Aint>(block.count - 1) * block.type->extent;
    return {static_cast<std::size_t>(std::min(first, last) + block.type->lowest_offset),
            static_cast<std::size_t>(std::max(first, last) + block.type->highest_offset)};
}

template BlockLayout BlockLayout::varying(const void*, const int*, const int*, MPI_Datatype, std::size_t);
template BlockLayout BlockLayout::varying(const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, std::size_t);
template BlockLayout BlockLayout::general(const void*, const int*, const MPI_Aint*, const MPI_Datatype*, std::size_t,
                                          KeptBlocks*);
template BlockLayout BlockLayout::general(const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*,
                                          std::size_t, KeptBlocks*);

} // namespace hopscotch::shim
