// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/base/given_settings.hpp"

#include "shim/base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

constexpr const char* own_name = "HOPSCOTCH_CONFIG"; // names the file, and so has no place in it
constexpr const char* file_of_the_system = "/etc/hopscotch.conf";
constexpr std::size_t most_bytes = 65536;
constexpr const char* blanks = " \t\r"; // files may have been written on other systems

/// Name and value of "NAME=value"; no name if there is none.
std::pair<std::string, std::string> sides(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return {};
    return {trimmed(text.substr(0, equals), blanks), trimmed(text.substr(equals + 1), blanks)};
}

/// The fault of a line of a file; empty: none.
std::string fault(const std::string& name, const std::string& value)
{
    if (name.empty())
        return "it is no NAME=value";
    if (name == own_name)
        return std::string(own_name) + " is for the environment";
    const ParsedSettings parsed = parse_settings({{name, value}});
    for (const auto* sentences : {&parsed.errors, &parsed.warnings})
        if (!sentences->empty())
            return sentences->front();
    return {};
}

/// Throws: std::system_error if there is a file and it cannot be read.
std::string contents(const std::string& name)
{
    std::ifstream file(name);
    std::string text;
    text.resize(most_bytes);
    if (!file.read(text.data(), static_cast<std::streamsize>(most_bytes)) && !file.eof())
        throw std::system_error(errno, std::generic_category());
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

bool is_file(const std::string& name)
{
    struct stat status {
    };
    return ::stat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// hopscotch.conf beside the file that this code is in.
std::string file_beside_us()
{
    Dl_info found{};
    if (::dladdr(reinterpret_cast<const void*>(&file_beside_us), &found) == 0 || found.dli_fname == nullptr)
        return {};
    const std::string own = found.dli_fname;
    const std::size_t slash = own.rfind('/');
    return slash != std::string::npos ? own.substr(0, slash + 1) + "hopscotch.conf" : "";
}

Lines read_lines(const std::string& file)
{
    if (file.empty())
        return {};
    try {
        return is_file(file) ? parse_lines(contents(file), file) : Lines{{}, {file + " (HOPSCOTCH_CONFIG) is no file"}};
    } catch (const std::system_error& error) {
        return {{}, {file + " cannot be read: " + error.code().message()}};
    }
}

std::string text_of(const char* variable)
{
    const char* const text = std::getenv(variable);
    return text != nullptr ? trimmed(text, blanks) : "";
}

} // namespace

std::string file_of_defaults()
{
    const std::string config = text_of(own_name);
    if (!config.empty())
        return config == "off" ? "" : config;
    for (const std::string& file : {file_beside_us(), std::string(file_of_the_system)})
        if (!file.empty() && is_file(file))
            return file;
    return {};
}

Lines parse_lines(std::string_view text, const std::string& file)
{
    Lines lines;
    std::size_t number = 0;
    for (const std::string& whole : split(text, '\n')) {
        ++number;
        const std::string line = trimmed(whole.substr(0, whole.find('#')), blanks);
        if (line.empty())
            continue;
        auto [name, value] = sides(line);
        const std::string why = fault(name, value);
        if (why.empty())
            lines.settings.emplace_back(std::move(name), std::move(value));
        else
            lines.warnings.push_back(file + ", line " + std::to_string(number) + " has no effect: " + why);
    }
    return lines;
}

Environment parse_parts(std::string_view text)
{
    Environment settings;
    for (const std::string& part : split(text, ';')) {
        auto [name, value] = sides(part);
        if (!name.empty())
            settings.emplace_back(std::move(name), std::move(value));
    }
    return settings;
}

Environment combined(const Environment& first, const Environment& then, const Environment& last)
{
    Environment result;
    for (const Environment* const given : {&first, &then, &last})
        for (const auto& [name, value] : *given) {
            const auto is_it = [&wanted = name](const auto& known) { return known.first == wanted; };
            const auto known = std::find_if(result.begin(), result.end(), is_it);
            if (known == result.end())
                result.emplace_back(name, value);
            else if (trimmed(known->second, blanks).empty())
                known->second = value;
        }
    return result;
}

std::vector<std::string> parts_of_cut_lists(const std::vector<std::string>& entries)
{
    std::vector<std::string> parts;
    for (const std::string& entry : entries)
        if (entry.find('=') != std::string::npos && parse_algorithms(entry).has_value())
            parts.push_back(entry);
    return parts;
}

ParsedSettings given_settings()
{
    const Environment variables = hopscotch_environment();
    Lines lines = read_lines(file_of_defaults());
    ParsedSettings parsed = parse_settings(combined(parse_parts(text_of("HOPSCOTCH_TOOL")), variables, lines.settings));
    parsed.warnings.insert(parsed.warnings.end(), lines.warnings.begin(), lines.warnings.end());
    if (text_of("HOPSCOTCH_ALGORITHM").empty())
        return parsed;
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry)
        entries.emplace_back(*entry);
    for (const std::string& part : parts_of_cut_lists(entries))
        parsed.warnings.push_back("the environment has " + part +
                                  " as a variable, which has no effect: srun --export cuts values at commas; export "
                                  "HOPSCOTCH_ALGORITHM before srun");
    return parsed;
}

} // namespace hopscotch::shim
