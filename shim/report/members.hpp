// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads the members of a record by one list of them.
#pragma once

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

using Json = nlohmann::ordered_json;

enum class Form { report, message };

/// The members of one record, to be written or read.
class Members
{
  public:
    explicit Members(Form form) : form_(form) {}
    Members(Form form, Json values) : form_(form), reads_(true), values_(std::move(values)) {}

    bool reads() const noexcept { return reads_; }
    bool in_message() const noexcept { return form_ == Form::message; }

    /// A number, a text or a list of them. A missing value is null.
    template <typename Value>
    void operator()(const char* name, Value& value, bool is_there = true)
    {
        if (!reads_)
            values_[name] = is_there ? Json(value) : Json();
        else if (const Json found = member(name); !found.is_null())
            found.get_to(value);
    }

    /// A record inside of this one: `list` lists its members.
    template <typename List>
    void inside(const char* name, List list, bool is_there = true)
    {
        if (!reads_)
            values_[name] = is_there ? written(form_, list) : Json();
        else if (Json found = member(name); !found.is_null())
            read(form_, std::move(found), list);
    }

    /// A conclusion, for people who read a report.
    template <typename Text>
    void shown(const char* name, const Text& text)
    {
        if (!reads_ && form_ == Form::report)
            values_[name] = text;
    }

    /// Records with the members of fields().
    template <typename Record>
    void list(const char* name, std::vector<Record>& records)
    {
        if (reads_) {
            for (const Json& each : member(name))
                read(form_, each, [&records](Members& at) { fields(at, records.emplace_back()); });
            return;
        }
        values_[name] = Json::array();
        for (Record& each : records)
            values_[name].push_back(written(form_, [&each](Members& at) { fields(at, each); }));
    }

    template <typename List>
    static Json written(Form form, List list)
    {
        Members members(form);
        list(members);
        return std::move(members.values_);
    }

    template <typename List>
    static void read(Form form, Json values, List list)
    {
        Members members(form, std::move(values));
        list(members);
    }

  private:
    /// Null if it is missing, which is possible in reports of other versions.
    Json member(const char* name) const { return values_.value(name, Json()); }

    Form form_;
    bool reads_ = false;
    Json values_ = Json::object();
};

} // namespace hopscotch::shim
