// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The name is walked by descriptors of directories, so that what has been looked at is what is written.
#include "shim/report/report_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr int most_links = 40; // as in the kernel
constexpr int most_names_tried = 10;

struct Refused {
    std::string why;
};

[[noreturn]] void refuse(int error)
{
    throw Refused{std::generic_category().message(error)};
}

class Descriptor
{
  public:
    explicit Descriptor(int value) : value_(value)
    {
        if (value_ < 0)
            refuse(errno);
    }
    ~Descriptor()
    {
        if (value_ >= 0)
            ::close(value_);
    }
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(value_, other.value_);
        return *this;
    }
    int value() const noexcept { return value_; }
    /// Closes it; a full disk may show only here.
    void close()
    {
        if (::close(std::exchange(value_, -1)) != 0)
            refuse(errno);
    }

  private:
    int value_;
};

struct stat status_of(const Descriptor& descriptor)
{
    struct stat status {
    };
    if (::fstat(descriptor.value(), &status) != 0)
        refuse(errno);
    return status;
}

/// Where a name leads.
struct Place {
    Descriptor directory;
    std::string name;
};

Descriptor open_directory(int at, const std::string& name)
{
    return Descriptor(::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// The kernel alone makes links there, and some of them lead where their text does not say.
bool is_proc(const Descriptor& directory)
{
    struct statfs status {
    };
    return ::fstatfs(directory.value(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

void check_owner(const Descriptor& directory, const struct stat& entry, const std::string& name)
{
    if (!may_use(status_of(directory), entry.st_uid, ::geteuid()))
        throw Refused{"'" + name + "' there belongs to another user, in a directory where everyone may put files"};
}

std::string text_of_link(const Descriptor& link)
{
    char text[PATH_MAX];
    const ssize_t size = ::readlinkat(link.value(), "", text, sizeof text);
    if (size < 0)
        refuse(errno);
    return std::string(text, static_cast<std::size_t>(size));
}

/// Goes through all directories and links of a name, none of which may be another user's trap.
Place walk(std::string path)
{
    const auto start = [&path] { return open_directory(AT_FDCWD, path.front() == '/' ? "/" : "."); };
    if (path.empty())
        refuse(ENOENT);
    Descriptor directory = start();
    for (int links = 0;;) {
        const std::size_t begin = std::min(path.find_first_not_of('/'), path.size());
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string name = path.substr(begin, end - begin);
        const bool last = end == path.size();
        path.erase(0, end);
        if (name.empty() || (last && (name == "." || name == "..")))
            refuse(EISDIR);
        const int found = ::openat(directory.value(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (found < 0 && errno == ENOENT && last)
            return {std::move(directory), name};
        Descriptor entry(found);
        const struct stat status = status_of(entry);
        if (S_ISLNK(status.st_mode) && is_proc(directory)) {
            if (last)
                return {std::move(directory), name};
            directory = Descriptor(::openat(directory.value(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        } else if (S_ISLNK(status.st_mode)) {
            check_owner(directory, status, name);
            if (++links > most_links)
                refuse(ELOOP);
            path.insert(0, text_of_link(entry));
            if (path.empty())
                refuse(ENOENT);
            if (path.front() == '/')
                directory = start();
        } else if (last) {
            return {std::move(directory), name};
        } else if (S_ISDIR(status.st_mode)) {
            directory = open_directory(directory.value(), name); // once more: only so is it mounted on demand
        } else {
            refuse(ENOTDIR);
        }
    }
}

/// The descriptor of this process a link in /proc leads to; -1: to none.
int own_descriptor(const Place& place)
{
    int number = -1;
    std::from_chars(place.name.data(), place.name.data() + place.name.size(), number);
    struct stat named {
    };
    struct stat own {
    };
    const bool same = ::fstatat(place.directory.value(), place.name.c_str(), &named, 0) == 0 &&
                      ::fstat(number, &own) == 0 && named.st_dev == own.st_dev && named.st_ino == own.st_ino;
    return same ? number : -1;
}

void write_or_refuse(int descriptor, std::string_view bytes)
{
    if (!write_all(descriptor, bytes))
        refuse(errno);
}

/// A pipe or a terminal must not be replaced by a file.
void write_into(const Place& place, std::string_view bytes)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK; // a pipe without reader: an error
    Descriptor device(::openat(place.directory.value(), place.name.c_str(), flags));
    if (S_ISREG(status_of(device).st_mode))
        refuse(EEXIST); // it was none a moment ago
    ::fcntl(device.value(), F_SETFL, 0);
    write_or_refuse(device.value(), bytes);
    device.close();
}

/// A new file beside the one it is to become, under a name that nobody can have foreseen.
std::pair<Descriptor, std::string> unfinished_file(const Place& place, mode_t mode)
{
    for (int tried = 0;; ++tried) {
        unsigned long long number = 0;
        if (::getrandom(&number, sizeof number, 0) < 0)
            refuse(errno);
        char ending[32];
        std::snprintf(ending, sizeof ending, ".%016llx.part", number);
        const std::string name = place.name.substr(0, NAME_MAX + 1 - sizeof ".0123456789abcdef.part") + ending;
        const int made =
            ::openat(place.directory.value(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (made >= 0 || errno != EEXIST || tried == most_names_tried)
            return {Descriptor(made), name};
    }
}

/// Owner, group and mode of a file for the one that takes its place; where the group cannot be kept it gets no rights.
/// A file system that knows no modes keeps its own.
void hand_on(const struct stat& before, const Descriptor& file)
{
    mode_t mode = before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (::fchown(file.value(), before.st_uid, before.st_gid) != 0 &&
        ::fchown(file.value(), static_cast<uid_t>(-1), before.st_gid) != 0)
        mode &= ~static_cast<mode_t>(S_IRWXG);
    [[maybe_unused]] const int kept = ::fchmod(file.value(), mode);
}

/// `before`: the file that is there; null where there is none.
void replace(const Place& place, const struct stat* before, std::string_view bytes)
{
    const int at = place.directory.value();
    auto [file, unfinished] = unfinished_file(place, before != nullptr ? 0600 : 0666);
    try {
        if (before != nullptr)
            hand_on(*before, file);
        write_or_refuse(file.value(), bytes);
        file.close();
        if (::renameat(at, unfinished.c_str(), at, place.name.c_str()) != 0)
            refuse(errno);
    } catch (...) {
        ::unlinkat(at, unfinished.c_str(), 0);
        throw;
    }
}

void write_to(const Place& place, std::string_view bytes)
{
    struct stat status {
    };
    if (::fstatat(place.directory.value(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT)
            refuse(errno);
        return replace(place, nullptr, bytes);
    }
    if (S_ISLNK(status.st_mode)) { // in /proc, else it would have been gone through
        const int own = is_proc(place.directory) ? own_descriptor(place) : -1;
        if (own < 0)
            throw Refused{"'" + place.name + "' there is a link to no descriptor of this process"};
        return write_or_refuse(own, bytes);
    }
    check_owner(place.directory, status, place.name);
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

bool write_all(int descriptor, std::string_view bytes) noexcept
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

std::string write_report_file(const std::string& name, std::string_view bytes)
{
    try {
        write_to(walk(name), bytes);
        return "";
    } catch (const Refused& refused) {
        return refused.why;
    }
}

} // namespace hopscotch::shim
