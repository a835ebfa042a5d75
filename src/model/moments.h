/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When it happened: what the samples of a profile are the sums of, one by one and in order of time.
 * A profile has this table where it was asked for and its source tells; else it is empty.
 *
 * Law: for each part, node and event the values of the moments add up to the cost of the sample,
 * and there is no cost but that of samples. Where that does not hold there is no moment at all, and
 * LEFT says how many there were.
 *
 * A moment is kept as what differs from the one before it:
 *
 *	head      byte    MOMENT_* of moments.c: which of these follow
 *	time      varint  nanoseconds after the moment before
 *	part      varint
 *	event     varint
 *	node      varint  zigzag difference to the moment before
 *	value     varint  zigzag; where it is left out, as of the last moment of that event
 *	duration  varint
 *
 * Blocks of AS_MOMENTS_BLOCK moments begin anew, so that one can be found by its time.
 */
#ifndef AS_MODEL_MOMENTS_H
#define AS_MODEL_MOMENTS_H

#include "base/alloc.h"
#include "model/handles.h"

struct as_moment {
	/* Nanoseconds from prof->epoch on, the start of the recording; where that is not known,
	 * from the first moment on. While a profile is built: of any clock, see as_build. */
	int64_t time;
	uint64_t duration; /* nanoseconds; 0 = a point in time */
	int64_t value;     /* of EVENT */
	uint32_t part, event;
	as_node node;
};

enum { AS_MOMENTS_BLOCK = 4096 };

struct as_moments_block {
	int64_t first; /* time */
	size_t off;
	uint32_t n;
};

struct as_moments {
	AS_VEC(uint8_t) bytes;
	AS_VEC(struct as_moments_block) block;
	uint64_t n;
	int64_t last;          /* time of the last one, with its duration */
	uint64_t left;         /* moments that the source tells, or told, and that are not here */
	uint64_t markers_left; /* records of markers that are not here, nor in a sample */
};

/*
 * The event of markers: what a source names and dates without counting it, as a user's mark or a
 * pause of a collector. Each is 1 at a path of one frame, its name. Profiles have it where it was
 * asked for (as_build.keep_markers), behind all other events.
 */
#define AS_MARKERS "markers"

/*
 * The event of what threads did not run, in nanoseconds: profiles have it whose source tells when
 * threads left a processor and when they came back, behind all other events but markers. A sample
 * is at the stack at which the thread left; a moment is one stretch, from then on, and its value is
 * how long it was. Why it did not run is its part's label AS_STATE, one of "runnable" (it could
 * have), "waiting", "blocked" (no signal wakes it) and "stopped"; a source that knows no more than
 * that the thread could not run says "waiting".
 */
#define AS_OFF_CPU "off-cpu"
#define AS_STATE "state"

void as_moments_release(struct as_moments *m, const struct as_alloc *al);

/* Walks all moments in order of time. */
struct as_moments_cur {
	const struct as_moments *of;
	const uint8_t *p;
	size_t block;  /* the next one */
	uint32_t left; /* in the one before it */
	struct as_moment at;
	int64_t value[8]; /* of the last moment of each event, by its number's last bits */
};

void as_moments_begin(struct as_moments_cur *cur, const struct as_moments *m);
/* The next one is in cur->at; false: there is none. */
bool as_moments_next(struct as_moments_cur *cur);

/* M becomes what lies of it in [FROM, TO); false: nothing does. What is its own duration is time
 * that passed, of which the part inside counts; all else is of the moment at which it began. */
bool as_moment_clip(struct as_moment *m, int64_t from, int64_t to);

struct as_profile;
/* The sample of PART and NODE, from 0; false: there is none. */
bool as_moments_sample(const struct as_profile *prof, uint32_t part, as_node node, size_t *sample);

#endif
