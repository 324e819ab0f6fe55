// The report of known numbers, letter by letter where a person or a program reads it.
#include "test/catch.hpp"

#include "shim/json.hpp"
#include "shim/log.hpp"
#include "shim/report.hpp"
#include "shim/summary.hpp"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <sstream>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

const OperationKey combining{"MPI_Neighbor_alltoall", "combining", ""};
const OperationKey native{"MPI_Neighbor_alltoallw", "native", "a datatype with overlapping blocks"};

GraphRecord moore(std::uint64_t key, int rank)
{
    GraphRecord graph;
    graph.key = key;
    graph.created_by = "MPI_Dist_graph_create_adjacent";
    graph.call_site = {"setup (halo.c:3)", "main (halo.c:9)"};
    graph.ranks = 27;
    graph.out_degree_min = graph.out_degree_max = 26;
    graph.isomorphic = true;
    graph.dims = {3, 3, 3};
    graph.periodic = {true, true, true};
    graph.found = "inferred";
    graph.stencil_name = "moore";
    graph.stencil_radius = 1;
    graph.stencil_neighbors = 26;
    graph.rounds = 6;
    graph.volume = 54;
    graph.setup_seconds = 0.001;
    graph.operations[combining] = {1000, 0, 432000, 6000, 26000, rank == 0 ? 0.25 : 0.5};
    return graph;
}

GraphRecord ring(std::uint64_t key)
{
    GraphRecord graph;
    graph.key = key;
    graph.created_by = "MPI_Graph_create";
    graph.ranks = 27;
    graph.out_degree_min = 1;
    graph.out_degree_max = 3;
    graph.declined = "the neighbors fit no process box";
    return graph;
}

Report two_ranks(const std::vector<GraphRecord>& first, const std::vector<GraphRecord>& second)
{
    Report report;
    report.job.version = "0.1.0";
    report.job.mpi_library = "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n";
    report.job.ranks = 27;
    report.job.nodes = 1;
    report.job.elapsed_seconds = 2.0;
    report.job.command = "./stencil -n 100";
    add(report, ProcessRecords{first});
    add(report, ProcessRecords{second});
    return report;
}

Report example()
{
    GraphRecord with_native = moore(20, 0);
    with_native.operations[native] = {5, 0, 80, 10, 10, 1e-5};
    with_native.trials = {{"MPI_Neighbor_alltoall", 64, "native", 5e-5, false},
                          {"MPI_Neighbor_alltoall", 64, "combining", 1.25e-5, true}};
    Report report = two_ranks({with_native, ring(30)}, {moore(20, 1), ring(30)});
    report.job.settings = {{"HOPSCOTCH_YIELD", "always"}};
    return report;
}

std::string contents(const std::string& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// An empty directory that is removed, with what is in it, at the end.
class Directory
{
  public:
    Directory() { REQUIRE(mkdtemp(path_) != nullptr); }
    ~Directory()
    {
        for (const std::string& file : files())
            std::remove((path() + "/" + file).c_str());
        rmdir(path_);
    }
    std::string path() const { return path_; }
    std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        DIR* const directory = opendir(path_);
        while (const dirent* const entry = readdir(directory)) {
            if (entry->d_name[0] != '.')
                names.push_back(entry->d_name);
        }
        closedir(directory);
        return names;
    }

  private:
    char path_[32] = "/tmp/hopscotch_report_XXXXXX";
};

/// What a function writes to stderr.
template <typename Function>
std::string stderr_of(Function function)
{
    const Directory directory;
    const std::string file = directory.path() + "/stderr";
    const int kept = dup(STDERR_FILENO);
    const int redirected = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(redirected, STDERR_FILENO);
    function();
    dup2(kept, STDERR_FILENO);
    close(redirected);
    close(kept);
    return contents(file);
}

/// Accepts exactly JSON texts (RFC 8259), and knows nothing of what they say.
class JsonChecker
{
  public:
    static bool valid(const std::string& text)
    {
        JsonChecker checker{text};
        return checker.value() && (checker.blanks(), checker.at_ == text.size());
    }

