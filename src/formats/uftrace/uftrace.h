/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the reader share.
 *
 *	uftrace.c	the driver; the files of the directory, one after the other
 *	uftrace_text.c	info, task.txt, maps, symbols
 *	uftrace_perf.c	what perf-cpuN.dat says of threads
 *	uftrace_place.c	from an address at a time to a place
 *	uftrace_thread.c	the calls of a thread
 */
#ifndef AS_FORMATS_UFTRACE_UFTRACE_H
#define AS_FORMATS_UFTRACE_UFTRACE_H

#include "formats/bundle.h"

enum { UFTRACE_TIME, UFTRACE_CALLS, UFTRACE_EVENTS };

/* Of the features that info lists. */
enum { UFTRACE_HAS_RELATIVE = 1 << 5 };

struct uftrace_sym {
	uint64_t addr;
	struct as_slice name; /* "" = no function begins there */
};

/* A file NAME.sym. */
struct uftrace_syms {
	struct as_slice file;           /* without ".sym" */
	struct as_slice path;           /* of the binary, as it says itself; "" = it does not */
	AS_VEC(struct uftrace_sym) sym; /* ascending */
};

struct uftrace_map {
	uint64_t start, end, offset;
	struct as_slice path, id;
	uint32_t syms; /* from 1; 0 = there are none */
	as_object object;
};

/* A file sid-ID.map. */
struct uftrace_maps {
	struct as_slice sid;
	AS_VEC(struct uftrace_map) map;
};

/* From TIME on process PID is what MAPS, from 1, say. */
struct uftrace_session {
	uint64_t time, pid;
	struct as_slice sid;
	uint32_t maps;
};

/* A library that SID loaded later. */
struct uftrace_dlopen {
	struct as_slice sid, path;
	uint64_t base;
};

struct uftrace_task {
	uint64_t tid, pid;
};

struct uftrace_fork {
	uint64_t pid, parent;
};

struct uftrace_comm {
	uint64_t tid;
	struct as_slice name;
};

/* A thread left the processor, or came back to it. */
struct uftrace_switch {
	uint64_t time, tid;
	bool out, preempted;
};

/* What an address of a session became. */
struct uftrace_code {
	uint64_t addr;
	uint32_t maps;
	as_place place;
};

struct uftrace {
	struct as_rd *rd;
	const struct as_alloc *al; /* scratch's */
	struct as_arena *arena;    /* likewise; texts of files */
	struct as_bundle b;
	bool big; /* the most significant byte comes first */
	struct as_slice command, creator;
	uint64_t features; /* UFTRACE_HAS_* */
	AS_VEC(struct uftrace_syms) syms;
	AS_VEC(struct uftrace_maps) maps;
	AS_VEC(struct uftrace_session) session;
	AS_VEC(struct uftrace_dlopen) dlopen;
	AS_VEC(struct uftrace_task) task;
	AS_VEC(struct uftrace_fork) fork;
	AS_VEC(struct uftrace_comm) comm;
	AS_VEC(struct uftrace_switch) sw;
	AS_VEC(struct uftrace_code) code;
	struct as_index codes;
	as_place slept[2], lost; /* linux:schedule, and preempted; what no record tells; 0 = not
				    asked for yet */
	uint64_t n_lost, n_open, n_threads;
	bool placed; /* the parts of the sessions have been put together */
};

static inline uint64_t uftrace_number(const struct uftrace *u, const char *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)(unsigned char)p[i] << 8 * (u->big ? n - 1 - i : i);
	return v;
}

/* ---- uftrace_text.c: TEXT is a whole file's ---- */
enum as_code as_uftrace_info(struct uftrace *u, struct as_slice text) AS_NODISCARD;
enum as_code as_uftrace_tasks(struct uftrace *u, struct as_slice text) AS_NODISCARD;
enum as_code as_uftrace_maps(struct uftrace *u, struct as_slice sid, struct as_slice text)
	AS_NODISCARD;
enum as_code as_uftrace_syms(struct uftrace *u, struct as_slice file, struct as_slice text)
	AS_NODISCARD;

/* ---- uftrace_perf.c ---- */
enum as_code as_uftrace_perf(struct uftrace *u, struct as_slice text) AS_NODISCARD;

/* ---- uftrace_place.c ---- */
/* All texts have been read: objects, and what each session has. */
enum as_code as_uftrace_begin_places(struct uftrace *u) AS_NODISCARD;
/* The process of TID, TID itself where nothing says it. */
uint64_t as_uftrace_process(const struct uftrace *u, uint64_t tid);
/* The maps, from 1, of PID at TIME; 0: there are none. *UNTIL: when it has others. */
uint32_t as_uftrace_maps_at(const struct uftrace *u, uint64_t pid, uint64_t time, uint64_t *until);
enum as_code as_uftrace_place(struct uftrace *u, uint32_t maps, uint64_t addr, as_place *out)
	AS_NODISCARD;
/* The place of a thing that is no code: OBJECT, or NAME if that is "". */
enum as_code as_uftrace_thing(
	struct uftrace *u, const char *object, const char *name, as_place *out) AS_NODISCARD;

/* ---- uftrace_thread.c ---- */
/* The records of TID, which the bundle stands at. */
enum as_code as_uftrace_thread(struct uftrace *u, uint64_t tid) AS_NODISCARD;

#endif
