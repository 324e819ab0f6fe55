// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/tuning_file.hpp"

#include "shim/base/log.hpp"
#include "shim/base/text.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/report_file.hpp"
#include "shim/report/summary.hpp"
#include "shim/selection/blocking_trials.hpp"
#include "shim/selection/tuning.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_bytes = 16 << 20; // about 25,000 trials
bool of_use = true;                          // false on rank 0: the file is not written either

struct Descriptor {
    const int number;
    ~Descriptor() { ::close(number); }
};

[[noreturn]] void refuse(int error)
{
    throw std::runtime_error(std::generic_category().message(error));
}

/// The text of a file; empty if there is no file. Throws: std::runtime_error if it cannot be read.
std::string contents(const std::string& name)
{
    const Descriptor file{::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)}; // no wait for a pipe
    if (file.number < 0 && (errno == ENOENT || errno == ENOTDIR))
        return "";
    struct stat status {
    };
    if (file.number < 0 || ::fstat(file.number, &status) != 0)
        refuse(errno);
    if (!S_ISREG(status.st_mode))
        throw std::runtime_error("it is no regular file");
    if (status.st_size > static_cast<off_t>(most_bytes))
        throw std::runtime_error("it has more than 16 MiB");
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got = ::read(file.number, &text[done], text.size() - done);
        if (got < 0 && errno != EINTR)
            refuse(errno);
        if (got == 0)
            break;
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    text.resize(done);
    return text;
}

/// Linux's name of the processor; "" on machines without it.
std::string processor()
{
    for (const std::string& line : split(text_of_file("/proc/cpuinfo"), '\n'))
        if (line.rfind("model name", 0) == 0)
            return line.substr(line.find(':') + 1);
    return "";
}

TuningGround ground()
{
    utsname system{};
    ::uname(&system);
    return {HOPSCOTCH_VERSION ", " + short_library(library_version()),
            std::string(system.machine) + processor() + ", " + std::to_string(::sysconf(_SC_NPROCESSORS_CONF)) +
                " cores"};
}

void warn(const std::string& name, const std::string& what)
{
    of_use = false;
    log(LogLevel::warn, "HOPSCOTCH_TUNING: " + name + " is of no use: " + what);
}

std::string fitting(const std::string& name)
try {
    const std::string file = contents(name);
    std::string list = fitting_trials(file, ground());
    if (!file.empty() && list.empty())
        log(LogLevel::warn, "HOPSCOTCH_TUNING: " + name + " has nothing for this MPI library and machine");
    return list;
} catch (const std::exception& wrong) {
    warn(name, wrong.what());
    return "";
}

} // namespace

void read_tuning_file(const std::string& name)
{
    const int rank = rank_in(MPI_COMM_WORLD);
    std::string list = rank == 0 ? fitting(name) : "";
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    list.resize(static_cast<std::size_t>(consensus.maximum(static_cast<std::int64_t>(list.size()))));
    if (list.empty())
        return;
    consensus.broadcast(list.data(), list.size(), 0);
    try {
        with_learned_trials([&](schedules::LearnedTrials& all) { recall_trials(list, all); });
    } catch (const std::invalid_argument& wrong) {
        if (rank == 0)
            warn(name, wrong.what());
    }
}

void write_tuning_file(const std::string& name)
{
    if (!of_use)
        return;
    try {
        const std::string text = with_learned_trials(
            [&](const schedules::LearnedTrials& all) { return with_trials(contents(name), all, ground()); });
        const std::string problem = write_report_file(name, text);
        if (!problem.empty())
            log(LogLevel::warn, "HOPSCOTCH_TUNING: " + name + " cannot be written: " + problem);
    } catch (const std::exception& wrong) {
        warn(name, wrong.what());
    }
}

} // namespace hopscotch::shim
