// The persistent global collectives, as wrap_orthogonal.cpp has the blocking ones.
#include "shim/orthogonal_call.hpp"

using namespace hopscotch::shim;

#define STRIP(...) __VA_ARGS__
#define COLLECTIVE_CALL(name, parameters, arguments, act)                                                              \
    HOPSCOTCH_WRAP(name, (STRIP parameters, MPI_Info info, MPI_Request * request), (STRIP arguments, info, request))   \
    {                                                                                                                  \
        constexpr Call call = Call::name;                                                                              \
        static_cast<void>(call);                                                                                       \
        const Completing completing{Completion::persistent, request, info};                                            \
        static_cast<void>(completing);                                                                                 \
        return to_neighbors(call, comm) ? act : next.name(STRIP arguments, info, request);                             \
    }
#define ALLGATHER COLLECTIVE

#define COLLECTIVE(name, iname, parameters, arguments, ...)                                                            \
    COLLECTIVE_CALL(name##_init, parameters, arguments, (__VA_ARGS__))
#define WITHOUT_COUNT
#include "shim/collectives.def"
#undef WITHOUT_COUNT

#define COUNT int
#define DISPLACEMENT int
#include "shim/collectives.def"
#undef COLLECTIVE
#undef COUNT
#undef DISPLACEMENT

#define COLLECTIVE(name, iname, parameters, arguments, ...)                                                            \
    COLLECTIVE_CALL(name##_init_c, parameters, arguments, (__VA_ARGS__))
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#include "shim/collectives.def"
