// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The meaning of the variables, the refused values, and the messages.
#include "test/catch.hpp"

#include "shim/base/destination.hpp"
#include "shim/base/settings.hpp"

#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
#include <utility>

using namespace hopscotch::shim;

namespace
{

Settings parsed(const std::string& name, const std::string& value)
{
    const ParsedSettings result = parse_settings({{name, value}});
    CHECK(result.errors.empty());
    CHECK(result.warnings.empty());
    return result.settings;
}

bool refused(const std::string& name, const std::string& value)
{
    const ParsedSettings result = parse_settings({{name, value}});
    return result.errors.size() == 1 && result.errors[0].find(name + "=" + value) == 0 &&
           canonical(result.settings) == canonical(Settings{});
}

/// The name and the default of each, as the help has them.
std::vector<std::pair<std::string, std::string>> all_settings()
{
    std::vector<std::pair<std::string, std::string>> found;
    for (const SettingHelp& entry : settings_help())
        found.emplace_back(entry.name, entry.usual);
    return found;
}

} // namespace

TEST_CASE("Without variables everything has its default")
{
    const ParsedSettings result = parse_settings({});
    CHECK(result.errors.empty());
    CHECK(result.settings.enabled);
    CHECK(result.settings.algorithm(Collective::alltoallw) == Algorithm::automatic);
    CHECK_FALSE(result.settings.cutoff_bytes);
    CHECK_FALSE(result.settings.grid);
    CHECK(result.settings.infer);
    CHECK(result.settings.report == "stderr");
    CHECK_FALSE(result.settings.verify);
    CHECK(result.settings.log_level == LogLevel::warn);
    CHECK(non_default(result.settings).empty());
}

TEST_CASE("Switches have several spellings")
{
    for (const char* const off : {"off", "0", "false", "no", "OFF", "False", " off "})
        CHECK_FALSE(parsed("HOPSCOTCH", off).enabled);
    for (const char* const on : {"on", "1", "true", "yes", "Yes"})
        CHECK(parsed("HOPSCOTCH_VERIFY", on).verify);
    CHECK(parsed("HOPSCOTCH", "").enabled); // empty is as good as unset
    CHECK(refused("HOPSCOTCH", "2"));
    CHECK(refused("HOPSCOTCH_INFER", "maybe"));
}

TEST_CASE("Algorithms are chosen for all operations or one by one")
{
    const Settings all = parsed("HOPSCOTCH_ALGORITHM", "combining");
    CHECK(all.algorithm(Collective::alltoall) == Algorithm::combining);
    CHECK(all.algorithm(Collective::allgatherv) == Algorithm::combining);

    const Settings some = parsed("HOPSCOTCH_ALGORITHM", "alltoallv=combining,Neighbor_allgather=trivial");
    CHECK(some.algorithm(Collective::alltoallv) == Algorithm::combining);
    CHECK(some.algorithm(Collective::allgather) == Algorithm::trivial);
    CHECK(some.algorithm(Collective::alltoall) == Algorithm::automatic);
    CHECK(non_default(some) == Environment{{"HOPSCOTCH_ALGORITHM", "alltoallv=combining,allgather=trivial"}});
    CHECK(parsed("HOPSCOTCH_ALGORITHM", "MPI_Neighbor_alltoallw=merged").algorithm(Collective::alltoallw) ==
          Algorithm::merged);

    CHECK(parse_algorithms("alltoallv=combining,allgather=trivial") ==
          parsed("HOPSCOTCH_ALGORITHM", "alltoallv=combining,allgather=trivial").algorithms);
    CHECK_FALSE(parse_algorithms("fast"));

    for (const char* const bad : {"fast", "alltoall=fast", "alltoalls=native", "alltoall=native,",
                                  "alltoall=native=shared", "native,shared", "alltoall=native,alltoall=shared", "="})
        CHECK(refused("HOPSCOTCH_ALGORITHM", bad));
}

