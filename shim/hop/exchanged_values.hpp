// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Folds the values of a reduction by exchange: those of all sources come whole, and are folded in list order.
#pragma once

#include "schedules/grid/topology.hpp"
#include "shim/exchange/elements.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The arguments of a reduction. `send`: one value, or one for each destination.
struct ReduceArguments {
    const void* send;
    void* receive;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
};

/// The values that a process sends and receives in one exchange, each value a run of bytes.
struct ExchangedValues {
    /// `from`: the sources, entries no_rank for none.
    explicit ExchangedValues(std::vector<int> from) : sources(std::move(from)) {}

    /// For one call, or one persistent request. `sent`: the number of values that this process sends. Throws:
    /// WrongArgument.
    void set(const ReduceArguments& arguments, std::size_t sent)
    {
        reducing = Reducing(arguments.count, arguments.type, arguments.op);
        given = arguments.send;
        result = arguments.receive;
        as_given = reducing.is_packed() && sent > 0;
        packed.reserve(1); // never a null pointer
        packed.resize(reducing.is_packed() ? 0 : sent * reducing.bytes());
        received.resize(sources.size() * reducing.bytes() / sizeof(std::max_align_t) + 1);
    }

    /// The values this process sends, each one run of bytes.
    const char* sent() const { return as_given ? static_cast<const char*>(given) : packed.data(); }
    char* value(std::size_t i) { return reinterpret_cast<char*>(received.data()) + i * reducing.bytes(); }

    void prepare()
    {
        const auto* value = static_cast<const char*>(given);
        for (std::size_t at = 0; at < packed.size();
             at += reducing.bytes(), value += reducing.count * reducing.map->extent)
            pack(reducing.at(value), packed.data() + at);
    }

    /// result = x_0 op x_1 op ... Returns MPI_SUCCESS. Throws: MpiError.
    int fold()
    {
        Elements unpacked;
        if (!reducing.is_packed())
            unpacked = Elements(1, reducing);
        Accumulator sum(reducing, static_cast<char*>(result));
        for (std::size_t i = sources.size(); i-- > 0;) {
            if (sources[i] == schedules::no_rank)
                continue;
            const char* one = value(i);
            if (!reducing.is_packed()) {
                unpack(one, reducing.bytes(), reducing.at(unpacked[0]));
                one = unpacked[0];
            }
            sum.take(one);
        }
        return MPI_SUCCESS;
    }

    std::vector<int> sources;
    Reducing reducing;
    const void* given = nullptr;
    bool as_given = false; // the program's buffer is sent, or nothing
    void* result = nullptr;
    std::vector<char> packed; // if values are no runs of bytes
    std::vector<std::max_align_t> received;
    std::vector<std::shared_ptr<const void>> kept;
};

} // namespace hopscotch::shim
