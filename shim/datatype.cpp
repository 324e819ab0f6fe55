// An MPI datatype flattened once into byte runs, remembered as an attribute of the datatype.
#include "shim/datatype.hpp"

#include "shim/mpi_error.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

namespace hopscotch::shim
{

namespace
{

/// More runs than this in one element and MPI_Pack does the work.
constexpr std::size_t most_runs = 1 << 16;

using MapPointer = std::shared_ptr<const TypeMap>;

/// Collects runs in type-map order; neighbors that touch are joined.
class Flattener
{
  public:
    /// False when the type cannot be flattened.
    bool add(MPI_Datatype datatype, MPI_Aint base);
    std::vector<ByteRun> take() { return std::move(runs_); }

  private:
    bool add_run(MPI_Datatype datatype, MPI_Aint base, MPI_Aint count);
    bool add_contents(MPI_Datatype datatype, MPI_Aint base, int combiner, const int* integers,
                      const MPI_Aint* addresses, const MPI_Datatype* types);
    bool add_subarray(MPI_Datatype element, MPI_Aint base, const int* integers);
    bool add_one(MPI_Aint offset, std::size_t length);

    std::vector<ByteRun> runs_;
};

MPI_Aint extent_of(MPI_Datatype datatype)
{
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(next.Type_get_extent(datatype, &lower, &extent));
    return extent;
}

bool Flattener::add_one(MPI_Aint offset, std::size_t length)
{
    if (length == 0)
        return true;
    if (!runs_.empty()) {
        ByteRun& last = runs_.back();
        if (last.offset + static_cast<MPI_Aint>(last.length) == offset) {
            last.length += length;
            return true;
        }
    }
    if (runs_.size() == most_runs)
        return false;
    runs_.push_back({offset, length});
    return true;
}

bool Flattener::add_run(MPI_Datatype datatype, MPI_Aint base, MPI_Aint count)
{
    const MPI_Aint extent = extent_of(datatype);
    for (MPI_Aint i = 0; i < count; ++i)
        if (!add(datatype, base + i * extent))
            return false;
    return true;
}

/// MPI 4.0, 5.1.3: integers are ndims, sizes, subsizes, starts, order.
bool Flattener::add_subarray(MPI_Datatype element, MPI_Aint base, const int* integers)
{
    const int d = integers[0];
    const int* sizes = integers + 1;
    const int* subsizes = sizes + d;
    const int* starts = subsizes + d;
    const bool c_order = integers[1 + 3 * d] == MPI_ORDER_C;
    const MPI_Aint extent = extent_of(element);

    std::vector<MPI_Aint> stride(static_cast<std::size_t>(d)); // bytes of one step, slowest dimension first
    std::vector<int> which(static_cast<std::size_t>(d));       // the dimension at that place
    MPI_Aint step = extent;
    for (int place = d - 1; place >= 0; --place) {
        const int k = c_order ? place : d - 1 - place;
        which[static_cast<std::size_t>(place)] = k;
        stride[static_cast<std::size_t>(place)] = step;
        step *= sizes[k];
        base += starts[k] * stride[static_cast<std::size_t>(place)];
        if (subsizes[k] == 0)
            return true;
    }
    std::vector<int> at(static_cast<std::size_t>(d), 0);
    while (true) {
        MPI_Aint offset = base;
        for (std::size_t place = 0; place + 1 < at.size(); ++place)
            offset += at[place] * stride[place];
        if (!add_run(element, offset, subsizes[which.back()]))
            return false;
        std::size_t place = at.size() - 1;
        while (place > 0 && ++at[place - 1] == subsizes[which[place - 1]])
            at[--place] = 0;
        if (place == 0)
            return true;
    }
}

bool Flattener::add_contents(MPI_Datatype, MPI_Aint base, int combiner, const int* integers, const MPI_Aint* addresses,
                             const MPI_Datatype* types)
{
    switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return add(types[0], base);
    case MPI_COMBINER_CONTIGUOUS:
        return add_run(types[0], base, integers[0]);
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
        const MPI_Aint stride = combiner == MPI_COMBINER_HVECTOR ? addresses[0] : integers[2] * extent_of(types[0]);
        for (MPI_Aint i = 0; i < integers[0]; ++i)
            if (!add_run(types[0], base + i * stride, integers[1]))
                return false;
        return true;
    }
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED: {
        const int n = integers[0];
        const MPI_Aint unit = combiner == MPI_COMBINER_INDEXED ? extent_of(types[0]) : 0;
        for (int i = 0; i < n; ++i) {
            const MPI_Aint offset = combiner == MPI_COMBINER_INDEXED ? integers[1 + n + i] * unit : addresses[i];
            if (!add_run(types[0], base + offset, integers[1 + i]))
                return false;
        }
        return true;
    }
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: {
        const int n = integers[0];
        const MPI_Aint unit = combiner == MPI_COMBINER_INDEXED_BLOCK ? extent_of(types[0]) : 0;
        for (int i = 0; i < n; ++i) {
            const MPI_Aint offset = combiner == MPI_COMBINER_INDEXED_BLOCK ? integers[2 + i] * unit : addresses[i];
            if (!add_run(types[0], base + offset, integers[1]))
                return false;
        }
        return true;
    }
    case MPI_COMBINER_STRUCT:
        for (int i = 0; i < integers[0]; ++i)
            if (!add_run(types[i], base + addresses[i], integers[1 + i]))
                return false;
        return true;
    case MPI_COMBINER_SUBARRAY:
        return add_subarray(types[0], base, integers);
    default:
        return false;
    }
}

