// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/kept_arguments.hpp"

#include <cstring>

namespace hopscotch::schedules
{

void KeptArguments::keep(const ArgumentArrays& arguments)
{
    bytes_ = {};
    all_.clear();
    for (const ArgumentArrays::Array& array : arguments.arrays) {
        const char* const from = static_cast<const char*>(array.begin);
        all_.insert(all_.end(), from, from + array.bytes);
    }
    for (std::size_t i = 0; i < bytes_.size(); ++i)
        bytes_[i] = arguments.arrays[i].bytes;
    form_ = arguments.form;
}

bool KeptArguments::equal(const ArgumentArrays& arguments) const noexcept
{
    if (form_ != arguments.form)
        return false;
    const char* at = all_.data();
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
        const ArgumentArrays::Array& array = arguments.arrays[i];
        if (bytes_[i] != array.bytes || (array.bytes > 0 && std::memcmp(at, array.begin, array.bytes) != 0))
            return false;
        at += array.bytes;
    }
    return true;
}

} // namespace hopscotch::schedules
