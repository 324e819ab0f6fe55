// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Flattens an MPI datatype once into byte runs, and remembers them as an attribute of the datatype.
#include "shim/blocks/datatype.hpp"

#include "shim/base/immortal.hpp"
#include "shim/blocks/type_description.hpp"
#include "shim/group/proof.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// More runs than this in one element and MPI_Pack does the work.
constexpr std::size_t most_runs = 1 << 16;

using MapPointer = std::shared_ptr<const TypeMap>;

std::unique_ptr<TypeMap> make_map(MPI_Datatype datatype)
{
    auto map = std::make_unique<TypeMap>();
    MPI_Count size = 0;
    check(next.MPI_Type_size_x(datatype, &size));
    map->size = static_cast<std::size_t>(size);
    map->extent = extent_of(datatype);
    const auto types = description_of(datatype);
    const auto runs = types.has_value() ? schedules::flatten(*types, most_runs) : std::nullopt;
    map->flat = runs.has_value();
    if (!map->flat) {
        MPI_Aint true_extent = 0;
        check(next.MPI_Type_get_true_extent(datatype, &map->lowest_offset, &true_extent));
        map->highest_offset = map->lowest_offset + true_extent;
        return map;
    }
    schedules::ElementPieces element = schedules::pieces_of(*runs);
    map->lowest_offset = element.lowest;
    map->highest_offset = element.highest;
    map->one_run = element.one_run();
    map->contiguous = (map->size == 0 || map->one_run) && map->extent == static_cast<MPI_Aint>(map->size);
    map->pieces = std::move(element.pieces);
    return map;
}

/// A map of its own for each call with a type that is not flat, since the user may free the type while an operation
/// uses it. If the map were kept with the type, its duplicate of the type would keep the type alive, and the type the
/// map.
[[gnu::noinline]] MapPointer with_datatype(const TypeMap& known, MPI_Datatype datatype)
{
    auto map = std::make_shared<TypeMap>();
    map->size = known.size;
    map->extent = known.extent;
    map->lowest_offset = known.lowest_offset;
    map->highest_offset = known.highest_offset;
    const int one = 1;
    const MPI_Aint begin = -TypeMap::distance;
    check(next.MPI_Type_create_hindexed(1, &one, &begin, datatype, &map->datatype));
    check(next.MPI_Type_commit(&map->datatype));
    return map;
}

std::atomic<std::uint64_t> maps_deleted{0};

int delete_map(MPI_Datatype, int, void* value, void*)
{
    ++maps_deleted;
    delete static_cast<MapPointer*>(value);
    return MPI_SUCCESS;
}

struct PredefinedMaps {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, MapPointer> maps;
};

int map_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.MPI_Type_create_keyval(copy_nothing, delete_map, &created, nullptr));
        return created;
    }();
    return keyval;
}

/// Never deleted, so that no use has to be counted.
const MapPointer& predefined_map(MPI_Datatype datatype)
{
    PredefinedMaps& known = immortal<PredefinedMaps>();
    const std::lock_guard<std::mutex> lock(known.mutex);
    MapPointer& map = known.maps[number_of(datatype)];
    if (map == nullptr)
        map = {MapPointer(), make_map(datatype).release()};
    return map;
}

/// The map kept as the type's attribute.
const MapPointer& attached_map(MPI_Datatype datatype)
{
    static std::mutex mutex; // two threads may meet a type for the first time
    const std::lock_guard<std::mutex> lock(mutex);
    void* value = nullptr;
    int found = 0;
    check(next.MPI_Type_get_attr(datatype, map_keyval(), &value, &found));
    if (found == 0) {
        auto pointer = std::make_unique<MapPointer>(make_map(datatype));
        check(next.MPI_Type_set_attr(datatype, map_keyval(), pointer.get()));
        value = pointer.release();
    }
    return *static_cast<MapPointer*>(value);
}

/// A type that a thread has used: its handle is right, and it stays committed as long as it lives.
struct UsedType {
    MPI_Datatype datatype;
    const MapPointer* map; // null: none
    bool predefined;
    std::uint64_t gone; // types_gone before it was looked up
};

[[gnu::noinline]] UsedType look_up(MPI_Datatype datatype)
{
    UsedType used{};
    used.datatype = datatype;
    used.gone = types_gone();
    demand_argument(is_usable(datatype), MPI_ERR_TYPE);
    used.predefined = envelope_of(datatype).combiner == MPI_COMBINER_NAMED;
    used.map = used.predefined ? &predefined_map(datatype) : &attached_map(datatype);
    return used;
}

[[gnu::hot]] inline const UsedType& used_type(MPI_Datatype datatype)
{
    constexpr unsigned bits = 2;
    thread_local std::array<UsedType, 1u << bits> used_types;
    UsedType& used = used_types[hash_of_handle<bits>(datatype)];
    const bool sound =
        used.map != nullptr && used.datatype == datatype && (used.predefined || used.gone == types_gone());
    if (!sound)
        used = look_up(datatype);
    return used;
}

} // namespace

TypeMap::~TypeMap()
{
    if (datatype != MPI_DATATYPE_NULL && mpi_goes_on())
        next.MPI_Type_free(&datatype);
}

MapPointer type_map(MPI_Datatype datatype)
{
    const MapPointer& map = *used_type(datatype).map;
    return map->flat ? map : with_datatype(*map, datatype);
}

std::uint64_t types_gone() noexcept
{
    return maps_deleted;
}

bool is_predefined(MPI_Datatype datatype)
{
    return used_type(datatype).predefined;
}

MPI_Aint proven_extent(MPI_Datatype datatype)
{
    return (*used_type(datatype).map)->extent;
}

} // namespace hopscotch::shim
