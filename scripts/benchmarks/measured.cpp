// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The output of the measuring program: lines of JSON, each behind a marker, which survive launchers that add words.
#include "measured.hpp"

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace
{

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char character : text) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\')
            result += '\\';
        if (code < 0x20 || code >= 0x7f)
            result += ' ';
        else
            result += character;
    }
    return result + '"';
}

std::string number(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.7g", std::isfinite(value) ? value : -1.0);
    return text;
}

template <class Values, class Function>
std::string list(const Values& values, Function json)
{
    std::string result = "[";
    for (const auto& value : values)
        result += (result.size() > 1 ? "," : "") + json(value);
    return result + "]";
}

} // namespace

Record::Record(const std::string& kind)
{
    if (!kind.empty())
        add("kind", kind);
}

Record& Record::add_json(const std::string& name, const std::string& json)
{
    json_ += (json_.empty() ? "" : ",") + quoted(name) + ":" + json;
    return *this;
}

Record& Record::add(const std::string& name, const std::string& text)
{
    return add_json(name, quoted(text));
}

Record& Record::add(const std::string& name, double value)
{
    return add_json(name, number(value));
}

Record& Record::add(const std::string& name, const std::vector<double>& values)
{
    return add_json(name, list(values, &number));
}

Record& Record::add(const std::string& name, const std::vector<std::string>& texts)
{
    return add_json(name, list(texts, &quoted));
}

Record& Record::add(const std::string& name, const Record& part)
{
    return add_json(name, "{" + part.json_ + "}");
}

Record& Record::add(const std::string& name, const std::vector<Record>& parts)
{
    return add_json(name, list(parts, [](const Record& part) { return "{" + part.json_ + "}"; }));
}

void Record::print() const
{
    if (rank_in(MPI_COMM_WORLD) != 0)
        return;
    std::printf("hopscotch-measure: {%s}\n", json_.c_str());
    std::fflush(stdout);
}

bool Budget::is_over(MPI_Comm processes) const
{
    int over = MPI_Wtime() > end_ ? 1 : 0;
    MPI_Bcast(&over, 1, MPI_INT, 0, processes);
    return over != 0;
}

void meet_quietly(MPI_Comm processes)
{
    MPI_Request request;
    MPI_Ibarrier(processes, &request);
    for (int done = 0; done == 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        usleep(2000);
}

MPI_Comm node_communicator()
{
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    return node;
}

int rank_in(MPI_Comm comm)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm)
{
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}
