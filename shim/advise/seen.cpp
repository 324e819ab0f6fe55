// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Brings what all processes have seen to rank 0.
#include "shim/advise/seen.hpp"

#include "shim/advise/record.hpp"
#include "shim/advise/site_place.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/destination.hpp"
#include "shim/group/point_to_point.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

std::int64_t nanoseconds(std::uint64_t elapsed_ticks)
{
    return static_cast<std::int64_t>(in_a_second * seconds(elapsed_ticks));
}

template <class Index>
SeenSite seen(const CallSite& site, const Index& index)
{
    const SitePlace place = place_of(site.address);
    const SitePlace caller = site.caller_at > 0 || site.is_other ? place_of(site.caller) : SitePlace{};
    return {static_cast<std::int64_t>(site.function),
            place.object,
            place.offset,
            caller.object,
            caller.offset,
            static_cast<std::int64_t>(site.calls),
            nanoseconds(site.ticks),
            nanoseconds(site.wait_ticks),
            nanoseconds(site.start_ticks),
            index(site.waited_at),
            index(site.started_at),
            index(site.overlaps),
            index(site.first),
            index(site.other_way),
            site.wildcards};
}

SeenTopology topology_of(const CommunicatorRecord& record)
{
    if (record.topology == MPI_CART)
        return SeenTopology::cartesian;
    if (record.topology == MPI_GRAPH)
        return SeenTopology::graph;
    return record.topology == MPI_DIST_GRAPH ? SeenTopology::distributed_graph : SeenTopology::none;
}

SeenCommunicator seen(const CommunicatorRecord& record)
{
    const auto topology = static_cast<std::int64_t>(topology_of(record));
    SeenCommunicator result{
        record.size, record.rank, record.first, record.middle, record.last, topology, record.dimensions, {}, {}};
    std::copy(record.dims, record.dims + record.dimensions, result.dims);
    std::copy(record.periods, record.periods + record.dimensions, result.periods);
    return result;
}

SeenPeer seen(const PeerRecord& record, int site, int communicator)
{
    const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    SeenPeer result{site,
                    communicator,
                    record.direction == Direction::in,
                    record.peer,
                    record.world_peer,
                    number(record.messages),
                    number(record.exchanges),
                    number(record.bytes),
                    number(record.least),
                    number(record.most),
                    record.count,
                    record.size,
                    record.off_topology,
                    record.first_epoch,
                    record.epoch,
                    record.phase,
                    {}};
    std::strncpy(result.type, name_of_type(record).c_str(), sizeof result.type - 1);
    return result;
}

template <class Element>
void append(std::string& bytes, const std::vector<Element>& elements)
{
    bytes.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element));
}

template <class Element>
void take(std::vector<Element>& elements, std::int64_t count, const char*& from)
{
    elements.resize(static_cast<std::size_t>(count));
    std::memcpy(static_cast<void*>(elements.data()), from, elements.size() * sizeof(Element));
    from += elements.size() * sizeof(Element);
}

std::string packed(const SeenProcess& process)
{
    const auto size = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
    std::string bytes;
    append(bytes, std::vector<std::int64_t>{process.rank, process.host, process.cores, process.elapsed_nanoseconds,
                                            process.left_out, size(process.sites), size(process.peers),
                                            size(process.communicators)});
    append(bytes, process.sites);
    append(bytes, process.peers);
    append(bytes, process.communicators);
    return bytes;
}

SeenProcess unpacked(const char*& from)
{
    std::vector<std::int64_t> head;
    take(head, 8, from);
    SeenProcess process{head[0], head[1], head[2], head[3], head[4], {}, {}, {}};
    take(process.sites, head[5], from);
    take(process.peers, head[6], from);
    take(process.communicators, head[7], from);
    return process;
}

} // namespace

SeenProcess seen_here(int rank, double elapsed)
{
    SeenProcess process{rank,
                        static_cast<std::int64_t>(std::hash<std::string>{}(host_name())),
                        ::sysconf(_SC_NPROCESSORS_ONLN),
                        static_cast<std::int64_t>(in_a_second * elapsed),
                        static_cast<std::int64_t>(left_out_calls()),
                        {},
                        {},
                        {}};
    const std::vector<const CallSite*> sites = call_sites();
    std::map<const CallSite*, int> index;
    for (const CallSite* site : sites)
        index.emplace(site, static_cast<int>(index.size()));
    const auto of_site = [&](int place) { return place < 0 ? -1 : index.at(&call_site(place)); };
    for (const CallSite* site : sites)
        process.sites.push_back(seen(*site, of_site));
    std::map<int, int> communicators;
    for (const PeerRecord* record : peer_records()) {
        const auto [found, is_new] =
            communicators.try_emplace(record->communicator, static_cast<int>(communicators.size()));
        if (is_new)
            process.communicators.push_back(seen(communicator_record(record->communicator)));
        process.peers.push_back(seen(*record, of_site(record->site), found->second));
    }
    return process;
}

std::vector<SeenProcess> gathered(const SeenProcess& own, MPI_Comm comm)
{
    std::string all = packed(own);
    gather_up(
        comm, [&all] { return std::exchange(all, {}); }, [&all](const std::string& bytes) { all += bytes; });
    std::vector<SeenProcess> processes;
    for (const char* from = all.data(); from != all.data() + all.size();)
        processes.push_back(unpacked(from));
    return processes;
}

} // namespace hopscotch::shim
