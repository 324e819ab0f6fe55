// The blocking global collectives: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning of
// the 2020 paper on communicators with neighborhoods.
#include "shim/orthogonal_call.hpp"

using namespace hopscotch::shim;

#define STRIP(...) __VA_ARGS__
#define COLLECTIVE_CALL(name, parameters, arguments, act)                                                              \
    HOPSCOTCH_WRAP(name, (STRIP parameters), (STRIP arguments))                                                        \
    {                                                                                                                  \
        constexpr Call call = Call::name;                                                                              \
        static_cast<void>(call);                                                                                       \
        const Completing completing{};                                                                                 \
        static_cast<void>(completing);                                                                                 \
        return to_neighbors(call, comm) ? act : next.name(STRIP arguments);                                            \
    }
#define ALLGATHER(...) // in wrap_allgather.cpp

#define COLLECTIVE(name, iname, parameters, arguments, ...) COLLECTIVE_CALL(name, parameters, arguments, (__VA_ARGS__))
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
    COLLECTIVE_CALL(name##_c, parameters, arguments, (__VA_ARGS__))
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#include "shim/collectives.def"
