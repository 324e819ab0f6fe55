// Takes the finished report to where the user wants it; a report that cannot be written never disturbs the program.
#include "shim/report.hpp"

#include "shim/destination.hpp"
#include "shim/log.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::string contents(Format format, const Report& report)
{
    switch (format) {
    case Format::text:
        return text_report(report);
    case Format::json:
        return json_report(report);
    case Format::html:
        return html_report(report);
    }
    return "";
}

/// False, and errno says why: not all was written.
bool write_all(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// What a name leads to when it is a symbolic link to a file: that file is replaced, not the link.
std::string link_target(const std::string& file)
{
    const std::unique_ptr<char, decltype(&std::free)> target(::realpath(file.c_str(), nullptr), &std::free);
    return target != nullptr ? std::string(target.get()) : file;
}

/// False, and errno says why.
bool write_device(const std::string& file, std::string_view bytes)
{
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without reader: an error
    if (descriptor < 0)
        return false;
    ::fcntl(descriptor, F_SETFL, 0);
    const bool written = write_all(descriptor, bytes);
    const int error = errno;
    const bool closed = ::close(descriptor) == 0;
    if (!written)
        errno = error;
    return written && closed;
}

/// False, and errno says why: the file is as it was before.
bool write_file(const std::string& name, std::string_view bytes)
{
    const std::string file = link_target(name);
    struct stat status {
    };
    if (::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        return write_device(file, bytes); // a pipe or a terminal must not be replaced by a file
    const std::string unfinished = file + "." + std::to_string(::getpid()) + ".part";
    const int descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return false;
    const bool written = write_all(descriptor, bytes);
    int error = errno;
    const bool closed = ::close(descriptor) == 0; // a full disk may show only here
    if (written && !closed)
        error = errno;
    if (written && closed) {
        if (std::rename(unfinished.c_str(), file.c_str()) == 0)
            return true;
        error = errno;
    }
    ::unlink(unfinished.c_str());
    errno = error;
    return false;
}

std::string host_name()
{
    char name[256] = "";
    if (::gethostname(name, sizeof name - 1) != 0)
        return "unknown";
    return name;
}

} // namespace

void write_report(const std::string& destinations, const Report& report) noexcept
{
    const int errno_of_caller = errno;
    try {
        for (const std::string& destination : report_destinations(destinations)) {
            if (destination == "stderr") {
                write_all(STDERR_FILENO, text_report(report)); // where else could a failure be told?
                continue;
            }
            const std::string file = expand_tokens(destination, ::getpid(), host_name(), job_id());
            const std::string text = contents(format_of(file).value_or(Format::text), report);
            if (write_file(file, text))
                log(LogLevel::info, "the report is in " + file);
            else
                log(LogLevel::warn, "the report cannot be written to " + file + ": " +
                                        std::error_code(errno, std::generic_category()).message());
        }
    } catch (...) {
        log(LogLevel::warn, "no memory for the report");
    }
    errno = errno_of_caller;
}

} // namespace hopscotch::shim
