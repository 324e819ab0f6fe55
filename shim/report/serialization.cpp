// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One list of fields per record serves both directions, writing and reading.
#include "shim/report/serialization.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::uint32_t format_version = 4;

/// Appends values: integers in as few bytes as they need, a text once and then by its number.
class Writer
{
  public:
    static constexpr bool reads = false;

    explicit Writer(char kind) : bytes_("HOPS")
    {
        bytes_ += kind;
        integer(format_version);
    }

    void integer(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }
    void operator()(std::uint64_t& value) { integer(value); }
    void operator()(int& value) // negative ones interleaved with the others, so that small ones stay short
    {
        const auto wide = static_cast<std::int64_t>(value);
        integer(wide < 0 ? static_cast<std::uint64_t>(-wide) * 2 - 1 : static_cast<std::uint64_t>(wide) * 2);
    }
    void operator()(bool& value) { integer(value ? 1 : 0); }
    void operator()(double& value)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        for (int byte = 0; byte < 8; ++byte)
            bytes_ += static_cast<char>(bits >> (8 * byte) & 0xff);
    }
    void operator()(const std::string& value)
    {
        const auto [known, is_new] = texts_.emplace(value, texts_.size());
        integer(known->second);
        if (is_new) {
            integer(value.size());
            bytes_ += value;
        }
    }
    std::size_t size(std::size_t number)
    {
        integer(number);
        return number;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
    std::unordered_map<std::string, std::uint64_t> texts_;
};

/// Reads what Writer wrote.
class Reader
{
  public:
    static constexpr bool reads = true;

    Reader(std::string_view bytes, char kind) : rest_(bytes)
    {
        if (taken(4) != "HOPS" || taken(1)[0] != kind)
            throw std::invalid_argument("these bytes are no statistics of this kind");
        const std::uint64_t version = integer();
        if (version != format_version)
            throw std::invalid_argument("statistics of version " + std::to_string(version) + ", expected " +
                                        std::to_string(format_version));
    }

    std::uint64_t integer()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(taken(1)[0]);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        throw std::invalid_argument("statistics hold a number of more than 64 bits");
    }
    void operator()(std::uint64_t& value) { value = integer(); }
    void operator()(int& value)
    {
        const std::uint64_t code = integer();
        if (code / 2 > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
            throw std::invalid_argument("statistics hold a number that is too large");
        const int half = static_cast<int>(code / 2);
        value = code % 2 == 0 ? half : -half - 1;
    }
    void operator()(bool& value) { value = integer() != 0; }
    void operator()(double& value)
    {
        const std::string_view bytes = taken(8);
        std::uint64_t bits = 0;
        for (std::size_t byte = 0; byte < 8; ++byte)
            bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[byte])) << (8 * byte);
        std::memcpy(&value, &bits, sizeof value);
    }
    void operator()(std::string& value)
    {
        const std::uint64_t number = integer();
        if (number > texts_.size())
            throw std::invalid_argument("statistics refer to a text that is not there");
        if (number == texts_.size())
            texts_.push_back(taken(size(0)));
        value = texts_[static_cast<std::size_t>(number)];
    }
    /// Number of elements that follow. Each takes a byte at least: damaged bytes cannot ask for more memory than that.
    std::size_t size(std::size_t)
    {
        const std::uint64_t number = integer();
        if (number > rest_.size())
            throw std::invalid_argument("statistics are cut short");
        return static_cast<std::size_t>(number);
    }
    void expect_end() const
    {
        if (!rest_.empty())
            throw std::invalid_argument("statistics are followed by other bytes");
    }

  private:
    std::string_view taken(std::size_t size)
    {
        if (size > rest_.size())
            throw std::invalid_argument("statistics are cut short");
        const std::string_view bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return bytes;
    }

    std::string_view rest_;
    std::vector<std::string_view> texts_;
};

} // namespace

// ---- the fields of every record, in the order in which they are sent

template <typename Archive>
void fields(Archive& archive, Spread& spread)
{
    archive(spread.count_);
    archive(spread.mean_);
    archive(spread.squares_);
    archive(spread.min_);
    archive(spread.max_);
}