bool Flattener::add(MPI_Datatype datatype, MPI_Aint base)
{
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    check(next.Type_get_envelope(datatype, &integers, &addresses, &types, &combiner));
    if (combiner == MPI_COMBINER_NAMED) {
        MPI_Count size = 0;
        check(next.Type_size_x(datatype, &size));
        // MPI_DOUBLE_INT and its like have a gap inside or at the end that only the library knows.
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        check(next.Type_get_true_extent(datatype, &lower, &extent));
        return size == extent && lower == 0 && add_one(base, static_cast<std::size_t>(size));
    }
    if (combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
        combiner == MPI_COMBINER_F90_INTEGER) {
        MPI_Count size = 0;
        check(next.Type_size_x(datatype, &size));
        return extent_of(datatype) == size && add_one(base, static_cast<std::size_t>(size));
    }
    std::vector<int> integer_values(static_cast<std::size_t>(integers) + 1);
    std::vector<MPI_Aint> address_values(static_cast<std::size_t>(addresses) + 1);
    std::vector<MPI_Datatype> type_values(static_cast<std::size_t>(types) + 1);
    check(next.Type_get_contents(datatype, integers, addresses, types, integer_values.data(), address_values.data(),
                                 type_values.data()));
    const bool added =
        add_contents(datatype, base, combiner, integer_values.data(), address_values.data(), type_values.data());
    for (int i = 0; i < types; ++i) {
        int inner[3];
        int inner_combiner = 0;
        MPI_Datatype& type = type_values[static_cast<std::size_t>(i)];
        check(next.Type_get_envelope(type, &inner[0], &inner[1], &inner[2], &inner_combiner));
        const bool predefined = inner_combiner == MPI_COMBINER_NAMED || inner_combiner == MPI_COMBINER_F90_REAL ||
                                inner_combiner == MPI_COMBINER_F90_COMPLEX ||
                                inner_combiner == MPI_COMBINER_F90_INTEGER;
        if (!predefined)
            check(next.Type_free(&type)); // MPI 4.0, 5.1.13: get_contents returns new references
    }
    return added;
}

