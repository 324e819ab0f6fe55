// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads JSON into a tree of values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hopscotch::tool
{

/// One value of a JSON text. Asking for what a value is not gives an empty one: reports of other versions may lack
/// members.
class JsonValue
{
  public:
    enum class Kind { null, boolean, number, text, array, object };

    /// Throws: std::invalid_argument with the place of the first error.
    static JsonValue parse(std::string_view text);

    Kind kind() const noexcept { return kind_; }
    bool boolean() const noexcept { return boolean_; }
    double number() const noexcept;
    int integer() const noexcept { return static_cast<int>(number()); }
    std::uint64_t count() const noexcept;
    const std::string& text() const noexcept { return text_; } // of a number: its digits; of null: ""
    const std::vector<JsonValue>& elements() const noexcept { return elements_; }

    /// Members in the order of the file.
    const std::vector<std::pair<std::string, JsonValue>>& members() const noexcept { return members_; }

    /// A member of an object; null where there is none.
    const JsonValue& operator[](std::string_view name) const noexcept;

  private:
    friend class JsonReader;

    Kind kind_ = Kind::null;
    bool boolean_ = false;
    std::string text_;
    std::vector<JsonValue> elements_;
    std::vector<std::pair<std::string, JsonValue>> members_;
};

} // namespace hopscotch::tool
