// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighborhood collectives: blocking, nonblocking and persistent, with int and with large counts.
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/signatures.hpp"

using namespace hopscotch::shim;

/// Once for each call.
#define MOVED(by) sendbuf = by.sent(sendbuf), recvbuf = by.received(recvbuf)

#define EXCHANGED(...)                                                                                                 \
    Buffers                                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

#define WITHOUT_REQUEST(name, call_form, parameters, arguments, ...)                                                   \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return neighborhood_call(Call::name, comm, __VA_ARGS__,                                                        \
                                 [=](const Shifts& by = {}) mutable { return MOVED(by), next.name arguments; });       \
    }

#define WITH_REQUEST(name, call_form, parameters, arguments, ...)                                                      \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return request_call(Call::name, call_form, comm, __VA_ARGS__,                                                  \
                            [&](const Shifts& by = {}) { return MOVED(by), next.name arguments; });                    \
    }

#define CALL(name, family)
#define NEIGHBORHOOD(signature, Count, blocking, nonblocking, persistent)                                              \
    BLOCKING_FORM(WITHOUT_REQUEST, signature, Count, blocking)                                                         \
    LATER_FORMS(WITH_REQUEST, signature, Count, nonblocking, persistent)
#include "shim/mpi/calls.def"
