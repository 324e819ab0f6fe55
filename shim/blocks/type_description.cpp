// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the constructors of an MPI datatype from the library, as a list of types.
#include "shim/blocks/type_description.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

namespace hopscotch::shim
{

namespace
{

using schedules::DataType;

/// If a type has more types inside, MPI_Pack does the work.
constexpr std::size_t most_types = 1 << 14;

/// The most arguments of all constructors of a type together: at most 50 MB at a time.
constexpr MPI_Count most_arguments = 1 << 20;

/// A library that makes a new type for an inner one takes as much time as for so many arguments.
constexpr MPI_Count arguments_per_new_type = 16;

MPI_Count size_of(MPI_Datatype datatype)
{
    MPI_Count size = 0;
    check(next.MPI_Type_size_x(datatype, &size));
    return size;
}

/// The arguments of a constructor, which is not a predefined type.
class Contents
{
  public:
    Contents(MPI_Datatype datatype, const Envelope& of) : envelope(of)
    {
        // One more of each: never a null pointer.
        std::vector<int> integers(static_cast<std::size_t>(envelope.integers) + 1);
        std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses) + 1);
        std::vector<MPI_Count> large_counts(static_cast<std::size_t>(envelope.large_counts) + 1);
        numbers.reserve(integers.size() + addresses.size() + large_counts.size());
        types.reserve(static_cast<std::size_t>(envelope.types) + 1);
        types.resize(static_cast<std::size_t>(envelope.types), MPI_DATATYPE_NULL);
        if (next.MPI_Type_get_contents_c != nullptr)
            check(next.MPI_Type_get_contents_c(datatype, envelope.integers, envelope.addresses, envelope.large_counts,
                                               envelope.types, integers.data(), addresses.data(), large_counts.data(),
                                               types.data()));
        else
            check(next.MPI_Type_get_contents(datatype, static_cast<int>(envelope.integers),
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
            MPI_Datatype last = MPI_DATATYPE_NULL;
            bool is_predefined = true;
            for (MPI_Datatype type : types) {
                if (type != last)
                    is_predefined = envelope_of(type).predefined();
                last = type;
                if (!is_predefined)
                    next.MPI_Type_free(&type);
            }
        } catch (const MpiError&) {
            // One that nobody will free.
        }
    }

