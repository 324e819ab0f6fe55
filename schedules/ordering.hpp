// Stable sorting of indices by integer keys, in linear time where the keys lie close together.
#pragma once

#include <vector>

namespace hopscotch::schedules
{

/// 0, 1, ..., n-1.
std::vector<int> identity(int n);

/// Sorts the indices stably by keys[index].
/// Cost: linear when the keys span a small multiple of the number of indices, as shifts do; else one comparison sort.
void sort_by(std::vector<int>& indices, const std::vector<int>& keys);

} // namespace hopscotch::schedules
