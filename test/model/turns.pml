/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause

   Two processes hand each other blocks through places in shared memory, as shim/memory/turn.hpp and SharedExchange do
   it; docs/shared-memory.md tells it. scripts/develop/check_model lets spin take the steps in all orders, once
   as they are and once with each of the faults, which are macros.

   That memory is weakly ordered is there in two ways. Blocks: each is of a version, its turn. Processes know which
   versions they are entitled to touch, and only hear of more where a load that acquires finds a store that releases:
   with it comes what the writer knew. Then no processor can show them anything else, whatever it does with its loads
   and stores. Words: the other process sees a store at any later time (process `memory`), even after those that follow;
   only a fence waits for that. */

#ifndef USES
#define USES 3 /* turns */
#endif

#define OTHER (1 - self)
#ifdef ONE_PLACE
#define PLACE(turn) 0
#else
#define PLACE(turn) ((turn) % 2)
#endif
#define OF(process, turn) (2 * (process) + PLACE(turn))

/* What the other process sees, and a store that it has not seen: 0 or a turn. */
typedef Word {
    byte turn;
    byte late
};

Word stamp[4];      /* of each process and place */
Word done[4];       /* the same, of what it has read */
byte sleepers[2];   /* of each process: who may sleep until it publishes */
byte asleep_on[2];  /* of each process: the stamp it sleeps on in the kernel, from 1 */
byte first_half[4]; /* of the block in each process's places: the turn it is of */
byte last_half[4];
byte said_done[4];   /* with it: the last turn its writer had done in the place of the turn before */
byte free_for[2];    /* of each process: the turn for which it has heard so that its place is free */
byte own_done[4];    /* what the process itself has stored in `done` */
bool ahead[2];       /* whether it may show blocks before it has read those of the turn before: it makes nonblocking
                        calls, or no process sends to it */
byte knows_shown[2]; /* of each process: the last block of the other that it is entitled to read */
byte knows_read[2];  /* of each process: the last own block that the other is known to have read */

/* There is one late store of a word at most. */
inline store(word)
{
    atomic {
        word.late == 0;
        word.late = turn
    }
}

inline learn(known, heard)
{
    if
    :: heard > known -> known = heard
    :: else
    fi
}

inline write(bytes)
{
    atomic {
        assert(turn <= 2 || knows_read[self] >= turn - 2); /* the reader has left the place */
        bytes = turn
    }
}

inline look_at(bytes)
{
    atomic {
        assert(knows_shown[self] >= turn); /* this process is entitled to see it */
        assert(bytes == turn)              /* not lost, torn or repeated */
    }
}

/* Readings::is_free, or what the reader has said with its own block. */
inline wait_until_free()
{
#ifdef NO_WAIT_FOR_DONE
    skip
#else
    if
    :: turn <= 2 || free_for[self] == turn
    :: atomic {
           turn > 2 && done[OF(OTHER, turn)].turn == turn - 2; /* it cannot be further */
#if !defined(DONE_WITHOUT_RELEASE) && !defined(DONE_WITHOUT_ACQUIRE)
           learn(knows_read[self], turn - 2)
#endif
       }
    fi
#endif
}

inline fill()
{
    atomic {
        write(first_half[OF(self, turn)]);
        said_done[OF(self, turn)] = own_done[OF(self, turn - 1)]
    };
    write(last_half[OF(self, turn)])
}

/* Stamp::publish */
inline publish()
{
#ifdef PUBLISH_WITHOUT_FENCE
    store(stamp[OF(self, turn)]);
#else
    stamp[OF(self, turn)].turn = turn; /* the store, and the fence after it */
#endif
    if
    :: sleepers[self] == 0
    :: sleepers[self] > 0 ->
       atomic { /* FUTEX_WAKE */
           if
           :: asleep_on[OTHER] == 1 + OF(self, turn) -> asleep_on[OTHER] = 0
           :: else
           fi
       }
    fi
}

/* FUTEX_WAIT: the kernel looks and goes to sleep in one step. There is no millisecond after which it ends: no wake-up
   may be lost. */
inline sleep_in_kernel()
{
    atomic {
#ifndef NO_SECOND_LOOK
        if
        :: stamp[OF(OTHER, turn)].turn == seen -> asleep_on[self] = 1 + OF(OTHER, turn)
        :: else
        fi
#else
        asleep_on[self] = 1 + OF(OTHER, turn)
#endif
    };
    asleep_on[self] == 0
}

/* Sleepers::sleep_until */
inline sleep_until_published()
{
#ifndef NOBODY_COUNTED
    sleepers[OTHER] = sleepers[OTHER] + 1;
#endif
    seen = stamp[OF(OTHER, turn)].turn;
    if
    :: seen != turn -> sleep_in_kernel()
    :: else
    fi;
    atomic {
#ifndef NOBODY_COUNTED
        sleepers[OTHER] = sleepers[OTHER] - 1;
#endif
        seen = 0
    }
}

inline wait_for_block()
{
    do
    :: atomic {
           stamp[OF(OTHER, turn)].turn == turn;
#if !defined(STAMP_WITHOUT_RELEASE) && !defined(STAMP_WITHOUT_ACQUIRE)
           learn(knows_shown[self], turn);
           learn(knows_read[self], said_done[OF(OTHER, turn)]);
#endif
           break
       }
    :: stamp[OF(OTHER, turn)].turn != turn -> sleep_until_published()
    od
}

/* The own place of the turn after this is free if the reader had read it when it published this one. */
inline hear_what_is_free()
{
#ifdef SAID_DONE_NOT_LOOKED_AT
    free_for[self] = turn + 1
#else
    if
    :: said_done[OF(OTHER, turn)] == turn - 1 -> free_for[self] = turn + 1
    :: else
    fi
#endif
}

/* One process is its showing and its reading, one step at a time of one or the other. */
proctype showing(bit self)
{
    byte turn = 1;
    do
    :: turn <= USES ->
       ahead[self] || own_done[OF(self, turn - 1)] >= turn - 1;
       wait_until_free();
#ifdef STAMP_BEFORE_FILL
       publish();
       fill();
#else
       fill();
       publish();
#endif
       turn = turn + 1
    :: else -> break
    od
}

proctype reading(bit self)
{
    byte turn = 1;
    byte seen = 0;
    do
    :: turn <= USES ->
       wait_for_block();
       look_at(first_half[OF(OTHER, turn)]);
       atomic {
           look_at(last_half[OF(OTHER, turn)]);
           hear_what_is_free()
       };
       atomic {
           own_done[OF(self, turn)] = turn;
           store(done[OF(self, turn)]);
           turn = turn + 1
       }
    :: else -> break
    od
}

#define SHOW(word) atomic { word.late > 0 -> word.turn = word.late; word.late = 0 }

proctype memory()
{
end:
    do
    :: SHOW(stamp[0])
    :: SHOW(stamp[1])
    :: SHOW(stamp[2])
    :: SHOW(stamp[3])
    :: SHOW(done[0])
    :: SHOW(done[1])
    :: SHOW(done[2])
    :: SHOW(done[3])
    od
}

init
{
    atomic {
        if
        :: ahead[0] = true
        :: skip
        fi;
        if
        :: ahead[0] -> ahead[1] = true /* the other way round is the same */
        :: skip
        fi;
        run memory();
        run showing(0);
        run showing(1);
        run reading(0);
        run reading(1)
    }
}
