/* SPDX-License-Identifier: Apache-2.0 */
/* Files of perf, made record by record, for tests. */
#ifndef AS_FORMATS_PERFDATA_PERFDATA_TESTING_H
#define AS_FORMATS_PERFDATA_PERFDATA_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "formats/perfdata/perfdata.h"
#include "io/file.h"
#include "lib/mem_io.h"

extern const struct as_format as_format_perfdata;
enum { BYTES = 1 << 16 };

/* A file in the making; words go to either byte order. */
struct file {
	char p[BYTES];
	size_t n, record; /* where the last record began */
	bool swap;
};

static inline void put_bytes(struct file *f, const void *p, size_t n)
{
	assert_true(f->n + n <= sizeof(f->p));
	memcpy(f->p + f->n, p, n);
	f->n += n;
}

static inline void put16(struct file *f, uint16_t v)
{
	v = f->swap ? __builtin_bswap16(v) : v;
	put_bytes(f, &v, sizeof(v));
}

static inline void put32(struct file *f, uint32_t v)
{
	v = f->swap ? __builtin_bswap32(v) : v;
	put_bytes(f, &v, sizeof(v));
}

static inline void put64(struct file *f, uint64_t v)
{
	v = f->swap ? __builtin_bswap64(v) : v;
	put_bytes(f, &v, sizeof(v));
}

static inline void begin(struct file *f, uint32_t type, uint16_t misc)
{
	f->record = f->n;
	put32(f, type);
	put16(f, misc);
	put16(f, 0);
}

static inline void end(struct file *f)
{
	uint16_t size = (uint16_t)(f->n - f->record);

	size = f->swap ? __builtin_bswap16(size) : size;
	memcpy(f->p + f->record + 6, &size, sizeof(size));
}

static inline void put_text(struct file *f, const char *text)
{
	size_t n = strlen(text) + 1;

	put_bytes(f, text, n);
	for (; n % 8; n++)
		put_bytes(f, "", 1);
}

/* How the events of these files are opened: IP, TID, TIME, PERIOD, CALLCHAIN, IDENTIFIER; but for
 * MORE. */
#define USUAL                                                                                     \
	(AS_PERF_S_IP | AS_PERF_S_TID | AS_PERF_S_TIME | AS_PERF_S_PERIOD | AS_PERF_S_CALLCHAIN | \
		AS_PERF_S_IDENTIFIER)

struct event {
	uint32_t type;
	uint64_t config, period, sample_type, read_format;
	bool freq;
};

static inline void put_attr(struct file *f, const struct event *ev)
{
	uint64_t flags = (uint64_t)ev->freq << PD_FREQ | UINT64_C(1) << PD_SAMPLE_ID_ALL |
			 UINT64_C(1) << PD_EXCLUDE_GUEST;
	char bits[8];

	put32(f, ev->type);
	put32(f, PD_ATTR_LEAST);
	put64(f, ev->config);
	put64(f, ev->period);
	put64(f, ev->sample_type);
	put64(f, ev->read_format);
	for (unsigned i = 0; i < 8; i++) {
		unsigned byte = flags >> (8 * i) & 0xff, turned = 0;

		for (unsigned k = 0; k < 8; k++)
			turned |= (byte >> k & 1) << (f->swap ? 7 - k : k);
		bits[i] = (char)turned;
	}
	put_bytes(f, bits, sizeof(bits));
	put64(f, 0); /* wakeup, bp_type */
	put64(f, 0); /* config1 */
}

/* A stream: each event has the ids 100 * its number, and that + 1. */
static inline void begin_pipe(struct file *f, const struct event *ev, size_t n, bool swap)
{
	memset(f, 0, sizeof(*f));
	f->swap = swap;
	put_bytes(f, swap ? "2ELIFREP" : "PERFILE2", 8);
	put64(f, 16);
	for (size_t i = 0; i < n; i++) {
		begin(f, PD_ATTR, 0);
		put_attr(f, &ev[i]);
		put64(f, 100 * (i + 1));
		put64(f, 100 * (i + 1) + 1);
		end(f);
	}
}

