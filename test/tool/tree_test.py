# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/develop/check_tree.py finds what only one version of Catch2 knows, in sources that use Catch2; retired
and pasted names and two types of one name; files that do not follow the version of meson.build.
chosen_tests.py finds the tests of a source, tests_left.py counts those of a run that are left."""

import pathlib
import shutil
import tempfile

from support import ROOT, setup
import check_tree
import chosen_tests
import tests_left

USES = '#include "test/catch.hpp"\n'
REFUSED = ("CHECK(a == Approx(b).epsilon(1e-3));", "CHECK(a == Catch::Approx(b));", "#include <catch2/catch_all.hpp>",
           'SKIP("no device");', "STATIC_CHECK(sizeof(int) == 4);", "#define CATCH_CONFIG_MAIN",
           'CHECK_THAT(a, Catch::Matchers::Contains("b"));', 'TEMPLATE_TEST_CASE("a", "", int)',
           "CHECK_THROWS_MATCHES(f(), Error, matcher);")
TAKEN = ("CHECK(a == about(b).epsilon(1e-3));", 'CHECK_THAT(a, contains("b"));', "Catch::Session session;",
         "// Approx is of version 2.", "const int SKIPPED = 1;", "STATIC_REQUIRE(sizeof(int) == 4);")


def check_tests_left():
    """The tests that Meson runs, those that it has run, and minutes at the pace of this run."""
    tests = [{"name": name, "suite": [f"hopscotch:{suite}" for suite in suites]} for name, *suites in
             (("a", "unit", "quick"), ("b_1", "preload"), ("b_2", "preload", "night"), ("c", "tool"))]
    for suite, names, wanted in (("", [], "a b_1 c"), ("quick", [], "a"), ("", ["b_*"], "b_1 b_2"),
                                 ("night", ["b_*"], "b_2"), ("night", [], "b_2")):
        found = tests_left.chosen(tests, suite, names)
        setup.check(found == set(wanted.split()), f"tests left: chosen by {suite} {names}", found)
    done = {"a": {"starttime": 100.0}, "c": {"starttime": 110.0}}
    for before, wanted in (({}, "2 of 4 tests"), ({"a": 10, "b_1": 5}, "2 of 4 tests, 2 minutes left at this pace"),
                           ({"b_1": 10, "b_2": 5}, "2 of 4 tests"),
                           ({"a": 20, "b_1": 30, "b_2": 20, "c": 10}, "2 of 4 tests, 2 minutes left at this pace")):
        found = tests_left.left({"a", "b_1", "b_2", "c"}, done, before, 160.0)
        setup.check(found == wanted, f"tests left: {before}", found)


with tempfile.TemporaryDirectory() as place:
    check_tree.ROOT = pathlib.Path(place)
    source = pathlib.Path(place, "test/shim/a_test.cpp")
    source.parent.mkdir(parents=True)
    for line in (*REFUSED, *TAKEN):
        source.write_text(f"{USES}{line}\n", encoding="utf-8")
        errors = list(check_tree.catch2_errors())
        setup.check(len(errors) == (line in REFUSED) and all(error.startswith("test/shim/a_test.cpp:2: ")
                                                            for error in errors), line, errors)
    source.write_text(f"{REFUSED[0]}\n", encoding="utf-8")
    setup.check(not list(check_tree.catch2_errors()), "a source without Catch2")

with tempfile.TemporaryDirectory() as place:
    check_tree.ROOT = pathlib.Path(place)
    source = pathlib.Path(place, "shim/call/a.cpp")
    source.parent.mkdir(parents=True)
    for line, errors in (("int known_ = 0;", 1), ("known_ = known_grids(); // Links", 1), ('say("Beside");', 0),
                         ("// Around it nobody is known_.", 0), ("Planner one;", 1), ("OverlapPlanner one;", 0)):
        source.write_text(f"\n{line}\n", encoding="utf-8")
        found = list(check_tree.retired_errors())
        right = len(found) == errors and all(error.startswith("shim/call/a.cpp:2: ") for error in found)
        setup.check(right, line, found)
    for line, errors in (("int MPI_##name();", 1), ("int P##name parameters", 0), ("int a; // ##", 0)):
        source.write_text(f"{line}\n", encoding="utf-8")
        setup.check(len(list(check_tree.pasted_errors())) == errors, line, list(check_tree.pasted_errors()))
    source.write_text("struct Twin {\n};\n", encoding="utf-8")
    setup.check(not list(check_tree.type_errors()), "one type")
    source.with_name("b.cpp").write_text("class Twin final : public Base\n{\n};\n", encoding="utf-8")
    setup.check(len(list(check_tree.type_errors())) == 1, "two types of one name", list(check_tree.type_errors()))

with tempfile.TemporaryDirectory() as place:
    check_tree.ROOT = ROOT
    setup.check(not list(check_tree.version_errors()), "the version here", list(check_tree.version_errors()))
    for name in ("meson.build", "README.md", "include", "docs", "scripts"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        pathlib.Path(place, name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, pathlib.Path(place, name))
    check_tree.ROOT = pathlib.Path(place)
    setup.check(not list(check_tree.version_errors()), "the version of a copy")
    build = pathlib.Path(place, "meson.build")
    build.write_text(build.read_text(encoding="utf-8").replace("  version: '", "  version: '9"), encoding="utf-8")
    errors = list(check_tree.version_errors())
    setup.check(len(errors) == 11, "files that do not follow", errors)

with tempfile.TemporaryDirectory() as place:
    for name, text in {"shim/a/one_test.cpp": "", "shim/a/two_test.cpp": '#include "shim/a/one.hpp"\n',
                       "shim/b/three_test.cpp": '#include "shim/a/one.hpp"\n#include "shim/a/other.hpp"\n',
                       "shim/b/two_test.cpp": '#include "shim/a/another.hpp"\n'}.items():
        path = pathlib.Path(place, "test", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for source, wanted in {"shim/a/one.cpp": ["shim/a/one_test.cpp", "shim/a/two_test.cpp"], "shim/a/none.cpp": [],
                           "shim/a/other.hpp": ["shim/b/three_test.cpp"]}.items():
        found = [str(test) for test in chosen_tests.own_tests(source, place)]
        setup.check(found == [f"test/{name}" for name in wanted], f"the tests of {source}", found)
check_tests_left()
setup.finish()
