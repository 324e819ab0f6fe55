// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/site_place.hpp"

#include "shim/report/callsite.hpp"
#include "shim/report/frame_names.hpp"

#include <dlfcn.h>
#include <functional>
#include <link.h>
#include <string_view>

namespace hopscotch::shim
{

namespace
{

std::int64_t hash_of_name(const char* path)
{
    const std::string_view text = path != nullptr ? path : "";
    const std::string_view name = text.substr(text.rfind('/') + 1);
    return name.empty() ? 0 : static_cast<std::int64_t>(std::hash<std::string_view>{}(name));
}

struct WantedLine {
    SitePlace place;
    void* address = nullptr;
};

int look_at(dl_phdr_info* info, std::size_t, void* data)
{
    auto* const wanted = static_cast<WantedLine*>(data);
    if (hash_of_name(info->dlpi_name) != wanted->place.object)
        return 0;
    wanted->address = reinterpret_cast<void*>(info->dlpi_addr + static_cast<std::uintptr_t>(wanted->place.offset));
    return 1;
}

} // namespace

SitePlace place_of(const void* address)
{
    Dl_info info{};
    void* entry = nullptr;
    if (::dladdr1(address, &info, &entry, RTLD_DL_LINKMAP) == 0 || entry == nullptr)
        return {-1, reinterpret_cast<std::intptr_t>(address)};
    const auto* const map = static_cast<const link_map*>(entry);
    return {hash_of_name(map->l_name),
            reinterpret_cast<std::intptr_t>(address) - static_cast<std::intptr_t>(map->l_addr)};
}

std::vector<std::string> lines_of(const SitePlace& place, const std::vector<void*>* stack)
{
    if (stack != nullptr)
        if (const std::vector<void*> frames = frames_of_the_program(*stack); !frames.empty())
            return describe(frames);
    WantedLine wanted{place};
    if (dl_iterate_phdr(look_at, &wanted) == 0)
        return {"?? (in an object that rank 0 has not loaded)"};
    return describe({wanted.address});
}

} // namespace hopscotch::shim