static const struct event clock_event = {
	.type = 1, .period = 999, .sample_type = USUAL, .freq = true};

static inline void trailer(struct file *f, uint32_t pid, uint64_t time)
{
	put32(f, pid);
	put32(f, pid);
	put64(f, time);
	put64(f, 100);
	end(f);
}

static inline void put_comm(
	struct file *f, uint32_t pid, uint64_t time, const char *name, bool exec)
{
	begin(f, AS_PERF_COMM, exec ? AS_PERF_MISC_EXEC : 0);
	put32(f, pid);
	put32(f, pid);
	put_text(f, name);
	trailer(f, pid, time);
}

static inline void put_mmap(
	struct file *f, uint32_t pid, uint64_t time, uint64_t start, const char *path)
{
	begin(f, AS_PERF_MMAP, pid == UINT32_MAX ? AS_PERF_MODE_KERNEL : AS_PERF_MODE_USER);
	put32(f, pid);
	put32(f, pid);
	put64(f, start);
	put64(f, 0x1000);
	put64(f, 0x4000);
	put_text(f, path);
	trailer(f, pid, time);
}

static inline void put_fork(
	struct file *f, uint32_t pid, uint32_t ppid, uint64_t time, uint16_t misc)
{
	begin(f, AS_PERF_FORK, misc);
	put32(f, pid);
	put32(f, ppid);
	put32(f, pid);
	put32(f, ppid);
	put64(f, time);
	trailer(f, pid, time);
}

struct sample {
	uint64_t id, time, period;
	uint32_t pid;
	uint16_t mode;
	uint64_t chain[6];
	size_t n;
};

static inline void put_sample(struct file *f, const struct sample *s)
{
	uint64_t ip = 0;

	for (size_t i = s->n; i-- > 0;)
		if (s->chain[i] < AS_PERF_CONTEXT_MAX)
			ip = s->chain[i];
	begin(f, AS_PERF_SAMPLE, s->mode ? s->mode : AS_PERF_MODE_USER);
	put64(f, s->id ? s->id : 100);
	put64(f, ip);
	put32(f, s->pid);
	put32(f, s->pid);
	put64(f, s->time);
	put64(f, s->period);
	put64(f, s->n);
	for (size_t i = 0; i < s->n; i++)
		put64(f, s->chain[i]);
	end(f);
}

static inline void read_file(struct mem_read *r, const struct file *f)
{
	struct mem_how how = {.fmt = &as_format_perfdata, .detail = AS_DETAIL_FULL};

	mem_read(r, &how, (struct as_slice){f->p, f->n});
	if (r->rc != AS_OK)
		fail_msg("%s", r->err.msg);
}

static inline as_val total(const struct as_profile *prof, const char *name)
{
	uint32_t event;

	if (!as_profile_event(prof, as_slice_of(name), &event))
		fail_msg("there is no event '%s'", name);
	return prof->total[event];
}

/* "OBJECT+ADDR < OBJECT+ADDR" of each sample's path, the innermost first, in the order of the
 * profile. */
static inline const char *paths_of(const struct as_profile *prof, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		for (as_node at = prof->sample.node.p[i]; at.i; at = prof->node.parent.p[at.i]) {
			struct as_pos pos = as_place_pos(prof, prof->node.place.p[at.i]);
			struct as_slice path =
				as_object_path(prof, prof->func.object.p[pos.func.i]);

			n += (size_t)snprintf(text + n, size - n, "%.*s+%" PRIx64 "%s",
				AS_SLICE_FMT(path), pos.addr,
				prof->node.parent.p[at.i].i ? " < " : "");
		}
		n += (size_t)snprintf(text + n, size - n, "\n");
	}
	return text;
}

static inline struct sample user(uint32_t pid, uint64_t time, uint64_t pc)
{
	return (struct sample){.pid = pid,
		.time = time,
		.period = 10,
		.chain = {AS_PERF_CONTEXT_USER, pc},
		.n = 2};
}

#endif