TEST_CASE("Combined blocks travel by a member of the family or by groups")
{
    CHECK(parsed("HOPSCOTCH_COMBINING", "").combining == "auto");
    CHECK(parsed("HOPSCOTCH_COMBINING", "paper").combining == "paper");
    CHECK(parsed("HOPSCOTCH_COMBINING", "Rounds").combining == "rounds");
    CHECK(parsed("HOPSCOTCH_COMBINING", "phases").combining == "phases");
    CHECK(parsed("HOPSCOTCH_COMBINING", "2+0/1:3").combining == "2+0/1:3");
    for (const char* const bad : {"fast", "0/", "0:x", "+1"})
        CHECK(refused("HOPSCOTCH_COMBINING", bad));
}

TEST_CASE("A cut-off is a number of bytes")
{
    CHECK(parsed("HOPSCOTCH_CUTOFF", "0").cutoff_bytes == std::size_t{0});
    CHECK(parsed("HOPSCOTCH_CUTOFF", "1000").cutoff_bytes == std::size_t{1000});
    CHECK(parsed("HOPSCOTCH_CUTOFF", "8K").cutoff_bytes == std::size_t{8192});
    CHECK(parsed("HOPSCOTCH_CUTOFF", "2m").cutoff_bytes == std::size_t{2} * 1024 * 1024);
    CHECK_FALSE(parsed("HOPSCOTCH_CUTOFF", "AUTO").cutoff_bytes);
    for (const char* const bad :
         {"-1", "8G", "K", "1.5K", "8 K", "99999999999999999999", "18446744073709551615K", "0x10"})
        CHECK(refused("HOPSCOTCH_CUTOFF", bad));
}

TEST_CASE("Trials have two calls or more, or there are none")
{
    CHECK(parsed("HOPSCOTCH_TRIALS", "2").trial_calls == std::size_t{2});
    CHECK(parsed("HOPSCOTCH_TRIALS", "1000").trial_calls == std::size_t{1000});
    CHECK_FALSE(parsed("HOPSCOTCH_TRIALS", "OFF").trial_calls);
    for (const char* const bad : {"-1", "0", "1", "1001", "5K", "on", "99999999999999999999"})
        CHECK(refused("HOPSCOTCH_TRIALS", bad));
}

TEST_CASE("A process grid is written as its sizes")
{
    const Settings settings = parsed("HOPSCOTCH_DIMS", "4px4x2P");
    REQUIRE(settings.grid);
    CHECK(settings.grid->dims == std::vector<int>{4, 4, 2});
    CHECK(settings.grid->periodic == std::vector<bool>{true, false, true});
    CHECK(to_string(*settings.grid) == "4px4x2p");
    CHECK(parse_grid("7")->dims == std::vector<int>{7});
    for (const char* const bad : {"4x", "x4", "4xx4", "0x4", "-4", "4p4", "4pp", "p", "a", "65536x65536", "4*4"})
        CHECK(refused("HOPSCOTCH_DIMS", bad));
}

TEST_CASE("The remaining words")
{
    CHECK(parsed("HOPSCOTCH_SEMANTICS", "orthogonal").semantics == Semantics::orthogonal);
    CHECK(parsed("HOPSCOTCH_ALLTOALLV", "on").alltoallv);
    CHECK(parsed("HOPSCOTCH_PARALLEL_EDGES", "standard").parallel_edges == ParallelEdges::standard);
    CHECK(parsed("HOPSCOTCH_YIELD", "always").yield == Yield::always);
    CHECK(parsed("HOPSCOTCH_YIELD", "never").yield == Yield::never);
    CHECK(parsed("HOPSCOTCH_CALLSITES", "call").callsites == Callsites::call);
    CHECK(parsed("HOPSCOTCH_LOG", "debug").log_level == LogLevel::debug);
    CHECK(parsed("HOPSCOTCH_REORDER", "Cart").reorder == Reorder::cart);
    CHECK(parsed("HOPSCOTCH_REORDER", "graph").reorder == Reorder::graph);
    CHECK(parsed("HOPSCOTCH_REORDER", "all").reorder == Reorder::all);
    CHECK_FALSE(parsed("HOPSCOTCH_BASELINE", "off").baseline);
    CHECK(parsed("HOPSCOTCH_PTRACER", "on").ptracer);
}

