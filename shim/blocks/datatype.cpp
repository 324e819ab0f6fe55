// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Flattens an MPI datatype once into byte runs, and remembers them as an attribute of the datatype.
#include "shim/blocks/datatype.hpp"

#include "shim/base/immortal.hpp"
#include "shim/group/proof.hpp"
#include "shim/mpi/envelope.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// More runs than this in one element and MPI_Pack does the work.
constexpr std::size_t most_runs = 1 << 16;

using schedules::DataType;
using MapPointer = std::shared_ptr<const TypeMap>;

MPI_Aint extent_of(MPI_Datatype datatype)
{
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(next.Type_get_extent(datatype, &lower, &extent));
    return extent;
}

/// The arguments of a constructor.
class Contents
{
  public:
    explicit Contents(MPI_Datatype datatype) : envelope(envelope_of(datatype))
    {
        if (envelope.predefined())
            return;
        // One more of each: never a null pointer.
        std::vector<int> integers(static_cast<std::size_t>(envelope.integers) + 1);
        std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses) + 1);
        std::vector<MPI_Count> large_counts(static_cast<std::size_t>(envelope.large_counts) + 1);
        types.reserve(static_cast<std::size_t>(envelope.types) + 1);
        types.resize(static_cast<std::size_t>(envelope.types), MPI_DATATYPE_NULL);
        if (next.Type_get_contents_c != nullptr)
            check(next.Type_get_contents_c(datatype, envelope.integers, envelope.addresses, envelope.large_counts,
                                           envelope.types, integers.data(), addresses.data(), large_counts.data(),
                                           types.data()));
        else
            check(next.Type_get_contents(datatype, static_cast<int>(envelope.integers),
                                         static_cast<int>(envelope.addresses), static_cast<int>(envelope.types),
                                         integers.data(), addresses.data(), types.data()));
        numbers.assign(integers.begin(), integers.end() - 1);
        numbers.insert(numbers.end(), addresses.begin(), addresses.end() - 1);
        numbers.insert(numbers.end(), large_counts.begin(), large_counts.end() - 1);
    }
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;
    ~Contents() // get_contents has given new references
    {
        try {
            for (MPI_Datatype& type : types)
                if (!envelope_of(type).predefined())
                    next.Type_free(&type);
        } catch (const MpiError&) {
            // One that nobody will free.
        }
    }

    Envelope envelope;
    std::vector<MPI_Count> numbers; // integers, addresses, large counts: alike for constructors of both kinds
    std::vector<MPI_Datatype> types;
};

std::optional<DataType> described(MPI_Datatype datatype);

/// MPI_DOUBLE_INT and its like have a gap inside or at the end that only the library knows: nothing.
std::optional<DataType> described_predefined(MPI_Datatype datatype)
{
    MPI_Count size = 0;
    check(next.Type_size_x(datatype, &size));
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(next.Type_get_true_extent(datatype, &lower, &extent));
    if (size != extent || lower != 0)
        return std::nullopt;
    DataType type;
    type.bytes = static_cast<std::size_t>(size);
    return type;
}

DataType strided(MPI_Aint count, MPI_Aint length, MPI_Aint stride)
{
    DataType type;
    type.kind = DataType::Kind::strided;
    type.count = count;
    type.length = length;
    type.stride = stride;
    return type;
}

/// `count` blocks, `offset(i)` and `length(i)` of each; of the first inner type, or of one each.
template <class Offset, class Length>
DataType blocks(MPI_Count count, bool of_one_type, Offset&& offset, Length&& length)
{
    DataType type;
    type.kind = DataType::Kind::blocks;
    for (MPI_Count i = 0; i < count; ++i)
        type.parts.push_back({offset(i), length(i), of_one_type ? 0 : static_cast<std::size_t>(i)});
    return type;
}

/// MPI 4.0, 5.1.3: ndims, sizes, subsizes, starts, order. Large counts come last, behind both integers.
DataType subarray(const Contents& contents)
{
    const MPI_Count* const numbers = contents.numbers.data();
    const MPI_Count d = numbers[0];
    const bool large = contents.envelope.large_counts > 0;
    const MPI_Count* const sizes = numbers + (large ? 2 : 1);
    const MPI_Count* const subsizes = sizes + d;
    const MPI_Count* const starts = subsizes + d;
    DataType type;
    type.kind = DataType::Kind::subarray;
    type.sizes.assign(sizes, subsizes);
    type.subsizes.assign(subsizes, starts);
    type.starts.assign(starts, starts + d);
    type.last_varies_fastest = numbers[large ? 1 : 1 + 3 * d] == MPI_ORDER_C;
    return type;
}

