// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the entry through which one loaded object calls a function of another, and replaces it for that object alone.
#pragma once

#include "schedules/message/pieces.hpp"

namespace hopscotch::shim
{

/// The address that an object jumps to when it calls a function of another object. The dynamic linker writes it, when
/// it loads the object or at the first call. To be used only as long as the object stays loaded.
class ImportedFunction
{
  public:
    /// No entry.
    ImportedFunction() = default;

    /// The entry for calls of `name` in the object that defines `defined`. If several objects define it and call
    /// `name`, the one that holds `address`. No entry if there is none, or not exactly one.
    static ImportedFunction find(const char* name, const char* defined, const void* address) noexcept;

    bool exists() const noexcept { return entry_ != nullptr; }

    /// The function that the object calls: the one that the dynamic linker has found for it. nullptr if it has not
    /// looked the function up so far. To be called if the entry exists.
    void* target() const noexcept;

    /// All later calls of the object go to `function`, those of other objects stay. To be called if there is a target:
    /// the dynamic linker would write the entry again. False if the system does not allow it; then nothing is changed.
    bool replace(void* function) const noexcept;

  private:
    void** entry_ = nullptr;
    schedules::AddressRange object_;    // all that is mapped of it
    schedules::AddressRange protected_; // memory of it that the dynamic linker has made read-only
};

} // namespace hopscotch::shim
