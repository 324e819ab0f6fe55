// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Datatypes. The input describes the nesting of constructors. The runs of an element must be the bytes of its type map,
// in its order, written down without any short cut, and no two of them may touch.
#include "test/fuzz/targets.hpp"

#include "schedules/message/datatype.hpp"

using namespace hopscotch::schedules;
using fuzz::Bytes;
using fuzz::demand;

namespace
{

constexpr std::size_t most_bytes = 1 << 14; // of one element

using Types = std::vector<DataType>; // each behind its inner types

/// Adds a type behind those inside it. Returns its place. Now and then it is one that is there already.
std::size_t read_type(Bytes& bytes, int depth, Types& types)
{
    if (!types.empty() && bytes.below(4) == 1)
        return static_cast<std::size_t>(bytes.below(static_cast<int>(types.size())));
    DataType type;
    type.kind = static_cast<DataType::Kind>(depth == 0 ? 0 : bytes.below(4));
    const bool gap = bytes.below(2) != 0;
    if (type.kind == DataType::Kind::bytes) {
        type.bytes = static_cast<std::size_t>(bytes.below(9));
        type.extent = static_cast<std::ptrdiff_t>(type.bytes) + (gap ? bytes.below(5) : 0);
        types.push_back(type);
        return types.size() - 1;
    }
    type.extent = bytes.around_zero();
    type.inner = read_type(bytes, depth - 1, types);
    if (type.kind == DataType::Kind::strided) {
        type.count = bytes.below(5);
        type.length = bytes.below(5);
        type.stride = gap ? bytes.around_zero() : type.length * types[type.inner].extent;
    } else if (type.kind == DataType::Kind::blocks) {
        const std::size_t others[] = {type.inner, gap ? read_type(bytes, depth - 1, types) : type.inner};
        for (int count = bytes.below(5); count > 0; --count)
            type.parts.push_back({bytes.around_zero(), bytes.below(4), others[bytes.below(2)]});
    } else {
        type.last_varies_fastest = gap;
        for (int d = 1 + bytes.below(3); d > 0; --d) {
            const int size = 1 + bytes.below(5);
            const int subsize = bytes.below(size + 1);
            type.sizes.push_back(size);
            type.subsizes.push_back(subsize);
            type.starts.push_back(bytes.below(size - subsize + 1));
        }
    }
    types.push_back(type);
    return types.size() - 1;
}

/// The data bytes in an element of each type.
std::vector<std::size_t> sizes_of(const Types& types)
{
    std::vector<std::size_t> sizes;
    for (const DataType& type : types) {
        std::size_t sum = 0;
        switch (type.kind) {
        case DataType::Kind::bytes:
            sum = type.bytes;
            break;
        case DataType::Kind::strided:
            sum = static_cast<std::size_t>(type.count * type.length) * sizes[type.inner];
            break;
        case DataType::Kind::blocks:
            for (const ElementBlock& part : type.parts)
                sum += static_cast<std::size_t>(part.count) * sizes[part.inner];
            break;
        case DataType::Kind::subarray:
            sum = sizes[type.inner];
            for (const std::ptrdiff_t subsize : type.subsizes)
                sum *= static_cast<std::size_t>(subsize);
            break;
        }
        sizes.push_back(sum);
    }
    return sizes;
}

/// Writes down the offset of every byte.
class Writer
{
  public:
    explicit Writer(const Types& types) : types_(types), sizes_(sizes_of(types)) {}

    std::size_t size() const { return sizes_.back(); }
    void write_down(std::size_t place, std::ptrdiff_t base);

    std::vector<std::ptrdiff_t> offsets;

  private:
    void write_down_subarray(const DataType& type, std::ptrdiff_t base);

    void write_down(std::size_t place, std::ptrdiff_t base, std::ptrdiff_t count)
    {
        for (std::ptrdiff_t i = 0; i < count; ++i)
            write_down(place, base + i * types_[place].extent);
    }

    const Types& types_;
    std::vector<std::size_t> sizes_;
};

/// Walks over the whole array and takes the elements in the subarray.
void Writer::write_down_subarray(const DataType& type, std::ptrdiff_t base)
{
    const std::size_t d = type.sizes.size();
    std::ptrdiff_t elements = 1;
    for (const std::ptrdiff_t size : type.sizes)
        elements *= size;
    for (std::ptrdiff_t number = 0; number < elements; ++number) {
        bool inside = true;
        std::ptrdiff_t rest = number;
        for (std::size_t i = 0; i < d; ++i) {
            const std::size_t k = type.last_varies_fastest ? d - 1 - i : i; // the fastest first
            const std::ptrdiff_t at = rest % type.sizes[k] - type.starts[k];
            inside = inside && at >= 0 && at < type.subsizes[k];
            rest /= type.sizes[k];
        }
        if (inside)
            write_down(type.inner, base + number * types_[type.inner].extent);
    }
}

void Writer::write_down(std::size_t place, std::ptrdiff_t base)
{
    const DataType& type = types_[place];
    if (sizes_[place] == 0)
        return;
    switch (type.kind) {
    case DataType::Kind::bytes:
        for (std::size_t i = 0; i < type.bytes; ++i)
            offsets.push_back(base + static_cast<std::ptrdiff_t>(i));
        return;
    case DataType::Kind::strided:
        for (std::ptrdiff_t i = 0; i < type.count; ++i)
            write_down(type.inner, base + i * type.stride, type.length);
        return;
    case DataType::Kind::blocks:
        for (const ElementBlock& part : type.parts)
            write_down(part.inner, base + part.offset, part.count);
        return;
    case DataType::Kind::subarray:
        return write_down_subarray(type, base);
    }
}

} // namespace

bool try_datatype(const std::uint8_t* data, std::size_t size)
{
    constexpr int most_depth = 4;
    Bytes bytes(data, size);
    const std::size_t most_runs = bytes.below(2) != 0 ? 1 << 16 : 8;
    Types types;
    types.resize(read_type(bytes, most_depth, types) + 1); // without those behind the last
    Writer writer(types);
    if (writer.size() > most_bytes)
        return false;
    writer.write_down(types.size() - 1, 0);
    const std::vector<std::ptrdiff_t>& expected = writer.offsets;
    const auto runs = flatten(types, most_runs);
    std::vector<std::ptrdiff_t> found;
    std::size_t needed = 0; // runs
    for (std::size_t i = 0; i < expected.size(); ++i)
        needed += i == 0 || expected[i] != expected[i - 1] + 1 ? 1 : 0;
    demand(runs.has_value() == (needed <= most_runs));
    if (!runs.has_value())
        return false;
    demand(runs->size() == needed);
    for (const ByteRun& run : *runs)
        for (std::size_t i = 0; i < run.length; ++i)
            found.push_back(run.offset + static_cast<std::ptrdiff_t>(i));
    demand(found == expected);
    return true;
}