namespace
{

template <typename Archive>
void fields(Archive& archive, SiteCounters& site)
{
    archive(site.calls);
    archive(site.seconds);
}

template <typename Archive>
void fields(Archive& archive, SiteSummary& site)
{
    archive(site.calls);
    fields(archive, site.seconds);
}

template <typename Archive, typename Site>
void sites(Archive& archive, std::map<CallSite, Site>& values)
{
    const std::size_t number = archive.size(values.size());
    auto next = values.begin();
    for (std::size_t i = 0; i < number; ++i) {
        CallSite place;
        if constexpr (!Archive::reads)
            place = next->first;
        place.resize(archive.size(place.size()));
        for (std::string& function : place)
            archive(function);
        if constexpr (Archive::reads)
            next = values.emplace_hint(values.end(), std::move(place), Site{});
        fields(archive, next->second);
        ++next;
    }
}

template <typename Archive>
void fields(Archive& archive, OperationCounters& counters)
{
    archive(counters.calls);
    archive(counters.failed);
    archive(counters.compared);
    archive(counters.bytes);
    archive(counters.bytes_saved);
    archive(counters.messages);
    archive(counters.messages_trivial);
    archive(counters.seconds);
    sites(archive, counters.sites);
}

template <typename Archive>
void fields(Archive& archive, OperationSummary& summary)
{
    archive(summary.calls);
    archive(summary.failed);
    archive(summary.compared);
    archive(summary.bytes);
    archive(summary.bytes_saved);
    archive(summary.messages);
    archive(summary.messages_trivial);
    fields(archive, summary.seconds);
    sites(archive, summary.sites);
}

template <typename Archive>
void fields(Archive& archive, TrialRecord& trial)
{
    archive(trial.function);
    archive(trial.block_bytes_most);
    archive(trial.algorithm);
    archive(trial.seconds);
    archive(trial.chosen);
}

template <typename Archive>
void fields(Archive& archive, std::string& text)
{
    archive(text);
}

template <typename Archive>
void fields(Archive& archive, int& number)
{
    archive(number);
}

template <typename Archive, typename Element>
void list(Archive& archive, std::vector<Element>& elements)
{
    elements.resize(archive.size(elements.size()));
    for (Element& element : elements)
        fields(archive, element);
}

template <typename Archive>
void list(Archive& archive, std::vector<bool>& elements)
{
    elements.resize(archive.size(elements.size()));
    for (std::size_t i = 0; i < elements.size(); ++i) {
        bool element = elements[i];
        archive(element);
        elements[i] = element;
    }
}

template <typename Archive>
void fields(Archive& archive, GraphDescription& graph)
{
    archive(graph.key);
    archive(graph.created_by);
    archive(graph.graphs);
    list(archive, graph.call_site);
    archive(graph.ranks);
    archive(graph.out_degree_min);
    archive(graph.out_degree_max);
    archive(graph.isomorphic);
    archive(graph.declined);
    list(archive, graph.dims);
    list(archive, graph.periodic);
    archive(graph.found);
    archive(graph.stencil_name);
    archive(graph.stencil_radius);
    archive(graph.stencil_neighbors);
    list(archive, graph.offsets);
    archive(graph.rounds);
    archive(graph.volume);
    list(archive, graph.trials);
}

template <typename Archive, typename Value>
void operations(Archive& archive, std::map<OperationKey, Value>& values)
{
    const std::size_t number = archive.size(values.size());
    auto next = values.begin();
    for (std::size_t i = 0; i < number; ++i) {
        if constexpr (Archive::reads) {
            OperationKey key;
            archive(key.function);
            archive(key.algorithm);
            archive(key.reason);
            next = values.emplace_hint(values.end(), std::move(key), Value{});
        } else {
            archive(next->first.function);
            archive(next->first.algorithm);
            archive(next->first.reason);
        }
        fields(archive, next->second);
        ++next;
    }
}

template <typename Archive>
void fields(Archive& archive, GraphRecord& graph)
{
    fields(archive, static_cast<GraphDescription&>(graph));
    archive(graph.setup_seconds);
    operations(archive, graph.operations);
}

template <typename Archive>
void fields(Archive& archive, GraphSummary& graph)
{
    fields(archive, static_cast<GraphDescription&>(graph));
    fields(archive, graph.setup_seconds);
    operations(archive, graph.operations);
}

template <typename Archive>
void fields(Archive& archive, ProcessRecords& records)
{
    list(archive, records.graphs);
}

template <typename Archive>
void fields(Archive& archive, Report& report)
{
    archive(report.processes);
    fields(archive, report.seconds);
    fields(archive, report.setup_seconds);
    const std::size_t number = archive.size(report.graphs.size());
    auto next = report.graphs.begin();
    for (std::size_t i = 0; i < number; ++i) {
        if constexpr (Archive::reads) {
            GraphSummary graph;
            fields(archive, graph);
            next = report.graphs.insert_or_assign(report.graphs.end(), graph.key, std::move(graph));
        } else {
            fields(archive, next->second);
        }
        ++next;
    }
}

template <typename Record>
std::string written(const Record& record, char kind)
{
    Writer writer(kind);
    fields(writer, const_cast<Record&>(record)); // a Writer changes nothing
    return writer.take();
}

template <typename Record>
Record parsed(std::string_view bytes, char kind)
{
    Reader reader(bytes, kind);
    Record record;
    fields(reader, record);
    reader.expect_end();
    return record;
}

} // namespace

std::string serialize(const ProcessRecords& records)
{
    return written(records, 'P');
}

std::string serialize(const Report& report)
{
    return written(report, 'R');
}

ProcessRecords parse_process_records(std::string_view bytes)
{
    return parsed<ProcessRecords>(bytes, 'P');
}

Report parse_report(std::string_view bytes)
{
    return parsed<Report>(bytes, 'R');
}

} // namespace hopscotch::shim