  private:
    explicit JsonChecker(const std::string& text) : text_(text) {}

    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void blanks()
    {
        while (here() == ' ' || here() == '\n' || here() == '\t')
            ++at_;
    }
    bool take(char c)
    {
        if (here() != c)
            return false;
        ++at_;
        return true;
    }
    bool digits()
    {
        const std::size_t begin = at_;
        while (here() >= '0' && here() <= '9')
            ++at_;
        return at_ > begin;
    }
    bool string()
    {
        if (!take('"'))
            return false;
        while (here() != '"') {
            if (static_cast<unsigned char>(here()) < 0x20)
                return false;
            if (take('\\')) {
                if (take('u')) {
                    if (text_.find_first_not_of("0123456789abcdef", at_) < at_ + 4)
                        return false;
                    at_ += 4;
                    continue;
                }
                if (std::string("\"\\/bfnrt").find(here()) == std::string::npos)
                    return false;
            }
            ++at_;
        }
        return take('"');
    }
    bool number()
    {
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (take('e')) {
            if (!take('-'))
                take('+');
            return digits();
        }
        return true;
    }
    bool word(const std::string& expected)
    {
        const bool found = text_.compare(at_, expected.size(), expected) == 0;
        at_ += found ? expected.size() : 0;
        return found;
    }
    bool members(char end, bool named)
    {
        blanks();
        if (take(end))
            return true;
        do {
            blanks();
            if (named && !(string() && (blanks(), take(':'))))
                return false;
            if (!value())
                return false;
            blanks();
        } while (take(','));
        return take(end);
    }
    bool value()
    {
        blanks();
        if (take('{'))
            return members('}', true);
        if (take('['))
            return members(']', false);
        if (here() == '"')
            return string();
        return word("true") || word("false") || word("null") || number();
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

} // namespace

TEST_CASE("The text report fits a screen")
{
    CHECK(text_report(example()) ==
          R"(hopscotch: report, version 0.1.0
command      ./stencil -n 100
job          27 ranks on 1 node, 2.00 s
mpi          MPICH Version: 4.0.2
settings     HOPSCOTCH_YIELD=always
calls        1005: 1000 accelerated, 5 native
messages     12010 instead of 52010, one per neighbor (23.1 %)
time         [750 ms] <375 ms> 250 ms 500 ms, 18.8 % of the run ([total] <mean> min max over ranks)
set-up       [2.00 ms] <1.00 ms> 1.00 ms 1.00 ms, 0.05 % of the run
native       5 calls: a datatype with overlapping blocks

graph 1: MPI_Dist_graph_create_adjacent, 27 ranks, 26 neighbors
  created in   setup (halo.c:3) < main (halo.c:9)
  box          3px3px3p, inferred from the neighbors
  stencil      moore, radius 1: t = 26 neighbors, C = 6 rounds, V = 54 blocks
  function            algorithm  calls     sent  messages  trivial    [total]     <mean>      min      max   cov
  Neighbor_alltoall   combining   1000  844 KiB     12000    52000   [750 ms]   <375 ms>   250 ms   500 ms  0.33
  Neighbor_alltoallw  native         5     80 B        10       10  [10.0 us]  <10.0 us>  10.0 us  10.0 us  0.00
  native       Neighbor_alltoallw, 5 calls: a datatype with overlapping blocks
  measured     Neighbor_alltoall, blocks up to 64 B: native 50.0 us, combining 12.5 us (chosen);
               4.00 times as fast as native

graph 2: MPI_Graph_create, 27 ranks, 1 to 3 neighbors
  declined     the neighbors fit no process box
  calls        none

what to try next: nothing: the reasons why 5 calls ran natively are given above.
hopscotch: end of report
)");
}

TEST_CASE("The JSON report follows the schema")
{
    const std::string text = json_report(example());
    CHECK(JsonChecker::valid(text));
    CHECK(text == R"json({
  "schema": 1,
  "version": "0.1.0",
  "mpi_library": "MPICH Version: 4.0.2",
  "ranks": 27,
  "nodes": 1,
  "elapsed_s": 2,
  "settings": {
    "HOPSCOTCH_YIELD": "always"
  },
  "graphs": [
    {
      "id": 1,
      "created_by": "MPI_Dist_graph_create_adjacent",
      "call_site": [
        "setup (halo.c:3)",
        "main (halo.c:9)"
      ],
      "ranks": 27,
      "neighbors": {"min": 26, "max": 26},
      "isomorphic": true,
      "declined": null,
      "grid": {"dims": [3, 3, 3], "periodic": [true, true, true], "found": "inferred"},
      "stencil": {"name": "moore", "radius": 1, "neighbors": 26},
      "rounds": 6,
      "volume": 54,
      "operations": [
        {
          "function": "MPI_Neighbor_alltoall",
          "algorithm": "combining",
          "calls": 1000,
          "bytes": 864000,
          "messages": 12000,
          "messages_trivial": 52000,
          "time_s": {"total": 0.75, "mean": 0.375, "max": 0.5, "min": 0.25, "variation": 0.3333333333333333},
          "reason": null,
          "failed": 0,
          "ranks": 2
        },
        {
          "function": "MPI_Neighbor_alltoallw",
          "algorithm": "native",
          "calls": 5,
          "bytes": 80,
          "messages": 10,
          "messages_trivial": 10,
          "time_s": {"total": 1e-05, "mean": 1e-05, "max": 1e-05, "min": 1e-05, "variation": 0},
          "reason": "a datatype with overlapping blocks",
          "failed": 0,
          "ranks": 1
        }
      ],
      "setup_s": {"total": 0.002, "mean": 0.001, "max": 0.001, "min": 0.001, "variation": 0},
      "trials": [
        {"function": "MPI_Neighbor_alltoall", "block_bytes_most": 64, "algorithm": "native", "time_s": 5e-05, "chosen": false},
        {"function": "MPI_Neighbor_alltoall", "block_bytes_most": 64, "algorithm": "combining", "time_s": 1.25e-05, "chosen": true}
      ]
    },
    {
      "id": 2,
      "created_by": "MPI_Graph_create",
      "call_site": [],
      "ranks": 27,
      "neighbors": {"min": 1, "max": 3},
      "isomorphic": false,
      "declined": "the neighbors fit no process box",
      "grid": null,
      "stencil": null,
      "rounds": null,
      "volume": null,
      "operations": [],
      "setup_s": {"total": 0, "mean": 0, "max": 0, "min": 0, "variation": 0},
      "trials": []
    }
  ],
  "totals": {
    "calls": 1005,
    "accelerated": 1000,
    "native": 5,
    "messages": 12010,
    "messages_trivial": 52010,
    "time_s": 0.7500100000000001,
    "setup_s": 0.002,
    "failed": 0,
    "bytes": 864080
  },
  "command": "./stencil -n 100",
  "enabled": true,
  "processes": 2,
  "partial": null,
  "stood_down": null,
  "next_step": "nothing: the reasons why 5 calls ran natively are given above."
}
)json");
}

