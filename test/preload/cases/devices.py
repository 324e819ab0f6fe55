# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Buffers in the memory of simulated devices (test/device): every byte is compared, and host code that touches that
memory ends the process. `mixed` draws the place of each buffer for each process and call; the MPI library takes none of
them, unless libaware.so stands behind the shim."""

import itertools

from case import ALLTOALL, COMBINING, OPERATIONS, SHARED, STANDARD_EDGES, VERIFY, Case, algorithm, nodes

STAND_INS = ("cuda", "amdhip64", "ze_loader")
MIXED = "DEVICE_BUFFERS=mixed"
# By the driver, natively: 270 calls of 5 processes with 4 neighbors each, 54 of them with blocks of each size.
DRIVEN = ["totals.messages=5400", f"totals.bytes={54 * 20 * (4 + 64 + 1024 + 16384 + 262144)}"]
STAGED = ["totals.staged_calls>0", "totals.staged_bytes>0", "totals.failed=0"]


def blocking():
    seeds = itertools.count(1)
    for stand_in, names in ("cuda", ("native", "trivial", "merged", "combining", "auto", "shared")), \
                           ("amdhip64", ("native", "combining", "shared")), ("ze_loader", ("merged", "shared")):
        for name in names:
            for ranks, number in (2, 20), (4, 12), (6, 6):
                yield Case(f"device_{stand_in}_{name}_{ranks}", "varying", ranks, f"random {next(seeds)} {number}",
                           settings=[algorithm(name), MIXED], alone=True, behind=stand_in, expect=STAGED,
                           quick=(stand_in, name, ranks) == ("cuda", "combining", 4))
    for where in "send", "receive", "both":
        for name in "combining", "shared", "native":
            yield Case(f"device_{where}_{name}", "varying", 4, f"random {next(seeds)} 8",
                       settings=[algorithm(name), f"DEVICE_BUFFERS={where}"], alone=True, behind="cuda", expect=STAGED)
    for name, settings in (("once", [SHARED, "HOPSCOTCH_ONE_COPY=1"]), ("cutoff", [COMBINING, "HOPSCOTCH_CUTOFF=100"]),
                           ("nodes", [SHARED, nodes(2), "HOPSCOTCH_ONE_COPY=40"]),
                           ("aggregated", [algorithm("aggregated"), nodes(2)]), ("standard", [STANDARD_EDGES]),
                           ("pool", ["DEVICE_POOL=1"])):
        yield Case(f"device_{name}", "varying", 6, f"random {next(seeds)} 6", settings=[*settings, MIXED], alone=True,
                   behind="cuda", expect=STAGED)
    seeds = itertools.count(52)
    yield Case("device_hip5", "varying", 3, f"random {next(seeds)} 8", settings=[MIXED, "DEVICE_HIP=5"], alone=True,
               behind="amdhip64", expect=STAGED)
    for name, settings in ("combining", [COMBINING]), ("verify", [VERIFY]), ("auto", []):
        yield Case(f"device_global_{name}", "global", 4, f"random {next(seeds)} 12", settings=[*settings, MIXED],
                   alone=True, behind="cuda", expect=STAGED)


def later():
    seeds = itertools.count(100)
    for stand_in, names in ("cuda", ("native", "merged", "combining", "auto", "shared")), \
                           ("amdhip64", ("combining",)), ("ze_loader", ("shared",)):
        for name in names:
            for ranks, number in (2, 20), (4, 12):
                yield Case(f"device_nonblocking_{stand_in}_{name}_{ranks}", "nonblocking", ranks,
                           f"random {next(seeds)} {number}", settings=[algorithm(name), MIXED], alone=True,
                           behind=stand_in, expect=STAGED,
                           quick=(stand_in, name, ranks) == ("cuda", "combining", 4))
    yield Case("device_nonblocking_once", "nonblocking", 4, f"random {next(seeds)} 10", behind="cuda", alone=True,
               settings=[SHARED, "HOPSCOTCH_ONE_COPY=1", MIXED], expect=STAGED)
    yield Case("device_nonblocking_nodes", "nonblocking", 6, f"random {next(seeds)} 6", behind="cuda", alone=True,
               settings=[nodes(2), MIXED], expect=STAGED)


def threads():
    """Threads that copy at once, also between two devices."""
    for stand_in, name in ("cuda", "merged"), ("cuda", "native"), ("amdhip64", "shared"), ("ze_loader", "combining"):
        yield Case(f"device_threads_{stand_in}_{name}", "threads", 2, "3 5", settings=[algorithm(name), MIXED],
                   alone=True, behind=stand_in, expect=STAGED)


def verified():
    for program, number in ("varying", 10), ("nonblocking", 10):
        yield Case(f"device_verify_{program}", program, 4, f"random 301 {number}", settings=[COMBINING, VERIFY, MIXED],
                   alone=True, behind="cuda", expect=[*STAGED, "totals.compared>0", "totals.differences=0"])


def aware():
    """The MPI library takes such buffers: blocks that it carries are not copied."""
    for name in "native", "auto":
        yield Case(f"device_aware_regular_{name}", "varying", 4, "dims=4 counts=0,1,40,600",
                   settings=[algorithm(name), MIXED], alone=True, behind="aware",
                   expect=["totals.staged_calls=0"] if name == "native" else [])
    # By each question. The variables of libraries that answer none: see ordinary().
    for kind in "hip", "rocm", "ze":
        yield Case(f"device_aware_{kind}", "stencil", 1, "-i 2", settings=[f"DEVICE_KIND={kind}"], alone=True,
                   behind="aware", expect=["devices~takes, too"])
    yield Case("device_aware_driver", "driver", 5, settings=[algorithm("native")], alone=True, behind="aware",
               expect=["totals.staged_calls=0", "devices~takes, too", *DRIVEN])
    # 6 variants of 9 calls, with blocks of 4, 64, 1024, 16384 and 262144 bytes.
    for name, native in ("4K", 108), ("1023", 162), ("auto", 0):
        yield Case(f"device_aware_{name}", "driver", 5, alone=True, behind="aware",
                   settings=[SHARED, f"HOPSCOTCH_DEVICE={name}"],
                   expect=[f"totals.native={native}", f"totals.staged_calls={5 * (270 - native)}"])
    # The w forms know no limit: only the two ends of an edge know the size of a block.
    for name in "merged", "combining", "shared":
        yield Case(f"device_aware_general_{name}", "driver", 5, "general", alone=True, behind="aware",
                   settings=[algorithm(name), "HOPSCOTCH_DEVICE=4K"],
                   expect=["totals.native=0", f"totals.staged_calls={5 * 270}"])
    off = ["totals.accelerated=0", "totals.native=40", ALLTOALL + "reason~HOPSCOTCH_DEVICE=off"]
    for name, settings in ("all", []), ("one", ["DEVICE_RANK=2"]), ("old", ["DEVICE_OLD=1"]):
        yield Case(f"device_off_{name}", "stencil", 4, "-d 2 -c -i 20", behind="aware", expect=off,
                   settings=["HOPSCOTCH_DEVICE=off", *settings])
    yield Case("device_off", "stencil", 4, "-d 2 -c -i 20", settings=["HOPSCOTCH_DEVICE=off", "HOPSCOTCH_BASELINE=off"],
               behind="cuda", expect=["totals.accelerated=40", "devices=null"])


def limited():
    """Random calls, of which the MPI library carries regular ones with blocks of more than 100 bytes."""
    for program in "varying", "nonblocking":
        for seed, (name, ranks, settings) in enumerate([("merged", 4, []), ("aggregated", 6, [nodes(2)])], 601):
            yield Case(f"device_limited_{program}_{name}", program, ranks, f"random {seed} 8",
                       settings=[algorithm(name), MIXED, "HOPSCOTCH_DEVICE=100", *settings], alone=True,
                       behind="aware", expect=[*STAGED, "totals.native>0"])


def sparse():
    """MPI_Alltoallv and MPI_Alltoallw with a graph: its blocks are copied until an agreed call meets such a buffer."""
    for name in "auto", "merged", "shared":
        yield Case(f"device_sparse_{name}", "sparse", 8, "random 501 20", alone=True, behind="aware",
                   settings=["HOPSCOTCH_ALLTOALLV=on", algorithm(name), MIXED], expect=STAGED)


def driver():
    """The program of scripts/device_test."""
    for name, settings in ("auto", []), ("combining", [COMBINING]), ("native", [algorithm("native")]):
        # With auto the trials decide how many of the 90 calls each algorithm carries.
        sites = [] if name == "auto" else [OPERATIONS + "MPI_Ineighbor_alltoall.call_sites.0.calls=90"]
        yield Case(f"device_driver_{name}", "driver", 5, settings=[*settings, "HOPSCOTCH_CALLSITES=call"], alone=True,
                   behind="cuda", expect=[*STAGED, *sites, *(DRIVEN if name == "native" else [])])
    # 3 of 6 variants are counted. In 9 calls of each, 3 processes copy 4 buffers of two blocks.
    copied = 9 * 3 * 4 * 2 * sum(4 * ints for ints in (1, 16, 256, 4096, 65536))
    for name in "combining", "native":
        yield Case(f"device_paused_{name}", "driver", 3, "paused", settings=[algorithm(name)], alone=True,
                   behind="cuda", expect=["totals.calls=135", f"totals.staged_calls={3 * 135}",
                                          f"totals.staged_bytes={copied}", "totals.staged_ns>0"])
    for name in "graph", "cart":
        for chosen in "combining", "shared", "native":
            yield Case(f"device_orthogonal_{name}_{chosen}", "driver", 5, name, alone=True, behind="cuda",
                       settings=[algorithm(chosen), "HOPSCOTCH_SEMANTICS=orthogonal"], expect=STAGED)
    yield Case("device_driver_none", "driver", 3, settings=["DEVICE_NONE=1"], alone=True, behind="cuda",
               expect=["totals.calls=0"])


def failing():
    """A copy fails: the job ends by an error of the call."""
    yield Case("device_failing", "driver", 5, alone=True, behind="cuda", status=None,
               settings=["DEVICE_FAIL=9", "DEVICE_RANK=0", COMBINING], expect=["partial~MPI_Finalize"],
               stderr=["error: a copy .* the memory of a device failed .CUDA error 1", "fails, and errors are fatal"])


def ordinary():
    """Buffers of the host with a device's library loaded: as without it."""
    # Without a device an old library is not asked.
    yield Case("device_none", "stencil", 4, "-d 2 -c -i 20", settings=["DEVICE_OLD=1", "HOPSCOTCH_BASELINE=off"],
               behind="older", expect=["totals.accelerated=40"])
    # Relatives of MPICH take such buffers if a variable says so.
    for variable, value, words in (("MPICH_GPU_SUPPORT_ENABLED", 1, "takes, too"), ("I_MPI_OFFLOAD", 2, "takes, too"),
                                   ("MV2_USE_CUDA", 1, "takes, too"), ("MV2_USE_CUDA", 0, "does not take")):
        yield Case(f"device_told_{variable.lower()}_{value}", "stencil", 2, "-d 2 -c -i 5",
                   settings=[f"{variable}={value}"], behind="cuda", expect=["totals.failed=0", f"devices~{words}"])
    for stand_in in STAND_INS:
        yield Case(f"device_{stand_in}_unused", "stencil", 4, "-d 2 -c -i 20", settings=["HOPSCOTCH_BASELINE=off"],
                   behind=stand_in, expect=["totals.accelerated=40", "totals.staged_calls=0", "devices~does not take"])


def cases(facts):
    yield from blocking()
    yield from later()
    if facts.openmpi:
        return
    yield from threads()
    yield from verified()
    yield from aware()
    yield from limited()
    yield from sparse()
    yield from driver()
    yield from failing()
    yield from ordinary()
