# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""What `hopscotch measure` measures, part after part within a time: what is early in the lists is measured first."""

import dataclasses
import os
import re
import statistics
import sys
import time

from hopscotch_tool import launched, locate, process_group, reported, say, selftest, status
from hopscotch_tool.measuring import figures, osu

STENCILS = ((3, 3), (3, 5), (3, 1), (2, 3))  # dimensions, values; 1: along the axes
FUNCTIONS = ("alltoall", "alltoallv", "allgather", "ialltoall", "alltoall_init", "ialltoallv", "alltoallv_init",
             "iallgather", "allgather_init")
INTS = (100, 2, 1024, 16, 16384)  # 8 B to 64 KiB
MODES = ("together", "apart")
WAYS = ("native", "plain", "plain_init", "trivial", "merged", "combining", "shared", "aggregated", "auto", "mapped")
OF_SEVERAL_NODES = ("aggregated", "mapped")  # on one node they are `shared` and `auto`
SUBSET_WAYS = ("native", "plain", "merged", "auto")
GLOBAL_WAYS = ("native", "combining", "shared", "auto")
GLOBAL_INTS = (1, 16, 256, 4096)
# Settings that would leave nothing to measure, or measure something else.
NOT_MEASURED = ("HOPSCOTCH", "HOPSCOTCH_ALGORITHM", "HOPSCOTCH_VERIFY", "HOPSCOTCH_TUNING", "HOPSCOTCH_TRIALS")
LEAST = 3.0  # seconds for which it is worth to start a job
KEEP_EVERY = 5.0  # seconds after which the file is written again: nothing can be written after a SIGKILL
GRACE = 45.0  # seconds that a job may take longer than it was given
SHARE_OF_CASES = 0.6  # of the time; what other parts leave goes to further cases


class Failed(Exception):
    """A part without which nothing can be measured: the text, and the exit status."""

    def __init__(self, text, number):
        super().__init__(text)
        self.status = number


@dataclasses.dataclass
class Effort:
    """How much is measured."""
    seconds: float  # in all
    samples: int = 9
    of_way: float = 0.1  # seconds for each way of a case
    runs: int = 3  # of a job that does nothing


def case_words(dimensions, values, function, ints, mode):
    return f"{dimensions}x{values}:{function}:{ints}:{mode}"


def all_cases():
    """In the order in which they are measured."""
    return [(*stencil, function, ints, mode)
            for stencil, function, ints, mode in figures.in_order(STENCILS, FUNCTIONS, INTS, MODES)]


