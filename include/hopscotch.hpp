// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hopscotch in C++: thin classes over <hopscotch.h>, errors as exceptions, lists as vectors. Header only; needs C++11
// and the library. The meaning of a member, its collective calls and its errors are described with the function it
// names.
#ifndef HOPSCOTCH_HPP
#define HOPSCOTCH_HPP

#include <hopscotch/comm.hpp>
#include <hopscotch/naming.hpp>
#include <hopscotch/neighborhood.hpp>
#include <hopscotch/orthogonal.hpp>
#include <hopscotch/topological.hpp>

#endif
