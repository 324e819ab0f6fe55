// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An exchange that fails as it begins.
#pragma once

#include "shim/base/no_memory.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/mpi/mpi_error.hpp"

struct FailingExchange final : hopscotch::shim::Exchange {
    bool has_memory = true;

    void begin(const hopscotch::shim::BlockLayout&, const hopscotch::shim::BlockLayout&) override
    {
        if (!has_memory)
            throw hopscotch::shim::NoMemory();
        throw hopscotch::shim::MpiError{MPI_ERR_OTHER};
    }
    bool advance() override { return true; }
};
