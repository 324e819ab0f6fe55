// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Helpers of tests of files: a directory of their own, the content of a file, the text on stderr.
#pragma once

#include "shim/base/output.hpp"
#include "test/catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace hopscotch::shim
{

inline std::string contents(const std::string& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// An empty directory, removed with its content at the end.
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

/// The text that a function writes to stderr.
template <typename Function>
std::string stderr_of(Function function)
{
    const Directory directory;
    const std::string file = directory.path() + "/stderr";
    const int kept = dup(STDERR_FILENO);
    const int redirected = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(redirected, STDERR_FILENO);
    accept_stderr();
    function();
    dup2(kept, STDERR_FILENO);
    accept_stderr();
    close(redirected);
    close(kept);
    return contents(file);
}

} // namespace hopscotch::shim
