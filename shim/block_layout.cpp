// The blocks of one buffer argument of a neighborhood collective: the plain, v and w forms, int and large counts, as
// one.
#include "shim/block_layout.hpp"

namespace hopscotch::shim
{

BlockLayout BlockLayout::regular(const void* buffer, MPI_Count count, MPI_Datatype type)
{
    BlockLayout layout = single(buffer, count, type);
    layout.stride_ = static_cast<MPI_Aint>(count) * layout.maps_.front()->extent;
    return layout;
}

BlockLayout BlockLayout::single(const void* buffer, MPI_Count count, MPI_Datatype type)
{
    BlockLayout layout;
    layout.maps_.push_back(type_map(type));
    const TypeMap& map = *layout.maps_.front();
    layout.uniform_.address = static_cast<char*>(const_cast<void*>(buffer));
    layout.uniform_.count = count;
    layout.uniform_.type = &map;
    layout.uniform_.bytes = static_cast<std::size_t>(count) * map.size;
    return layout;
}

} // namespace hopscotch::shim
