// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds and combines the values of a reduction in memory of ours: elements of any datatype, addressed as MPI does.
#include "shim/exchange/elements.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <climits>

namespace hopscotch::shim
{

void Reducing::combine(const void* from, void* into) const
{
    const auto* source = static_cast<const char*>(from);
    auto* target = static_cast<char*>(into);
    for (MPI_Count left = count; left > 0;) {
        const MPI_Count some = std::min<MPI_Count>(left, INT_MAX); // MPI_Reduce_local_c is missing in older libraries
        check(next.MPI_Reduce_local(source, target, static_cast<int>(some), type, op));
        source += some * map->extent;
        target += some * map->extent;
        left -= some;
    }
}

Elements::Elements(std::size_t n, const Reducing& of)
{
    MPI_Aint true_lower = 0;
    MPI_Aint true_extent = 0;
    check(next.MPI_Type_get_true_extent(of.type, &true_lower, &true_extent));
    const MPI_Aint reach = of.count > 0 ? of.map->extent * (of.count - 1) : 0;
    const MPI_Aint begin = true_lower + std::min<MPI_Aint>(reach, 0);
    const auto bytes = static_cast<std::size_t>(std::max<MPI_Aint>(true_extent, 0) + (reach < 0 ? -reach : reach));
    constexpr std::size_t unit = sizeof(std::max_align_t);
    distance_ = (bytes + unit - 1) / unit * unit;
    storage_.resize(n * (distance_ / unit) + 1);
    first_ = reinterpret_cast<char*>(storage_.data()) - begin;
}

void Accumulator::take(const void* value, int times)
{
    if (times == 1) {
        if (empty_)
            copy(of_.at(value), of_.at(at_));
        else
            of_.combine(value, at_);
        empty_ = false;
        return;
    }
    // Twice as often in each turn.
    Elements doubled(2, of_);
    copy(of_.at(value), of_.at(doubled[0]));
    for (; times > 0; times /= 2) {
        if (times % 2 != 0)
            take(doubled[0]);
        copy(of_.at(doubled[0]), of_.at(doubled[1]));
        of_.combine(doubled[1], doubled[0]);
    }
}

} // namespace hopscotch::shim
