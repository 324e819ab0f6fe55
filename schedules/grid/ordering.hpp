// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Orders of indices: stable sorting by integer keys, in linear time for keys close together; permutations.
#pragma once

#include <vector>

namespace hopscotch::schedules
{

/// 0, 1, ..., n-1.
std::vector<int> identity(int n);

/// True if these n numbers are 0, 1, ..., n-1 in some order.
bool is_permutation(std::vector<int> numbers);

/// Sorts the indices stably by keys[index].
/// Cost: linear if the keys span a small multiple of the number of indices, as shifts do; else one comparison sort.
void sort_by(std::vector<int>& indices, const std::vector<int>& keys);

} // namespace hopscotch::schedules