MapPointer make_map(MPI_Datatype datatype)
{
    auto map = std::make_shared<TypeMap>();
    MPI_Count size = 0;
    check(next.Type_size_x(datatype, &size));
    map->size = static_cast<std::size_t>(size);
    map->extent = extent_of(datatype);
    map->datatype = datatype;
    Flattener flattener;
    map->flat = flattener.add(datatype, 0);
    if (map->flat) {
        map->runs = flattener.take();
        static std::atomic<std::uint64_t> maps{0};
        map->id = ++maps;
        if (!map->runs.empty())
            map->first_offset = map->lowest_offset = map->highest_offset = map->runs.front().offset;
        for (const ByteRun& run : map->runs) {
            map->lowest_offset = std::min(map->lowest_offset, run.offset);
            map->highest_offset = std::max(map->highest_offset, run.offset + static_cast<MPI_Aint>(run.length));
        }
        map->contiguous = map->runs.size() <= 1 && map->extent == static_cast<MPI_Aint>(map->size);
    }
    return map;
}

/// A map of its own for each call with a type that is not flat. It holds a duplicate, since the user may free the type
/// while an operation uses it. Kept with the type the duplicate would keep the type alive, and the type the duplicate.
MapPointer with_duplicate(const TypeMap& known, MPI_Datatype datatype)
{
    auto map = std::make_shared<TypeMap>();
    map->size = known.size;
    map->extent = known.extent;
    check(next.Type_dup(datatype, &map->datatype));
    map->owns_datatype = true;
    return map;
}

/// For one call, from the map kept as the type's attribute.
MapPointer shared_map(void* attribute, MPI_Datatype datatype)
{
    const MapPointer& map = *static_cast<MapPointer*>(attribute);
    return map->flat ? map : with_duplicate(*map, datatype);
}

int delete_map(MPI_Datatype, int, void* value, void*)
{
    delete static_cast<MapPointer*>(value);
    return MPI_SUCCESS;
}

bool is_predefined(MPI_Datatype datatype)
{
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    check(next.Type_get_envelope(datatype, &integers, &addresses, &types, &combiner));
    return combiner == MPI_COMBINER_NAMED;
}

struct PredefinedMaps {
    std::mutex mutex;
    std::unordered_map<std::size_t, MapPointer> maps;
};

PredefinedMaps& predefined_maps()
{
    static auto* maps = new PredefinedMaps; // never destroyed: MPI may be called after our destructors would run
    return *maps;
}

int map_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.Type_create_keyval(copy_nothing, delete_map, &created, nullptr));
        return created;
    }();
    return keyval;
}

} // namespace

TypeMap::~TypeMap()
{
    int finalized = 0;
    if (owns_datatype && next.Finalized(&finalized) == MPI_SUCCESS && finalized == 0)
        next.Type_free(&datatype);
}

MapPointer type_map(MPI_Datatype datatype)
{
    // The few types a program keeps using are found without asking MPI; only predefined ones, whose handles never
    // change.
    thread_local MPI_Datatype recent_type = MPI_DATATYPE_NULL;
    thread_local MapPointer recent_map;
    if (datatype == recent_type && recent_map != nullptr)
        return recent_map;

    if (is_predefined(datatype)) {
        PredefinedMaps& known = predefined_maps();
        const std::lock_guard<std::mutex> lock(known.mutex);
        MapPointer& map = known.maps[(std::size_t)datatype]; // an int in MPICH, a pointer in Open MPI
        if (map == nullptr)
            map = make_map(datatype);
        recent_type = datatype;
        recent_map = {MapPointer(), map.get()}; // never deleted, so nobody needs to count who uses it
        return recent_map;
    }
    void* value = nullptr;
    int found = 0;
    check(next.Type_get_attr(datatype, map_keyval(), &value, &found));
    if (found == 0) {
        static std::mutex mutex; // two threads may meet a type for the first time
        const std::lock_guard<std::mutex> lock(mutex);
        check(next.Type_get_attr(datatype, map_keyval(), &value, &found));
        if (found != 0)
            return shared_map(value, datatype);
        auto pointer = std::make_unique<MapPointer>(make_map(datatype));
        check(next.Type_set_attr(datatype, map_keyval(), pointer.get()));
        value = pointer.release();
    }
    return shared_map(value, datatype);
}

} // namespace hopscotch::shim