TEST_CASE("Blocks are copied once from a size on, never, or if that is faster")
{
    CHECK(parsed("HOPSCOTCH_ONE_COPY", "1").one_copy_bytes == std::size_t{1});
    CHECK(parsed("HOPSCOTCH_ONE_COPY", "64K").one_copy_bytes == std::size_t{65536});
    CHECK(parsed("HOPSCOTCH_ONE_COPY", "Auto").one_copy_bytes == automatic_bytes);
    CHECK_FALSE(parsed("HOPSCOTCH_ONE_COPY", "OFF").one_copy_bytes);
    for (const char* const bad : {"on", "-1", "64G", "1 K"})
        CHECK(refused("HOPSCOTCH_ONE_COPY", bad));
}

TEST_CASE("Blocks on devices are copied, up to a size, or never")
{
    CHECK(parsed("HOPSCOTCH_DEVICE", "64K").device_bytes == std::size_t{65536});
    CHECK(parsed("HOPSCOTCH_DEVICE", "auto").device_bytes == automatic_bytes);
    CHECK_FALSE(parsed("HOPSCOTCH_DEVICE", "off").device_bytes);
    CHECK(refused("HOPSCOTCH_DEVICE", "on"));
}

TEST_CASE("Every setting refuses values that it does not allow, and is written as it is read")
{
    int refusing = 0;
    for (const auto& [name, usual] : all_settings()) {
        const bool is_path = name == "HOPSCOTCH_TUNING" || name == "HOPSCOTCH_CONFIG"; // any text is one
        CHECK(refused(name, "nonsense") != is_path);
        CHECK(refused(name, "-1") != is_path);
        refusing += is_path ? 0 : 1;
        if (usual != "unset")
            CHECK(non_default(parsed(name, usual)).empty());
    }
    CHECK(refusing > 15);
}

TEST_CASE("Reports go to stderr and to files of known formats")
{
    CHECK(parsed("HOPSCOTCH_REPORT", "OFF").report == "off");
    CHECK(parsed("HOPSCOTCH_REPORT", "stderr, Run.%j.json").report == "stderr,Run.%j.json");
    CHECK(parsed("HOPSCOTCH_REPORT", "%p%h%j%s%A%a%%.json").report == "%p%h%j%s%A%a%%.json");
    for (const char* const bad : {"run", "run.xml", "stdout", "off,run.json", "stderr,", ".json", "json", "%J.json",
                                  "a.json,%.txt", "%%%x.txt"})
        CHECK(refused("HOPSCOTCH_REPORT", bad));

    CHECK(report_destinations("off").empty());
    CHECK(report_destinations("stderr,a.json") == std::vector<std::string>{"stderr", "a.json"});
    CHECK(format_of("a.JSON") == Format::json);
    CHECK(format_of("dir.json/a.txt") == Format::text);
    CHECK_FALSE(format_of("a.htm"));
    CHECK(expand_tokens("%h-%p_%j%%%x%.json", {{'h', "node1"}, {'p', "42"}, {'j', "7.server"}, {'%', "%"}}) ==
          "node1-42_7.server%%x%.json");
}

TEST_CASE("The job's number comes from the batch system")
{
    const std::vector<const char*> of_job = {"SLURM_JOB_ID", "SLURM_JOBID",  "PBS_JOBID",  "LSB_JOBID", "FLUX_JOB_ID",
                                             "PJM_JOBID",    "COBALT_JOBID", "OAR_JOB_ID", "JOB_ID"};
    const std::vector<const char*> of_task = {"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX",
                                              "SGE_TASK_ID"};
    const std::vector<const char*> of_array = {"SLURM_ARRAY_JOB_ID", "PBS_ARRAY_ID"};
    const std::vector<const char*> of_step = {"SLURM_STEP_ID", "SLURM_STEPID"};
    for (const auto& [variables, number] : {std::pair{of_job, job_id}, std::pair{of_task, array_task},
                                            std::pair{of_array, array_id}, std::pair{of_step, step_id}}) {
        for (const char* const name : variables)
            unsetenv(name);
        CHECK(number() == (number == job_id ? "0" : ""));
        for (const char* const name : variables) {
            setenv(name, "12/3.server", 1);
            INFO(name);
            CHECK(number() == "12_3.server");
            unsetenv(name);
        }
    }
}

