// Reductions over the sources of a process in a graph communicator, in the order of its list.
#include "shim/hop_graph.hpp"

#include "shim/call_layouts.hpp"

#include <algorithm>
#include <cstddef>

namespace hopscotch::shim
{

namespace
{

constexpr int reduce_tag = 16;

/// Room for `count` elements of any type, addressed as MPI does.
class Elements
{
  public:
    Elements(int count, MPI_Datatype type)
    {
        MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
        check(next.Type_get_extent(type, &lower, &extent));
        check(next.Type_get_true_extent(type, &true_lower, &true_extent));
        const MPI_Aint reach = count > 0 ? extent * (count - 1) : 0;
        const MPI_Aint begin = true_lower + std::min<MPI_Aint>(reach, 0);
        storage_.resize(static_cast<std::size_t>(std::max<MPI_Aint>(true_extent, 0) + (reach < 0 ? -reach : reach)) /
                            sizeof(std::max_align_t) +
                        1);
        address_ = reinterpret_cast<char*>(storage_.data()) - begin;
    }

    char* get() noexcept { return address_; }

  private:
    std::vector<std::max_align_t> storage_;
    char* address_ = nullptr;
};

/// recvbuf = x_0 op x_1 op ... x_{s-1}; `value(i)` gives x_i as an element buffer that is read once, from the last on.
template <class Value>
void fold(std::size_t s, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, Value&& value)
{
    const BlockLayout result = BlockLayout::single(recvbuf, count, type);
    for (std::size_t i = s; i-- > 0;) {
        char* const elements = value(i);
        if (i == s - 1) {
            const BlockLayout last = BlockLayout::single(elements, count, type);
            copy(last[0], result[0]);
        } else {
            check(next.Reduce_local(elements, recvbuf, count, type, op));
        }
    }
}

void demand_reduction(int count, MPI_Datatype type, MPI_Op op)
{
    demand(count >= 0, MPI_ERR_COUNT);
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
    demand(op != MPI_OP_NULL, MPI_ERR_OP);
}

/// The values of all sources by messages, folded.
int reduce_by_messages(const GraphLinks& links, const std::vector<int>& sources, const std::vector<int>& destinations,
                       const void* own, void* recvbuf, int count, MPI_Datatype type, MPI_Op op)
{
    std::vector<Elements> values;
    values.reserve(sources.size());
    Transfers transfers(links.messages.get(), reduce_tag);
    for (const int source : sources) {
        values.emplace_back(count, type);
        transfers.receive(values.back().get(), count, type, source);
    }
    for (const int destination : destinations)
        transfers.send(own, count, type, destination);
    const int code = transfers.finish();
    if (code == MPI_SUCCESS)
        fold(sources.size(), recvbuf, count, type, op, [&](std::size_t i) { return values[i].get(); });
    return code;
}

} // namespace

int graph_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm)
{
    demand_reduction(count, datatype, op);
    const GraphLinks& links = links_of(comm);
    int size = 0;
    check(next.Comm_size(links.messages.get(), &size));
    demand(root >= 0 && root < size, MPI_ERR_ROOT);
    demand(sendbuf != MPI_IN_PLACE || links.edges.rank == root, MPI_ERR_BUFFER);
    const auto to_root = std::count(links.edges.destinations.begin(), links.edges.destinations.end(), root);
    check(reduce_by_messages(links, links.edges.rank == root ? links.edges.sources : std::vector<int>{},
                             std::vector<int>(static_cast<std::size_t>(to_root), root),
                             sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf, count, datatype, op));
    return MPI_SUCCESS;
}

int graph_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    demand_reduction(count, datatype, op);
    const GraphLinks& links = links_of(comm);
    const void* const own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const std::size_t s = links.edges.sources.size();
    std::vector<std::max_align_t> packed;
    BlockLayout received;
    bool folded = false;
    const CallLayouts layouts{count, datatype, [&](const Graph&) {
                                  const BlockLayout sent = BlockLayout::single(own, count, datatype);
                                  const std::size_t bytes = sent.block_bytes();
                                  packed.resize(s * bytes / sizeof(std::max_align_t) + 1);
                                  received =
                                      BlockLayout::regular(packed.data(), static_cast<MPI_Count>(bytes), MPI_BYTE);
                                  return Layouts{sent, received};
                              }};
    demand_layouts(links.edges, layouts);
    const auto by_messages = [&] {
        folded = true;
        return reduce_by_messages(links, links.edges.sources, links.edges.destinations, own, recvbuf, count, datatype,
                                  op);
    };
    const int code =
        neighborhood_call(Call::Neighbor_allgather, Collective::allgather, comm, false, layouts, by_messages);
    if (code != MPI_SUCCESS || folded)
        return code; // neighborhood_call has called the error handler
    Elements elements(count, datatype);
    const BlockLayout unpacked = BlockLayout::single(elements.get(), count, datatype);
    fold(s, recvbuf, count, datatype, op, [&](std::size_t i) {
        unpack(received[static_cast<int>(i)].data(), received.block_bytes(), unpacked[0]);
        return elements.get();
    });
    return MPI_SUCCESS;
}

} // namespace hopscotch::shim
