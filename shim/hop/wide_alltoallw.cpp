// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallw among all processes of a communicator, with displacements of type MPI_Aint, in every form.
#include "shim/hop/wide_alltoallw.hpp"

#include "shim/base/immortal.hpp"
#include "shim/call/requests.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>
#include <climits>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

namespace
{

/// A copy; empty for a null pointer, which the MPI library reports.
template <class Value>
std::vector<Value> copied(const Value* values, int n)
{
    return values != nullptr ? std::vector<Value>(values, values + n) : std::vector<Value>{};
}

/// The argument arrays of one direction, in the form of MPI_Alltoallw. If a displacement is beyond an int, each block
/// is one element of a type that begins at the displacement.
class PlacedBlocks
{
  public:
    /// `read`: types that the MPI library reads, at least.
    PlacedBlocks(int n, const WideBlocks& given, std::size_t read)
        : buffer(given.buffer), counts(copied(given.counts, n)),
          displacements(given.displacements != nullptr ? static_cast<std::size_t>(n) : 0), types(copied(given.types, n))
    {
        const MPI_Aint* const wide = given.displacements;
        const auto fits = [](MPI_Aint displacement) { return displacement >= INT_MIN && displacement <= INT_MAX; };
        if (std::all_of(wide, wide + displacements.size(), fits))
            std::transform(wide, wide + displacements.size(), displacements.begin(),
                           [](MPI_Aint displacement) { return static_cast<int>(displacement); });
        else
            place(wide);
        if (!types.empty() && types.size() < read)
            types.resize(read, MPI_BYTE);
    }
    PlacedBlocks(const PlacedBlocks&) = delete;
    PlacedBlocks& operator=(const PlacedBlocks&) = delete;
    ~PlacedBlocks()
    {
        for (MPI_Datatype& type : made_)
            if (mpi_goes_on())
                next.MPI_Type_free(&type);
    }

    GeneralBlocks<int, int> blocks() const { return {buffer, counts.data(), displacements.data(), types.data()}; }

  private:
    void place(const MPI_Aint* wide)
    {
        made_.reserve(types.size());
        for (std::size_t i = 0; i < std::min(counts.size(), types.size()); ++i) {
            MPI_Datatype placed = MPI_DATATYPE_NULL;
            check(next.MPI_Type_create_hindexed(1, &counts[i], &wide[i], types[i], &placed));
            made_.push_back(placed);
            check(next.MPI_Type_commit(&made_.back()));
            types[i] = placed;
            counts[i] = 1;
        }
    }

    const void* buffer;
    std::vector<int> counts;
    std::vector<int> displacements;
    std::vector<MPI_Datatype> types;
    std::vector<MPI_Datatype> made_;
};

struct BothDirections {
    PlacedBlocks sent;
    PlacedBlocks received;
};

/// Calls of the MPI library that no report has.
struct Unreported {
    SelectionEntry entry{};
};

/// The arguments stay until the request of the library is freed.
void keep(const CallForm& call_form, std::shared_ptr<const BothDirections> arguments)
{
    auto operation = std::make_shared<NativeRequest>(immortal<Unreported>().entry, nullptr, SentMessages{});
    operation->keep(std::move(arguments));
    track(*call_form.request, std::move(operation));
}

// Open MPI 4.1.4 counts references to the types of MPI_Ialltoallw: on a communicator with a topology to as many as
// there are neighbors (docs/libraries.md#open-mpi-414).
#ifdef OPEN_MPI
constexpr bool reads_a_type_for_each_neighbor = true;
#else
constexpr bool reads_a_type_for_each_neighbor = false;
#endif

std::size_t most_neighbors(MPI_Comm comm)
{
    const int kind = topology_kind(comm);
    if (kind == MPI_UNDEFINED)
        return 0;
    const schedules::Edges edges = neighbor_lists(comm, kind);
    return std::max(edges.sources.size(), edges.destinations.size());
}

} // namespace

int peers_in(MPI_Comm comm)
{
    if (!is_between_groups(comm))
        return size_of(comm);
    int peers = 0;
    check(next.MPI_Comm_remote_size(comm, &peers));
    return peers;
}

int wide_alltoallw(MPI_Comm comm, const CallForm& call_form, const WideBuffers& buffers)
{
    demand_request(call_form);
    const int peers = peers_in(comm);
    const std::size_t read = reads_a_type_for_each_neighbor && call_form.later() ? most_neighbors(comm) : 0;
    const std::shared_ptr<const BothDirections> placed(new BothDirections{
        {buffers.send.buffer == MPI_IN_PLACE ? 0 : peers, buffers.send, read}, {peers, buffers.receive, read}});
    const Buffers narrow{placed->sent.blocks(), placed->received.blocks()};
    if (!call_form.later())
        return narrow.call(next.MPI_Alltoallw, comm);
    const int code = call_form.persistent()
                         ? narrow.call(next.MPI_Alltoallw_init, comm, call_form.info, call_form.request)
                         : narrow.call(next.MPI_Ialltoallw, comm, call_form.request);
    if (code == MPI_SUCCESS)
        keep(call_form, placed);
    return code;
}

} // namespace hopscotch::shim