TEST_CASE("The page shows the same and survives markup in names")
{
    Report report = example();
    report.job.command = "./a<b> & \"c\"";
    const std::string page = html_report(report);
    CHECK(page.find("<!DOCTYPE html>") == 0);
    CHECK(page.find("./a&lt;b&gt; &amp; &quot;c&quot;") != std::string::npos);
    CHECK(page.find("MPI_Neighbor_alltoall</td><td>combining</td><td>1000</td>") != std::string::npos);
    CHECK(page.find("a datatype with overlapping blocks") != std::string::npos);
    CHECK(page.find("prefers-color-scheme: dark") != std::string::npos);
    CHECK(page.find("http") == std::string::npos); // nothing is loaded from anywhere
    CHECK(page.rfind("</html>\n") == page.size() - 8);
}

TEST_CASE("Graphs that are alike are one block")
{
    const Report report =
        two_ranks({moore(1, 0), ring(2), moore(3, 0), moore(4, 0)}, {moore(1, 1), ring(2), moore(3, 1), moore(4, 1)});
    const std::string text = text_report(report);
    CHECK(
        text.find("graphs 1, 3, 4: MPI_Dist_graph_create_adjacent, 27 ranks, 26 neighbors (3 graphs like this, numbers "
                  "are sums)\n") != std::string::npos);
    CHECK(text.find("combining   3000") != std::string::npos);
    const std::vector<GraphGroup> groups = grouped(report);
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].ids == std::vector<std::uint64_t>{1, 3, 4});
    CHECK(groups[0].seconds() == about(2.25));
    CHECK(totals(report).calls == 3000);
}

