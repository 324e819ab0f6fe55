# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A program with all its faults, of which one is chosen when it runs, does what the program with that fault does.
Lines that the compiler refuses are left out; results of fault_map.py are kept for one state of the sources."""

import collections
import os
import pathlib
import shutil
import subprocess
import tempfile

from support import ROOT, check, setup
import excused_faults
import fault_map
import random_mutations
import switched_faults

SOURCE = """#include <cstdio>
namespace
{
int calls = 0;
int note(int value)
{
    ++calls;
    return value;
}
bool between(int a, int b, int c)
{
    return (a <= b && note(b) < c) || c == 5 || note(
        c) != 3 && a > b;
}
void tell(const char* name, long value, int other)
{
    std::printf("%s %ld\\n", name, 3 * value + other);
}
constexpr int width = 2 + 3;
struct Shape {
    virtual ~Shape() = default;
    virtual int edges() const = 0;
};
} // namespace
int main()
{
    int sum = 0;
    for (int i = 0; i < width; ++i) {
        if (between(i, 2, sum))
            sum = sum + note(i) - 1;
        else
            note(sum);
        if (const int left = width - i; left >= 4 || !between(sum, i, left)) // "a" && b
            std::printf("%d, 1 + 1\\n", left);
    }
    const char* const name = "at";
    tell(name, sum, calls);
    tell("", 1, sum);
    for (const char* at = name; *at != '\\0'; ++at)
        sum += *at == '"' || *at == '1' || *at == 't';
    std::printf("%d %d\\n", sum, calls);
}
"""


def compiled(folder, text, *options):
    """The program, or None if the compiler refuses it."""
    source, program = folder / "a.cpp", folder / "a"
    source.write_text(text, encoding="utf-8")
    done = subprocess.run(["g++", "-std=c++17", "-w", *options, "-o", program, source], stderr=subprocess.PIPE,
                          text=True, check=False)
    return None if done.returncode else program


def output_of(program, **environment):
    return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, **environment}).stdout


def check_program(folder):
    (folder / "room.cpp").write_text(SOURCE, encoding="utf-8")
    wanted = collections.defaultdict(collections.Counter)
    for fault in random_mutations.faults_of_file(folder, "room.cpp"):
        line, rule = fault.what.removeprefix("line ").split(", ", 1)
        if fault.old.startswith(("constexpr", "int calls = ")): # no fault can be chosen in a constant
            continue
        if program := compiled(folder, SOURCE.replace(fault.old, fault.new)):
            wanted[int(line), rule][output_of(program)] += 1
    writer = switched_faults.Writer("room.cpp", SOURCE, 1)
    text = writer.written()
    check(text.count("\n") == SOURCE.count("\n"), "lines stay", text)
    plain = output_of(compiled(folder, SOURCE))
    program = compiled(folder, text, "-include", str(ROOT / fault_map.HEADER))
    check(program is not None, "all faults compile", text)
    reached = folder / "reached"
    reached.write_bytes(bytes(len(writer.faults) + 1))
    check(output_of(program, FAULT_REACHED=str(reached)) == plain, "without a fault it is as before", text)
    come_to = [number for number, byte in enumerate(reached.read_bytes()) if byte]
    found = collections.defaultdict(collections.Counter)
    for fault in writer.faults:
        output = output_of(program, FAULT_CHOSEN=str(fault.number))
        check(fault.number in come_to or output == plain, f"not come to, but other: {fault}", output)
        if fault.number in come_to:
            found[fault.line, fault.what.partition(" (")[0]][output] += 1
    check(found == wanted, "the same as the mutated programs", f"{dict(wanted)}\n{dict(found)}\n{text}")


def check_refused():
    writer = switched_faults.Writer("a", "int f()\n{\n    return 1 + 2;\n}\n", 7, {3})
    check(writer.written() == "int f()\n{\n    return 1 + 2;\n}\n" and writer.left_out == 3 and not writer.faults,
          "a refused line", writer.faults)


def check_excused():
    """Each excused fault is there."""
    for each in excused_faults.EXCUSED:
        text = (ROOT / each.file).read_text(encoding="utf-8")
        writer = switched_faults.Writer(each.file, text, 1)
        writer.written()
        check(any(excused_faults.is_excused(fault, text.split("\n")[fault.line - 1], [each])
                  for fault in writer.faults), "an excused fault is there", each)


def check_results(folder):
    """What a call has found is there for the next one, which tries no fault of a test twice."""
    path = folder / "kept.json"
    results = fault_map.Results(path)
    results.add(test="a", reached=[1, 2], seconds=2.0)
    results.add(test="b", reached=[2, 3], seconds=1.0)
    results.add(test="b", fault=2, noticed=True)
    results = fault_map.Results(path)
    faults = [switched_faults.Fault(number, "x.cpp", number, f"rule {number % 2} (+)") for number in range(1, 5)]
    chosen = fault_map.sample(faults, 9, 1, {1, 2, 3})
    check({fault.number for fault in chosen} == {1, 2, 3} and chosen == fault_map.sample(faults, 9, 1, {1, 2, 3}),
          "a sample is of faults that are come to", chosen)
    tried = []

    class Runs(fault_map.Runs):
        def __init__(self):
            pass

        def passes(self, label, number):
            tried.append((label, number))
            return label != "a"
    check(fault_map.try_fault(faults[1], Runs(), results, float("inf")) and tried == [("a", 2)] * 2, "tried", tried)
    for test in "cd":
        results.add(test=test, reached=[4], seconds=3.0)
    fault_map.try_fault(faults[3], Runs(), results, float("inf"), 2)
    check(tried[2:] == [("c", 4)], "no more tests after so many seconds", tried)
    results.add(test="d", fault=4, noticed=True)
    results.add(test="e", reached=[4], seconds=3.0)
    fault_map.try_fault(faults[3], Runs(), results, float("inf"), 9)
    check(tried[3:] == [], "no more tests after one that notices", tried)
    check("noticed by 2 of 2, a, b" in fault_map.told(faults[1], results), "told",
          fault_map.told(faults[1], results))
    check(not fault_map.try_fault(faults[2], Runs(), results, 0), "the time is over")


with tempfile.TemporaryDirectory() as place:
    if shutil.which("g++"):
        check_program(pathlib.Path(place))
    else:
        print("skipped: no faults are compiled (apt-get install g++)")
    check_refused()
    check_excused()
    check_results(pathlib.Path(place))
setup.finish()