TEST_CASE("File names tell steps and tasks of one job apart")
{
    const char* const variables[] = {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"};
    for (const char* const name : variables)
        unsetenv(name);
    const auto expanded = [](const char* file) { return expand_tokens(file, report_tokens()); };
    CHECK(expanded("%j.%s-%A_%a.json") == "0.0-0_0.json");
    CHECK(step_id() + array_task() == "");
    for (int i = 0; i < 4; ++i) {
        if (i == 2) // a job that is no array
            CHECK(expanded("%j.%s-%A_%a.json") == "12.13-12_0.json");
        setenv(variables[i], std::to_string(12 + i).c_str(), 1);
    }
    CHECK(expanded("%j.%s-%A_%a.json") == "12.13-14_15.json");
    CHECK(expanded("%p.txt") == std::to_string(getpid()) + ".txt");
    for (const char* const name : variables)
        unsetenv(name);
}

TEST_CASE("The launcher is the one that was used, not one that it works through")
{
    const std::vector<std::pair<const char*, std::string>> known = {
        // each goes before those above it
        {"PMI_RANK", "a launcher with PMI"},
        {"PMIX_RANK", "a launcher with PMIx"},
        {"SLURM_STEP_ID", "srun"},
        {"MPI_LOCALNRANKS", "mpiexec (Hydra)"}, // it starts its proxies by srun
        {"ALPS_APP_PE", "aprun"},
        {"PALS_RANKID", "mpiexec (PALS)"},
        {"OMPI_COMM_WORLD_SIZE", "mpirun (Open MPI)"},
        {"PRTE_LAUNCHED", "mpirun (PRRTE)"},
        {"MPIRUN_RSH_LAUNCH", "mpirun_rsh"},
        {"JSM_NAMESPACE_RANK", "jsrun"},
        {"FLUX_TASK_RANK", "flux run"}};
    for (const auto& [variable, name] : known)
        unsetenv(variable);
    CHECK(launcher().empty());
    for (const auto& [variable, name] : known) {
        setenv(variable, "1", 1);
        CHECK(launcher() == name);
    }
    for (const auto& [variable, name] : known)
        unsetenv(variable);
}

TEST_CASE("The number of processes is that of the launcher that was used")
{
    const char* const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (const char* const name : variables)
        unsetenv(name);
    CHECK(launched_processes() == 0);
    setenv("SLURM_STEP_NUM_TASKS", "2", 1); // set by Hydra's proxies
    CHECK(launched_processes() == 2);
    setenv("PMI_SIZE", "64", 1);
    CHECK(launched_processes() == 64);
    setenv("OMPI_COMM_WORLD_SIZE", "many", 1);
    CHECK(launched_processes() == 64);
    for (const char* const name : variables)
        unsetenv(name);
}

TEST_CASE("A value that is not allowed is named together with the allowed ones")
{
    const ParsedSettings result = parse_settings({{"HOPSCOTCH_YIELD", "sometimes"}, {"HOPSCOTCH_VERIFY", "on"}});
    CHECK(result.errors ==
          std::vector<std::string>{"HOPSCOTCH_YIELD=sometimes is not allowed; allowed: auto, always or never."});
    CHECK(result.settings.verify);
}

TEST_CASE("A name that is near no other is a warning without a guess")
{
    for (const char* const name : {"HOPSCOTCH_FOO", "HOPSCOTCHX", "HOPSCOTCH_"})
        CHECK(parse_settings({{name, "1"}}).warnings ==
              std::vector<std::string>{std::string(name) + " is no setting of Hopscotch and has no effect; "
                                                           "`hopscotch settings` lists them"});
}

TEST_CASE("An unknown name is a warning with the nearest known one")
{
    const ParsedSettings result = parse_settings({{"HOPSCOTCH_ALGORYTHM", "native"}});
    CHECK(result.errors.empty());
    CHECK(result.warnings ==
          std::vector<std::string>{"HOPSCOTCH_ALGORYTHM is no setting of Hopscotch and has no effect; did "
                                   "you mean HOPSCOTCH_ALGORITHM?"});
    CHECK(parse_settings({{"HOPSCOTCH_DIM", ""}}).warnings[0].find("HOPSCOTCH_DIMS?") != std::string::npos);
    CHECK(parse_settings({{"HOPSCOTCH_Log", ""}}).warnings[0].find("HOPSCOTCH_LOG?") != std::string::npos);
}

TEST_CASE("Of a name that occurs twice the first counts, as in getenv")
{
    CHECK_FALSE(parse_settings({{"HOPSCOTCH", "off"}, {"HOPSCOTCH", "on"}}).settings.enabled);
}

TEST_CASE("Settings travel as text")
{
    const ParsedSettings result = parse_settings({{"HOPSCOTCH", "off"},
                                                  {"HOPSCOTCH_ALGORITHM", "alltoall=shared,allgatherv=native"},
                                                  {"HOPSCOTCH_CUTOFF", "6M"},
                                                  {"HOPSCOTCH_DIMS", "3x3p"},
                                                  {"HOPSCOTCH_INFER", "no"},
                                                  {"HOPSCOTCH_SEMANTICS", "orthogonal"},
                                                  {"HOPSCOTCH_REPORT", "a.txt,b.html"},
                                                  {"HOPSCOTCH_TUNING", "a name\nHOPSCOTCH=on"},
                                                  {"HOPSCOTCH_LOG", "info"}});
    REQUIRE(result.errors.empty());
    const std::string text = canonical(result.settings);
    const Settings back = from_canonical(text);
    CHECK(canonical(back) == text);
    CHECK_FALSE(back.enabled);
    CHECK(back.cutoff_bytes == std::size_t{6} * 1024 * 1024);
    CHECK(back.grid == result.settings.grid);
    CHECK(back.algorithm(Collective::allgatherv) == Algorithm::native);
    CHECK(back.tuning == "a name\nHOPSCOTCH=on");
    CHECK(non_default(back).size() == 9);
    CHECK(canonical(from_canonical(canonical(Settings{}))) == canonical(Settings{}));

    CHECK_THROWS_AS(from_canonical(""), std::invalid_argument);
    CHECK_THROWS_AS(from_canonical(text.substr(0, text.size() - 1)), std::invalid_argument);
    CHECK_THROWS_AS(from_canonical(text + "HOPSCOTCH=on\n"), std::invalid_argument);
}

TEST_CASE("A difference between two processes is named with both values")
{
    const Settings usual;
    const Settings other = parse_settings({{"HOPSCOTCH_CUTOFF", "8192"}, {"HOPSCOTCH_DIMS", "3x3p"}}).settings;
    CHECK(difference(other, usual) == "HOPSCOTCH_CUTOFF is 8K and HOPSCOTCH_DIMS is 3x3p, not auto and unset");
    CHECK(difference(usual, other) == "HOPSCOTCH_CUTOFF is auto and HOPSCOTCH_DIMS is unset, not 8K and 3x3p");
    CHECK(difference(other, other).empty());
}

TEST_CASE("The environment is read, not changed")
{
    setenv("HOPSCOTCH_LOG", "info", 1);
    setenv("HOPSCOTCHES", "=x", 1);
    const Environment environment = hopscotch_environment();
    int found = 0;
    for (const auto& [name, value] : environment) {
        CHECK(name.rfind("HOPSCOTCH", 0) == 0);
        found += (name == "HOPSCOTCH_LOG" && value == "info") || (name == "HOPSCOTCHES" && value == "=x") ? 1 : 0;
    }
    CHECK(found == 2);
    unsetenv("HOPSCOTCH_LOG");
    unsetenv("HOPSCOTCHES");
}

TEST_CASE("The help gives the meaning of a variable, its values and its default")
{
    const std::vector<SettingHelp> help = settings_help();
    const auto dims =
        std::find_if(help.begin(), help.end(), [](const SettingHelp& entry) { return entry.name == "HOPSCOTCH_DIMS"; });
    REQUIRE(dims != help.end());
    CHECK(dims->meaning == "Process grid of graph communicators, if it cannot be inferred.");
    CHECK(dims->values == "sizes like 4x4x2, a p behind every periodic dimension: 4px4x2p");
    CHECK(dims->usual == "unset");
}
