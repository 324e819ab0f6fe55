// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallw among all processes of a communicator, with displacements of type MPI_Aint, in every form.
#include "shim/hop/wide_alltoallw.hpp"

#include "shim/base/immortal.hpp"
#include "shim/call/requests.hpp"
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
    PlacedBlocks(int n, const int* counts_, const MPI_Aint* displacements_, const MPI_Datatype* types_,
                 std::size_t read)
        : counts(copied(counts_, n)), displacements(displacements_ != nullptr ? static_cast<std::size_t>(n) : 0),
          types(copied(types_, n))
    {
        const auto fits = [](MPI_Aint displacement) { return displacement >= INT_MIN && displacement <= INT_MAX; };
        if (std::all_of(displacements_, displacements_ + displacements.size(), fits))
            std::transform(displacements_, displacements_ + displacements.size(), displacements.begin(),
                           [](MPI_Aint displacement) { return static_cast<int>(displacement); });
        else
            place(displacements_);
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

    std::vector<int> counts;
    std::vector<int> displacements;
    std::vector<MPI_Datatype> types;

  private:
    void place(const MPI_Aint* displacements_)
    {
        made_.reserve(types.size());
        for (std::size_t i = 0; i < std::min(counts.size(), types.size()); ++i) {
            MPI_Datatype placed = MPI_DATATYPE_NULL;
            check(next.MPI_Type_create_hindexed(1, &counts[i], &displacements_[i], types[i], &placed));
            made_.push_back(placed);
            check(next.MPI_Type_commit(&made_.back()));
            types[i] = placed;
            counts[i] = 1;
        }
    }

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
    int topology_kind = MPI_UNDEFINED;
    check(next.MPI_Topo_test(comm, &topology_kind));
    if (topology_kind == MPI_UNDEFINED)
        return 0;
    const schedules::Edges edges = neighbor_lists(comm, topology_kind);
    return std::max(edges.sources.size(), edges.destinations.size());
}

} // namespace

int peers_in(MPI_Comm comm)
{
    int between_groups = 0;
    int peers = 0;
    check(next.MPI_Comm_test_inter(comm, &between_groups));
    check(between_groups != 0 ? next.MPI_Comm_remote_size(comm, &peers) : next.MPI_Comm_size(comm, &peers));
    return peers;
}

int wide_alltoallw(const CallForm& call_form, const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                   const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls,
                   const MPI_Datatype* recvtypes, MPI_Comm comm)
{
    demand_request(call_form);
    const int peers = peers_in(comm);
    const std::size_t read = reads_a_type_for_each_neighbor && call_form.later() ? most_neighbors(comm) : 0;
    const std::shared_ptr<const BothDirections> blocks(
        new BothDirections{{sendbuf == MPI_IN_PLACE ? 0 : peers, sendcounts, sdispls, sendtypes, read},
                           {peers, recvcounts, rdispls, recvtypes, read}});
    const PlacedBlocks& out = blocks->sent;
    const PlacedBlocks& in = blocks->received;
    if (!call_form.later())
        return next.MPI_Alltoallw(sendbuf, out.counts.data(), out.displacements.data(), out.types.data(), recvbuf,
                                  in.counts.data(), in.displacements.data(), in.types.data(), comm);
    const int code =
        call_form.persistent()
            ? next.MPI_Alltoallw_init(sendbuf, out.counts.data(), out.displacements.data(), out.types.data(), recvbuf,
                                      in.counts.data(), in.displacements.data(), in.types.data(), comm, call_form.info,
                                      call_form.request)
            : next.MPI_Ialltoallw(sendbuf, out.counts.data(), out.displacements.data(), out.types.data(), recvbuf,
                                  in.counts.data(), in.displacements.data(), in.types.data(), comm, call_form.request);
    if (code == MPI_SUCCESS)
        keep(call_form, blocks);
    return code;
}

} // namespace hopscotch::shim