/// Its own constructor, without the types inside.
std::optional<DataType> described_constructor(const Contents& contents)
{
    const MPI_Count* const numbers = contents.numbers.data();
    const MPI_Count n = contents.numbers.empty() ? 0 : numbers[0];
    const auto unit = [&contents] { return extent_of(contents.types.front()); };
    const auto own_length = [numbers](MPI_Count i) { return numbers[1 + i]; };
    const auto one_length = [numbers](MPI_Count) { return numbers[1]; };
    switch (const int combiner = contents.envelope.combiner; combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return strided(1, 1, 0);
    case MPI_COMBINER_CONTIGUOUS:
        return strided(1, n, 0);
    case MPI_COMBINER_VECTOR:
        return strided(n, numbers[1], numbers[2] * unit());
    case MPI_COMBINER_HVECTOR:
        return strided(n, numbers[1], numbers[2]);
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT: {
        const MPI_Aint step = combiner == MPI_COMBINER_INDEXED ? unit() : 1;
        return blocks(
            n, combiner != MPI_COMBINER_STRUCT, [=](MPI_Count i) { return numbers[1 + n + i] * step; }, own_length);
    }
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: {
        const MPI_Aint step = combiner == MPI_COMBINER_INDEXED_BLOCK ? unit() : 1;
        return blocks(
            n, true, [=](MPI_Count i) { return numbers[2 + i] * step; }, one_length);
    }
    case MPI_COMBINER_SUBARRAY:
        return subarray(contents);
    default:
        return std::nullopt;
    }
}

/// Nothing if the type contains a constructor that is not described here.
std::optional<DataType> described(MPI_Datatype datatype)
{
    const Contents contents(datatype);
    std::optional<DataType> type =
        contents.envelope.predefined() ? described_predefined(datatype) : described_constructor(contents);
    if (!type.has_value())
        return std::nullopt;
    type->extent = extent_of(datatype);
    for (const MPI_Datatype inner : contents.types) {
        std::optional<DataType> part = described(inner);
        if (!part.has_value())
            return std::nullopt;
        type->inner.push_back(std::move(*part));
    }
    return type;
}

std::unique_ptr<TypeMap> make_map(MPI_Datatype datatype)
{
    auto map = std::make_unique<TypeMap>();
    MPI_Count size = 0;
    check(next.Type_size_x(datatype, &size));
    map->size = static_cast<std::size_t>(size);
    map->extent = extent_of(datatype);
    const std::optional<DataType> type = described(datatype);
    const auto runs = type.has_value() ? schedules::flatten(*type, most_runs) : std::nullopt;
    map->flat = runs.has_value();
    if (!map->flat) {
        MPI_Aint true_extent = 0;
        check(next.Type_get_true_extent(datatype, &map->lowest_offset, &true_extent));
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
    check(next.Type_create_hindexed(1, &one, &begin, datatype, &map->datatype));
    check(next.Type_commit(&map->datatype));
    return map;
}

/// Runs of bytes, those that are too long for an int in parts.
MPI_Datatype indexed_bytes(const std::vector<schedules::Pieces>& pieces)
{
    constexpr std::size_t longest = 1 << 30;
    std::vector<int> lengths;
    std::vector<MPI_Aint> offsets;
    for (const schedules::Pieces& entry : pieces)
        for (std::size_t i = 0; i < entry.count; ++i)
            for (std::size_t done = 0; done < entry.length; done += longest) {
                lengths.push_back(static_cast<int>(std::min(longest, entry.length - done)));
                offsets.push_back(static_cast<MPI_Aint>(entry.offset + i * entry.stride + done));
            }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(next.Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), offsets.data(), MPI_BYTE, &type));
    return type;
}

MPI_Datatype strided_bytes(const schedules::Pieces& pieces)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(next.Type_create_hvector(static_cast<int>(pieces.count), static_cast<int>(pieces.length),
                                   static_cast<MPI_Aint>(pieces.stride), MPI_BYTE, &type));
    return type;
}

MPI_Datatype make_type_of_bytes(const TypeMap& map)
{
    const bool one_stride = map.pieces.size() == 1 && map.pieces.front().length <= INT_MAX;
    MPI_Datatype runs = one_stride ? strided_bytes(map.pieces.front()) : indexed_bytes(map.pieces);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int code = next.Type_create_resized(runs, 0, map.extent, &type);
    next.Type_free(&runs);
    check(code);
    check(next.Type_commit(&type));
    return type;
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
        check(next.Type_create_keyval(copy_nothing, delete_map, &created, nullptr));
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
    check(next.Type_get_attr(datatype, map_keyval(), &value, &found));
    if (found == 0) {
        auto pointer = std::make_unique<MapPointer>(make_map(datatype));
        check(next.Type_set_attr(datatype, map_keyval(), pointer.get()));
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
    for (MPI_Datatype* const type : {&datatype, &of_bytes})
        if (*type != MPI_DATATYPE_NULL && mpi_goes_on())
            next.Type_free(type);
}

std::size_t TypeMap::bytes_of_a_run() const noexcept
{
    std::size_t runs = 0;
    for (const schedules::Pieces& entry : pieces)
        runs += entry.count;
    return size / runs;
}

void release_types() noexcept
{
    PredefinedMaps& known = immortal<PredefinedMaps>();
    const std::lock_guard<std::mutex> lock(known.mutex);
    for (const auto& [datatype, map] : known.maps)
        if (map->of_bytes != MPI_DATATYPE_NULL)
            next.Type_free(&map->of_bytes);
}

MapPointer type_map(MPI_Datatype datatype)
{
    const MapPointer& map = *used_type(datatype).map;
    return map->flat ? map : with_datatype(*map, datatype);
}

MPI_Datatype type_of_bytes(const TypeMap& map)
{
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    if (map.of_bytes == MPI_DATATYPE_NULL)
        map.of_bytes = make_type_of_bytes(map);
    return map.of_bytes;
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
