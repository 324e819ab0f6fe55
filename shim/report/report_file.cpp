// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Links are read here, not followed by the kernel: a file renamed into place passes by the kernel's own check. No other
// user can exchange an accepted entry after that check.
#include "shim/report/report_file.hpp"

#include "shim/base/output.hpp"

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

namespace fs = std::filesystem;

constexpr int most_links = 40; // the kernel's limit
constexpr const char* own_process = "/proc/self";
constexpr const char* own_descriptors = "/proc/self/fd";

[[noreturn]] void refuse(int error)
{
    throw std::system_error(error, std::generic_category());
}

/// Refuses another user's trap.
void check_owner(const fs::path& entry, uid_t owner)
{
    struct stat directory {
    };
    if (::stat((entry.parent_path() / ".").c_str(), &directory) != 0)
        refuse(errno);
    if (!may_use(directory, owner, ::geteuid()))
        throw std::runtime_error("'" + entry.filename().string() +
                                 "' there belongs to another user, in a directory where everyone may put files");
}

/// The place of a name, without links. Links that the kernel makes for this process stay: their texts do not give their
/// targets.
fs::path without_links(const fs::path& name, int& links)
{
    fs::path reached;
    for (const fs::path& part : name) {
        reached /= part;
        struct stat status {
        };
        const bool is_link = ::lstat(reached.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
        const fs::path parent = reached.parent_path();
        if (!is_link || reached == own_process || parent == own_process || parent == own_descriptors)
            continue;
        check_owner(reached, status.st_uid);
        if (++links > most_links)
            refuse(ELOOP);
        reached = without_links(parent / fs::read_symlink(reached), links);
    }
    return reached;
}

/// The path of an open file in /proc. To name a file by its descriptor alone takes a right that most processes lack.
std::string entry_of(int descriptor)
{
    return std::string(own_descriptors) + "/" + std::to_string(descriptor);
}

/// Closes it, too; a full disk may show only there. `name`: for a file that has none yet; null: none.
void write_and_close(int descriptor, std::string_view bytes, const char* name = nullptr)
{
    int error = write_all(descriptor, bytes) ? 0 : errno;
    if (error == 0 && name != nullptr &&
        ::linkat(AT_FDCWD, entry_of(descriptor).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0)
        error = errno;
    if (::close(descriptor) != 0 && error == 0)
        error = errno;
    if (error != 0)
        refuse(error);
}

/// A file without a name: if the process is killed while it writes, nothing stays. Returns -1 if the file system has no
/// such files, or if this process could not name it later.
int open_unnamed(const fs::path& directory, mode_t mode)
{
    const char* const place = directory.empty() ? "." : directory.c_str();
    const int descriptor = ::open(place, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor < 0 || ::access(entry_of(descriptor).c_str(), F_OK) == 0)
        return descriptor;
    ::close(descriptor);
    return -1;
}

void write_to_own(const std::string& descriptor, std::string_view bytes)
{
    int number = -1;
    std::from_chars(descriptor.data(), descriptor.data() + descriptor.size(), number);
    if (number == STDERR_FILENO)
        write_to_stderr(bytes);
    else if (!write_all(number, bytes))
        refuse(errno);
}

/// A pipe or a terminal must not be replaced by a file.
void write_into(const fs::path& device, std::string_view bytes)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK; // a pipe without reader: an error
    const int descriptor = ::open(device.c_str(), flags);
    if (descriptor < 0)
        refuse(errno);
    ::fcntl(descriptor, F_SETFL, 0);
    write_and_close(descriptor, bytes);
}

/// Gives owner, group and mode of a file to its replacement; if the group cannot be kept it gets no rights. A file
/// system that knows no modes keeps its own.
void hand_on(const struct stat& before, int file)
{
    mode_t mode = before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (::fchown(file, before.st_uid, before.st_gid) != 0 && ::fchown(file, static_cast<uid_t>(-1), before.st_gid) != 0)
        mode &= ~static_cast<mode_t>(S_IRWXG);
    [[maybe_unused]] const int kept = ::fchmod(file, mode);
}

/// A number nobody can have foreseen. Not std::random_device: that of a C++ library linked in asks for glibc 2.36.
std::string unforeseen_number()
{
    std::uint32_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
        refuse(errno);
    return std::to_string(number);
}

/// `before`: the present file; null if there is none.
void replace(const fs::path& file, const struct stat* before, std::string_view bytes)
{
    const std::string ending = "." + unforeseen_number() + ".part";
    const std::string name = file.filename().string().substr(0, NAME_MAX - ending.size());
    const fs::path unfinished = file.parent_path() / (name + ending);
    const mode_t mode = before != nullptr ? 0600 : 0666;
    int descriptor = open_unnamed(file.parent_path(), mode);
    const bool is_unnamed = descriptor >= 0;
    if (!is_unnamed)
        descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0)
        refuse(errno);
    if (before != nullptr)
        hand_on(*before, descriptor);
    try {
        write_and_close(descriptor, bytes, is_unnamed ? unfinished.c_str() : nullptr);
        fs::rename(unfinished, file);
    } catch (...) {
        ::unlink(unfinished.c_str());
        throw;
    }
}

/// A file in its place needs the right to write its directory; a pipe or a device does not.
void check_place(const fs::path& place)
{
    struct stat status {
    };
    const bool is_there = ::lstat(place.c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
        refuse(EISDIR);
    if (is_there && !S_ISREG(status.st_mode))
        return;
    if (::faccessat(AT_FDCWD, (place.parent_path() / ".").c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        refuse(errno);
}

/// The reason why the action on the place of a name failed; "" if it did not.
template <class Action>
std::string problem_of(const std::string& name, Action&& action)
{
    try {
        int links = 0;
        action(without_links(name, links));
        return "";
    } catch (const std::system_error& refused) {
        return refused.code().message();
    } catch (const std::runtime_error& refused) {
        return refused.what();
    }
}

void write_to(const fs::path& place, std::string_view bytes)
{
    if (place.parent_path() == own_descriptors)
        return write_to_own(place.filename(), bytes);
    struct stat status {
    };
    if (::lstat(place.c_str(), &status) != 0) {
        if (errno != ENOENT)
            refuse(errno);
        return replace(place, nullptr, bytes);
    }
    if (S_ISLNK(status.st_mode))
        throw std::runtime_error("'" + place.filename().string() +
                                 "' there is a link to no descriptor of this process");
    if (S_ISDIR(status.st_mode))
        refuse(EISDIR);
    check_owner(place, status.st_uid);
    if (S_ISREG(status.st_mode))
        replace(place, &status, bytes);
    else
        write_into(place, bytes);
}

} // namespace

bool may_use(const struct stat& directory, uid_t entry_owner, uid_t user) noexcept
{
    const bool anyones = (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & S_IWOTH) != 0;
    return !anyones || entry_owner == user || entry_owner == directory.st_uid;
}

std::string write_report_file(const std::string& name, std::string_view bytes)
{
    return problem_of(name, [bytes](const fs::path& place) { write_to(place, bytes); });
}

std::string report_file_problem(const std::string& name)
{
    return problem_of(name, check_place);
}

} // namespace hopscotch::shim