TEST_CASE("Of many kinds of graphs those with most time are shown")
{
    std::vector<GraphRecord> graphs;
    for (std::uint64_t key = 1; key <= 20; ++key) {
        GraphRecord graph = moore(key, 0);
        graph.call_site[0] = "setup (halo.c:" + std::to_string(key) + ")";
        graph.operations[combining].seconds = static_cast<double>(key);
        graphs.push_back(graph);
    }
    const std::string text = text_report(two_ranks(graphs, graphs));
    CHECK(text.find("\ngraph 20:") < text.find("\ngraph 19:"));
    CHECK(text.find("\ngraph 15:") != std::string::npos);
    CHECK(text.find("\ngraph 14:") == std::string::npos);
    CHECK(text.find("\n14 graphs with less time left out, [210 s] in all; HOPSCOTCH_REPORT=FILE.json has them.\n") !=
          std::string::npos);
}

TEST_CASE("Calls on unknown communicators have a block of their own")
{
    GraphRecord unknown;
    unknown.created_by = "unknown";
    unknown.operations[{"MPI_Neighbor_allgather", "native", "the communicator is not known"}] = {3, 2, 0, 0, 0, 0.1};
    const Report report = two_ranks({unknown, ring(5)}, {unknown, ring(5)});
    CHECK(graph_ids(report) == std::vector<std::uint64_t>{0, 1});
    const std::string text = text_report(report);
    CHECK(text.find("other communicators: calls on communicators Hopscotch does not know\n") != std::string::npos);
    CHECK(text.find("calls        3: 0 accelerated, 3 native, 2 of them failed\n") != std::string::npos);
    CHECK(json_report(report).find("\"id\": 0,\n      \"created_by\": \"unknown\"") != std::string::npos);
}

TEST_CASE("What to try next")
{
    const auto native_run = [] {
        GraphRecord graph = moore(1, 0);
        graph.operations.clear();
        graph.operations[{"MPI_Neighbor_alltoall", "native", "as HOPSCOTCH_ALGORITHM asks"}] = {10, 0, 0, 0, 0, 0.5};
        return two_ranks({graph}, {graph});
    };
    SECTION("nothing")
    {
        CHECK(next_step(two_ranks({moore(1, 0)}, {moore(1, 0)})) == "nothing: all calls were accelerated.");
    }
    SECTION("nothing was seen")
    {
        CHECK(next_step(two_ranks({}, {})).find("created no Cartesian or graph communicator") != std::string::npos);
        CHECK(next_step(two_ranks({ring(1)}, {ring(1)})).find("no neighborhood collective") != std::string::npos);
    }
    SECTION("native was asked for")
    {
        Report report = native_run();
        report.job.settings = {{"HOPSCOTCH_ALGORITHM", "native"}};
        CHECK(next_step(report) == "HOPSCOTCH_ALGORITHM=auto: 10 calls ran natively under HOPSCOTCH_ALGORITHM=native.");
    }
    SECTION("native for other reasons")
    {
        CHECK(next_step(native_run()) == "nothing: the reasons why 10 calls ran natively are given above.");
    }
    SECTION("a box may be missing")
    {
        GraphRecord graph = ring(1);
        graph.operations[{"MPI_Neighbor_alltoall", "merged", ""}] = {10, 0, 0, 0, 0, 0.5};
        Report report = two_ranks({graph}, {graph});
        CHECK(next_step(report) ==
              "HOPSCOTCH_DIMS=4x4x2 (your sizes; 4px4px2p where periodic), if the processes of graph 1 "
              "form a box.");
        report.job.settings = {{"HOPSCOTCH_INFER", "off"}};
        CHECK(next_step(report).find("HOPSCOTCH_INFER=on") == 0);
        report.job.settings = {{"HOPSCOTCH_DIMS", "3x9"}};
        CHECK(next_step(report) == "nothing: all calls were accelerated.");
    }
    SECTION("switched off, stood down, failed")
    {
        Report report = native_run();
        report.graphs.at(1).operations.begin()->second.failed = 1;
        CHECK(next_step(report).find("HOPSCOTCH=off: 1 call returned an error") == 0);
        report.job.stood_down = "this is Open MPI";
        CHECK(next_step(report).find("`hopscotch doctor`") == 0);
        report.job.enabled = false;
        CHECK(next_step(report).find("HOPSCOTCH=on") == 0);
    }
}