class Measurement:
    """The document that grows, the command that starts processes, and the time that is left."""

    def __init__(self, command, library, effort, document, show, keep):
        self.command = command
        self.program = locate.programs_beside(library, ["measure"], "scripts/benchmarks")[0]
        kept = {name: value for name, value in locate.environment(command, path=library).items()
                if name not in NOT_MEASURED}
        self.environment = reported.set_last(kept, {"HOPSCOTCH_REPORT": "off", "HOPSCOTCH_LOG": "error"})
        self.family = locate.family_of_library(library)
        self.effort = effort
        self.document = document
        self.show = show
        self.keep = keep
        self.kept = time.monotonic()
        self.end = time.monotonic() + effort.seconds

    def left(self):
        return self.end - time.monotonic()

    def leave_out(self, what, why="no time was left"):
        self.document["left_out"].append({"what": what, "why": why})

    def run(self, what, words, seconds, take, native=False):
        """One job of the measuring program; what it prints goes to `take`. Whether it ended well."""
        environment = self.environment
        if native:
            environment = {name: value for name, value in os.environ.items()
                           if not name.startswith("HOPSCOTCH")}
        command = [*self.command, str(self.program), *words]

        def take_line(line):
            if record := figures.record_in(line):
                take(record)

        returncode, errors = process_group.run_by_line(command, seconds + GRACE, take_line, env=environment)
        if returncode == 0:
            return True
        ended = "was not done in time" if returncode is None else f"ended with status {returncode}"
        self.document["failures"].append({"part": what, "text": f"the job {ended}", "stderr": errors[-1000:]})
        say.error(f"hopscotch measure: {what}: the job {ended}; what came until then is kept")
        for line in errors.splitlines()[-3:]:
            say.error(f"    {line}")
        return False

    # ---- parts

    def machine(self):
        """Raises Failed, OSError."""
        found = []
        self.run("machine", ["part=machine", f"samples={self.effort.samples}"], 60, found.append)
        machines = [record for record in found if record["kind"] == "machine"]
        if not machines:
            raise Failed("the measuring program did not start; hopscotch selftest and doctor may say why", status.NO)
        machine = machines[0]
        wanted = launched.asked_for(self.command) or len(machines)
        if machine["ranks"] == 1:
            why = launched.cause(self.command, self.family, None) if wanted > 1 else "ask for several"
            raise Failed(f"each process is alone, a job of 1 rank; {why}", status.NO)
        machine["mpi_library"] = " ".join(machine["mpi_library"].split())
        device = re.search(r"Device: *(\S+)", machine["mpi_library"])
        machine["mpi_device"] = device[1] if device else ""
        version = re.match(r"(MPICH Version: *[\w.]+|Open MPI v[\w.]+|[^,]{1,60})", machine["mpi_library"])
        machine["mpi_name"] = version[1].replace(" Version:", "") if version else ""
        self.document["machine"] = {name: value for name, value in machine.items() if name != "kind"}
        for record in found:
            if record["kind"] == "network":
                self.document["networks"].append({name: figures.spread(value) if isinstance(value, list) else value
                                                  for name, value in record.items() if name != "kind"})

    def ways(self):
        several = self.document["machine"]["nodes"] > 1
        return [way for way in WAYS if several or way not in OF_SEVERAL_NODES]

    def cases(self, what, wanted, seconds, ways, on="all"):
        """Measures cases; those that had no time."""
        seconds = min(seconds, self.left() - 1)
        if seconds < LEAST:
            return wanted
        missing = dict.fromkeys(wanted)

        def take(record):
            key = tuple(record.get(name) for name in ("dimensions", "values", "function", "ints", "mode"))
            if record["kind"] == "left_out":
                missing.pop(key, None)
                self.leave_out(f"{what}: {case_words(*key)}", record["why"])
            elif record["kind"] == "case":
                case = figures.case_of(record)
                self.document["cases"].append(case)
                missing.pop(key, None)
                self.show(case, self.left())
                if time.monotonic() > self.kept + KEEP_EVERY:
                    self.keep()
                    self.kept = time.monotonic()

        self.run(what, [f"cases={','.join(case_words(*case) for case in wanted)}", f"ways={','.join(ways)}",
                        f"seconds={self.effort.of_way:g}", f"samples={self.effort.samples}", f"budget={seconds:.1f}",
                        f"on={on}"], seconds, take)
        return list(missing)

    def start(self):
        """What a job that does nothing takes, natively and with Hopscotch, in turn."""
        times = {"native": [], "auto": []}
        walls = {"native": [], "auto": []}
        for _ in range(self.effort.runs):
            for way in times:
                if self.left() < LEAST:
                    break
                begin = time.monotonic()
                self.run("start", ["part=start"], 20, lambda record, way=way: times[way].append(record["init_s"]),
                         native=way == "native")
                walls[way].append(time.monotonic() - begin)
        if not all(times.values()):
            return self.leave_out("start-up of a job")
        for way, seconds in times.items():
            self.document["start"].append({"way": way, "init_s": figures.spread(seconds),
                                           "job_s": figures.spread(walls[way])})
        return None

    def creation(self):
        def take(record):
            if record["kind"] == "creation":
                self.document["creation"].append(
                    {name: figures.spread(value) if isinstance(value, list) else value
                     for name, value in record.items() if name != "kind"})
        self.run("creation", ["part=create", f"samples={self.effort.samples}"], 30, take)

    def subsets(self):
        """(value of on=, how many processes) of parts of the job."""
        machine = self.document["machine"]
        nodes, least, most = (int(machine[name]) for name in ("nodes", "ranks_per_node_least", "ranks_per_node_most"))
        several = [2**power for power in range(nodes.bit_length()) if 2**power < nodes]
        found = [(f"nodes:{number}", number * least) for number in several]
        found += [("half", nodes * ((least + 1) // 2))] if most > 1 else []
        found += [("one", nodes)] if most > 1 else []
        return [(on, processes) for on, processes in found if 2 <= processes < machine["ranks"]]

    def selftest(self, seconds):
        """The verdict of `hopscotch selftest`."""
        shown = []
        returncode, errors = process_group.run_by_line(
            [sys.executable, sys.argv[0], "selftest", "--seconds", f"{seconds:.0f}", "--", *self.command],
            seconds + 2 * GRACE, shown.append, env={**os.environ})
        verdict = next((line.partition("verdict: ")[2].strip() for line in shown if line.startswith("verdict: ")),
                       errors.strip()[-500:] or "no verdict")
        if returncode == status.CANNOT:
            return self.leave_out("selftest", verdict)
        results = selftest.results_in(shown)
        self.document["selftest"] = {
            "status": -1 if returncode is None else returncode, "verdict": verdict,
            **{member: [name for name, result in results.items() if holds(result)] for member, holds in
               (("equal", "equal".__eq__), ("failed", lambda result: result.endswith("FAILED")),
                ("not_tried", ("not tried", "not reached").__contains__))}}
        return None


def measure_all(measurement):
    """All parts. Raises Failed, OSError."""
    keep = measurement.keep
    measurement.machine()
    keep()
    ways = measurement.ways()
    total = measurement.effort.seconds
    rest = measurement.cases("cases", all_cases(), SHARE_OF_CASES * total, ways)
    keep()
    for part in (measurement.creation, measurement.start):
        if measurement.left() < LEAST:
            measurement.leave_out(part.__name__)
        else:
            part()
        keep()
    of_all = [(3, 3, "global_allgather", ints, "together") for ints in GLOBAL_INTS]
    left_out = [("MPI_Allgather", measurement.cases("MPI_Allgather", of_all, 0.03 * total, GLOBAL_WAYS))]
    keep()
    some = [(3, 3, "alltoall", ints, "together") for ints in (100, 2, 16384)]
    for on, processes in measurement.subsets():
        missing = measurement.cases(f"on {on}", some, 0.04 * total, SUBSET_WAYS, on)
        left_out.append((f"on {on} ({processes} processes)", missing))
        keep()
    if measurement.left() > 2 * LEAST:
        measurement.selftest(min(60.0, 0.05 * total))
    else:
        measurement.leave_out("selftest")
    osu.measure(measurement, LEAST)
    keep()
    while rest and measurement.left() > LEAST and not measurement.document["failures"]:
        before = len(rest)
        rest = measurement.cases("cases", rest, measurement.left() - 1, ways)
        keep()
        if len(rest) == before:
            break
    for what, missing in [("cases", rest), *left_out]:
        for case in missing:
            measurement.leave_out(f"{what}: {case_words(*case)}")


def typical_spread(cases):
    """Half the distance of the quartiles over the median, in the middle of all ways."""
    found = [(way["high_us"] - way["low_us"]) / 2 / way["median_us"] for case in cases for way in case["ways"]
             if way["median_us"] > 0]
    return statistics.median(found) if found else 0.0