    Envelope envelope;
    std::vector<MPI_Count> numbers; // integers, addresses, large counts: alike for constructors of both kinds
    std::vector<MPI_Datatype> types;
};

/// True if the library returns the handles that the types were made with. The outer type then keeps them valid, and
/// equal handles are one type. MPICH does; Open MPI makes a new type for each.
bool returns_used_handles()
{
    static const bool result = [] {
        MPI_Datatype inner = MPI_DATATYPE_NULL;
        MPI_Datatype outer = MPI_DATATYPE_NULL;
        check(next.MPI_Type_create_hvector(1, 1, 0, MPI_INT, &inner));
        check(next.MPI_Type_create_hvector(1, 1, 0, inner, &outer));
        const bool is_same = Contents(outer, envelope_of(outer)).types.front() == inner;
        next.MPI_Type_free(&outer);
        next.MPI_Type_free(&inner);
        return is_same;
    }();
    return result;
}

/// MPI_DOUBLE_INT and its like have a gap inside or at the end that only the library knows: nothing.
std::optional<DataType> described_predefined(MPI_Datatype datatype)
{
    const MPI_Count size = size_of(datatype);
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(next.MPI_Type_get_true_extent(datatype, &lower, &extent));
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

/// `count` blocks, `offset(i)` and `length(i)` of each; of the first inner type, or of one each. Without empty ones.
template <class Offset, class Length>
DataType blocks(MPI_Count count, bool of_one_type, Offset&& offset, Length&& length)
{
    DataType type;
    type.kind = DataType::Kind::blocks;
    type.parts.reserve(static_cast<std::size_t>(count));
    for (MPI_Count i = 0; i < count; ++i)
        if (length(i) > 0)
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

/// The constructor with the places of its inner types among its arguments. Nothing if it is not known here.
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

/// Reads a type and those inside it.
class TypeReader
{
  public:
    /// False: nothing.
    bool read(MPI_Datatype datatype);

    std::vector<DataType> types;

  private:
    /// A constructor whose inner types are being read.
    struct Level {
        MPI_Datatype datatype;
        std::unique_ptr<Contents> contents;
        DataType type;
        std::size_t next_part = 0; // the first that has no place of its inner type
    };

    bool begin(MPI_Datatype datatype);
    bool begin_constructor(MPI_Datatype datatype, const Envelope& envelope);
    bool go_on(Level& level);
    void end_level();
    void add(MPI_Datatype datatype, DataType&& type, bool is_known_again);

    std::vector<Level> levels_; // from the outermost to the innermost
    std::unordered_map<std::uintptr_t, std::size_t> places_;
    MPI_Datatype last_ = MPI_DATATYPE_NULL; // the type that was added last, or found again
    std::size_t last_place_ = 0;
    std::size_t constructors_ = 0;
    MPI_Count arguments_ = 0;
};

void TypeReader::add(MPI_Datatype datatype, DataType&& type, bool is_known_again)
{
    type.extent = extent_of(datatype);
    last_ = datatype;
    last_place_ = types.size();
    types.push_back(std::move(type));
    if (is_known_again)
        places_.emplace(number_of(datatype), last_place_);
}

bool TypeReader::begin(MPI_Datatype datatype)
{
    const Envelope envelope = envelope_of(datatype);
    if (size_of(datatype) == 0) {
        add(datatype, DataType(), envelope.predefined() || returns_used_handles());
        return true;
    }
    if (!envelope.predefined())
        return begin_constructor(datatype, envelope);
    std::optional<DataType> type = described_predefined(datatype);
    if (type.has_value())
        add(datatype, std::move(*type), true);
    return type.has_value();
}

bool TypeReader::begin_constructor(MPI_Datatype datatype, const Envelope& envelope)
{
    arguments_ += envelope.integers + envelope.addresses + envelope.large_counts +
                  envelope.types * (returns_used_handles() ? 1 : arguments_per_new_type);
    if (++constructors_ > most_types || arguments_ > most_arguments)
        return false;
    auto contents = std::make_unique<Contents>(datatype, envelope);
    std::optional<DataType> type = described_constructor(*contents);
    if (!type.has_value())
        return false;
    contents->numbers = {};
    levels_.push_back({datatype, std::move(contents), std::move(*type)});
    return true;
}

/// Reads the next inner type of a constructor, or ends the constructor.
bool TypeReader::go_on(Level& level)
{
    const bool has_parts = level.type.kind == DataType::Kind::blocks;
    const std::size_t part_count = has_parts ? level.type.parts.size() : 1;
    for (; level.next_part < part_count; ++level.next_part) {
        std::size_t& inner = has_parts ? level.type.parts[level.next_part].inner : level.type.inner;
        const MPI_Datatype datatype = level.contents->types[inner];
        if (datatype != last_) {
            const auto found = places_.find(number_of(datatype));
            if (found == places_.end())
                return begin(datatype); // this part is next again
            last_ = datatype;
            last_place_ = found->second;
        }
        inner = last_place_;
    }
    end_level();
    return true;
}

void TypeReader::end_level()
{
    Level level = std::move(levels_.back());
    levels_.pop_back();
    last_ = MPI_DATATYPE_NULL;
    level.contents.reset(); // its handles may become those of other types
    add(level.datatype, std::move(level.type), returns_used_handles());
}

bool TypeReader::read(MPI_Datatype datatype)
{
    bool known = begin(datatype);
    while (known && !levels_.empty())
        known = go_on(levels_.back());
    return known;
}

} // namespace

std::optional<std::vector<DataType>> description_of(MPI_Datatype datatype)
{
    TypeReader reader;
    if (!reader.read(datatype))
        return std::nullopt;
    return std::move(reader.types);
}

MPI_Aint extent_of(MPI_Datatype datatype)
{
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(next.MPI_Type_get_extent(datatype, &lower, &extent));
    return extent;
}

} // namespace hopscotch::shim