TEST_CASE("Numbers have three digits and a unit")
{
    CHECK(duration_text(0.0) == "0 s");
    CHECK(duration_text(std::numeric_limits<double>::quiet_NaN()) == "0 s");
    CHECK(duration_text(1.234e-6) == "1.23 us");
    CHECK(duration_text(0.9994e-3) == "999 us");
    CHECK(duration_text(0.9996e-3) == "1.00 ms");
    CHECK(duration_text(0.0123) == "12.3 ms");
    CHECK(duration_text(99.96) == "100 s");
    CHECK(duration_text(86400.0) == "86400 s");
    CHECK(bytes_text(1023) == "1023 B");
    CHECK(bytes_text(1536) == "1.50 KiB");
    CHECK(bytes_text(std::uint64_t{5} << 40) == "5.00 TiB");
    CHECK(ratio_text(9.996) == "10.0");
}

TEST_CASE("JSON is valid whatever it holds")
{
    JsonWriter json;
    json.begin_object();
    json.member("quoted \"\\\n\x01", "tab\tlatin \xe9 cut \xe2\x82 fine \xe2\x82\xac overlong \xc0\xaf");
    json.member("infinite", std::numeric_limits<double>::infinity());
    json.member("small", 1e-9);
    json.member("large", std::numeric_limits<std::uint64_t>::max());
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.key("line");
    json.begin_array(JsonWriter::Layout::one_line);
    json.begin_object();
    json.member("a", 1);
    json.member("b", true);
    json.end_object();
    json.null();
    json.end_array();
    json.member_or_null("nothing", "");
    json.end_object();
    CHECK(JsonChecker::valid(json.text()));
    CHECK(json.text() == R"({
  "quoted \"\\\n\u0001": "tab\tlatin \ufffd cut \ufffd\ufffd fine )"
                         "\xe2\x82\xac"
                         R"( overlong \ufffd\ufffd",
  "infinite": null,
  "small": 1e-09,
  "large": 18446744073709551615,
  "empty": [],
  "line": [{"a": 1, "b": true}, null],
  "nothing": null
}
)");
    CHECK_FALSE(JsonChecker::valid("{\"a\": nan}"));
    CHECK_FALSE(JsonChecker::valid("[1,]"));
}

TEST_CASE("A report is written to every destination")
{
    const Directory directory;
    const Report report = example();
    const std::string base = directory.path() + "/run";
    const std::string lines =
        stderr_of([&] { write_report("stderr," + base + ".txt," + base + ".json," + base + "%p.html", report); });
    CHECK(lines == text_report(report));
    CHECK(contents(base + ".txt") == text_report(report));
    CHECK(contents(base + ".json") == json_report(report));
    CHECK(contents(base + std::to_string(getpid()) + ".html") == html_report(report));
    CHECK(directory.files().size() == 3); // nothing unfinished stays
    CHECK(stderr_of([&] { write_report("off", report); }).empty());
}

TEST_CASE("A file that cannot be written is one warning")
{
    const std::string lines = stderr_of([] { write_report("/nowhere/at/all.json", Report{}); });
    CHECK(lines ==
          "hopscotch warning: the report cannot be written to /nowhere/at/all.json: No such file or directory\n");
}

TEST_CASE("Log lines carry rank and level")
{
    CHECK(stderr_of([] {
              log(LogLevel::info, "not shown");
              set_log_rank(3);
              log(LogLevel::error, "first\nsecond");
              set_log_level(LogLevel::debug);
              log(LogLevel::debug, "shown");
              set_log_level(LogLevel::warn);
              set_log_rank(-1);
          }) == "hopscotch[3] error: first\nhopscotch[3] error: second\nhopscotch[3] debug: shown\n");
    CHECK_FALSE(log_enabled(LogLevel::info));
}
