/* SPDX-License-Identifier: Apache-2.0 */
#include "perf/perf_parse.h"

struct cur {
	struct as_slice s;
	bool bad, swap;
};

static inline struct as_slice perf_parse_take(struct cur *c, uint64_t n)
{
	struct as_slice part = {NULL, 0};

	if (c->bad || n > c->s.len) {
		c->bad = true;
		return part;
	}
	part = (struct as_slice){c->s.p, (size_t)n};
	c->s = as_slice_skip(c->s, (size_t)n);
	return part;
}

static inline uint64_t perf_parse_word(struct cur *c)
{
	struct as_slice s = perf_parse_take(c, 8);
	uint64_t v = s.p ? as_perf_word(s, 0) : 0;

	return c->swap ? __builtin_bswap64(v) : v;
}

static inline uint32_t perf_parse_half(struct cur *c)
{
	struct as_slice s = perf_parse_take(c, 4);
	uint32_t v = 0;

	if (s.p)
		memcpy(&v, s.p, sizeof(v));
	return c->swap ? __builtin_bswap32(v) : v;
}

static uint16_t perf_parse_short(struct cur *c)
{
	struct as_slice s = perf_parse_take(c, 2);
	uint16_t v = 0;

	if (s.p)
		memcpy(&v, s.p, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

/* N words, where N is from the record. */
static struct as_slice perf_parse_words(struct cur *c, uint64_t n)
{
	if (n > c->s.len / 8)
		c->bad = true;
	return perf_parse_take(c, c->bad ? 0 : 8 * n);
}

/* Up to the first NUL of what is left. */
static struct as_slice perf_parse_text(struct cur *c)
{
	struct as_slice s = c->s;

	s.len = as_slice_find(s, '\0');
	return s;
}

static void parse_ids(struct cur *c, struct as_perf_rec *rec)
{
	rec->pid = perf_parse_half(c);
	rec->tid = perf_parse_half(c);
}

/* ---- samples ---- */

static void parse_stack(struct cur *c, struct as_perf_rec *rec)
{
	uint64_t size = perf_parse_word(c), filled;

	if (size == 0)
		return;
	rec->stack = perf_parse_take(c, size);
	filled = perf_parse_word(c);
	if (filled > rec->stack.len)
		c->bad = true;
	else
		rec->stack.len = (size_t)filled;
	rec->stack_more = !c->bad && filled == size;
}

static unsigned perf_parse_bits(uint64_t mask)
{
	return (unsigned)__builtin_popcountll(mask);
}

/* The counts of one event, or of all of its group. */
static void parse_counts(struct cur *c, uint64_t format, struct as_perf_rec *rec)
{
	unsigned times = perf_parse_bits(format & (AS_PERF_R_ENABLED | AS_PERF_R_RUNNING));
	unsigned each = 1 + perf_parse_bits(format & (AS_PERF_R_ID | AS_PERF_R_LOST));
	struct cur ahead = *c;
	uint64_t n = 1;

	if (format & AS_PERF_R_GROUP) {
		n = perf_parse_word(&ahead);
		if (n > c->s.len / 8)
			c->bad = true;
	}
	rec->counts = perf_parse_words(
		c, c->bad ? 0 : (format & AS_PERF_R_GROUP ? 1 : 0) + times + n * each);
}

/* The text of tracepoints, by its own length. */
static void parse_raw(struct cur *c, struct as_perf_rec *rec)
{
	rec->raw = perf_parse_take(c, perf_parse_half(c));
}

static void parse_branches(struct cur *c, uint64_t branch_type, struct as_perf_rec *rec)
{
	uint64_t n = perf_parse_word(c);

	if (branch_type & AS_PERF_B_HW_INDEX)
		perf_parse_word(c);
	if (n > c->s.len / 24)
		c->bad = true;
	rec->branches = perf_parse_words(c, c->bad ? 0 : 3 * n);
	if (branch_type & AS_PERF_B_COUNTERS)
		perf_parse_words(c, c->bad ? 0 : n);
}

/* No registers are written if the thread has no user's part. */
static void parse_regs(struct cur *c, uint64_t mask, struct as_perf_rec *rec)
{
	rec->regs_abi = perf_parse_word(c);
	if (rec->regs_abi)
		rec->regs = perf_parse_words(c, perf_parse_bits(mask));
}

/* What stands before the period. */
static void parse_sample_head(struct cur *c, uint64_t has, struct as_perf_rec *rec)
{
	if (has & AS_PERF_S_IDENTIFIER)
		rec->id = perf_parse_word(c);
	if (has & AS_PERF_S_IP)
		rec->ip = perf_parse_word(c);
	if (has & AS_PERF_S_TID)
		parse_ids(c, rec);
	rec->has_time = has & AS_PERF_S_TIME;
	if (rec->has_time)
		rec->time = perf_parse_word(c);
	if (has & AS_PERF_S_ADDR)
		perf_parse_word(c);
	if (has & AS_PERF_S_ID)
		rec->id = perf_parse_word(c);
	if (has & AS_PERF_S_STREAM_ID)
		perf_parse_word(c);
	if (has & AS_PERF_S_CPU) {
		rec->cpu = perf_parse_half(c);
		perf_parse_half(c);
	}
}

/* What stands behind the stack; no more is asked of it than the control group, so registers of the
 * kernel, whose number another mask has, end it. */
static void parse_sample_tail(struct cur *c, uint64_t has, struct as_perf_rec *rec)
{
	const uint64_t words = AS_PERF_S_WEIGHT | AS_PERF_S_WEIGHT_STRUCT | AS_PERF_S_DATA_SRC |
			       AS_PERF_S_TRANSACTION | AS_PERF_S_PHYS_ADDR;

	if (!(has & AS_PERF_S_CGROUP) || has & AS_PERF_S_REGS_INTR)
		return;
	for (unsigned n = perf_parse_bits(has & words); n; n--)
		perf_parse_word(c);
	rec->cgroup = perf_parse_word(c);
}

static void parse_sample(
	struct cur *c, const struct as_perf_layout *layout, struct as_perf_rec *rec)
{
	const uint64_t has = layout->sample_type;

	parse_sample_head(c, has, rec);
	rec->count = has & AS_PERF_S_PERIOD ? perf_parse_word(c) : 1;
	if (has & AS_PERF_S_READ)
		parse_counts(c, layout->read_format, rec);
	if (has & AS_PERF_S_CALLCHAIN)
		rec->chain = perf_parse_words(c, perf_parse_word(c));
	if (has & AS_PERF_S_RAW)
		parse_raw(c, rec);
	if (has & AS_PERF_S_BRANCH_STACK)
		parse_branches(c, layout->branch_type, rec);
	if (has & AS_PERF_S_REGS_USER)
		parse_regs(c, layout->regs, rec);
	if (has & AS_PERF_S_STACK_USER)
		parse_stack(c, rec);
	parse_sample_tail(c, has, rec);
}

/* ---- other records ---- */

static void parse_mmap(struct cur *c, struct as_perf_rec *rec)
{
	parse_ids(c, rec);
	rec->addr = perf_parse_word(c);
	rec->len = perf_parse_word(c);
	rec->offset = perf_parse_word(c);
}

/* Some kernels (6.1) say that there is a build id where the numbers of a device and a file stand:
 * then the number of the device, which is small, is where its length should be. */
static bool parse_is_id(const struct cur *c, struct as_slice id)
{
	enum { MINOR_MAX = 4096 };
	struct cur ahead = {as_slice_skip(id, 4), false, c->swap};
	unsigned n = (unsigned char)id.p[0];

	if (!n || n > AS_PERF_BUILD_ID_MAX || id.p[1] || id.p[2] || id.p[3])
		return false;
	return perf_parse_half(&ahead) >= MINOR_MAX;
}

static void parse_mmap2(struct cur *c, struct as_perf_rec *rec)
{
	struct as_slice id;

	parse_mmap(c, rec);
	id = perf_parse_take(c, 24);
	rec->prot = perf_parse_half(c);
	perf_parse_half(c);
	rec->text = perf_parse_text(c);
	if (c->bad || !(rec->misc & AS_PERF_MISC_BUILD_ID) || !parse_is_id(c, id))
		return;
	rec->n_build_id = (uint8_t)id.p[0];
	memcpy(rec->build_id, id.p + 4, rec->n_build_id);
}

/* Which holds where there is no trailer. */
static void parse_own_time(struct cur *c, struct as_perf_rec *rec)
{
	uint64_t time = perf_parse_word(c);

	if (rec->has_time)
		return;
	rec->time = time;
	rec->has_time = !c->bad;
}

static void parse_task(struct cur *c, struct as_perf_rec *rec)
{
	rec->pid = perf_parse_half(c);
	rec->ppid = perf_parse_half(c);
	rec->tid = perf_parse_half(c);
	rec->ptid = perf_parse_half(c);
	if (c->s.len >= 8)
		parse_own_time(c, rec);
}

static void parse_ksymbol(struct cur *c, struct as_perf_rec *rec)
{
	rec->addr = perf_parse_word(c);
	rec->len = perf_parse_half(c);
	perf_parse_short(c);
	rec->off = perf_parse_short(c) & 1;
	rec->text = perf_parse_text(c);
}

unsigned as_perf_words_before(uint64_t sample_type, uint64_t field)
{
	static const uint64_t order[] = {AS_PERF_S_IDENTIFIER, AS_PERF_S_IP, AS_PERF_S_TID,
		AS_PERF_S_TIME, AS_PERF_S_ADDR, AS_PERF_S_ID};
	unsigned n = 0;

	for (size_t i = 0; i < AS_ARRAY_LEN(order) && order[i] != field; i++)
		n += (sample_type & order[i]) != 0;
	return n;
}

unsigned as_perf_words_to_end(uint64_t sample_type, uint64_t field)
{
	static const uint64_t order[] = {AS_PERF_S_IDENTIFIER, AS_PERF_S_CPU, AS_PERF_S_STREAM_ID,
		AS_PERF_S_ID, AS_PERF_S_TIME, AS_PERF_S_TID};
	unsigned n = 0;

	for (size_t i = 0; i < AS_ARRAY_LEN(order); i++) {
		n += (sample_type & order[i]) != 0;
		if (order[i] == field)
			break;
	}
	return n;
}

/* The trailer of all records but samples: thread, time, and the event. */
static bool parse_trailer(
	struct cur *c, const struct as_perf_layout *layout, struct as_perf_rec *rec)
{
	const uint64_t has = layout->sample_type;
	size_t size = (size_t)8 * as_perf_words_to_end(has, AS_PERF_S_TID);
	struct cur end;

	if (layout->bare)
		return true;
	if (c->s.len < size)
		return false;
	end = (struct cur){as_slice_skip(c->s, c->s.len - size), false, c->swap};
	if (has & AS_PERF_S_TID)
		parse_ids(&end, rec);
	rec->has_time = has & AS_PERF_S_TIME;
	if (rec->has_time)
		rec->time = perf_parse_word(&end);
	if (has & AS_PERF_S_ID)
		rec->id = perf_parse_word(&end);
	if (has & AS_PERF_S_STREAM_ID)
		perf_parse_word(&end);
	if (has & AS_PERF_S_CPU) {
		rec->cpu = perf_parse_half(&end);
		perf_parse_half(&end);
	}
	if (has & AS_PERF_S_IDENTIFIER)
		rec->id = perf_parse_word(&end);
	c->s.len -= size;
	return true;
}

static void parse_body(struct cur *c, struct as_perf_rec *rec)
{
	switch (rec->type) {
	case AS_PERF_MMAP:
		parse_mmap(c, rec);
		rec->text = perf_parse_text(c);
		break;
	case AS_PERF_MMAP2:
		parse_mmap2(c, rec);
		break;
	case AS_PERF_COMM:
		parse_ids(c, rec);
		rec->text = perf_parse_text(c);
		break;
	case AS_PERF_FORK:
	case AS_PERF_EXIT:
		parse_task(c, rec);
		break;
	case AS_PERF_READ:
		parse_ids(c, rec);
		rec->count = perf_parse_word(c);
		break;
	case AS_PERF_LOST:
		perf_parse_word(c); /* id */
		rec->count = perf_parse_word(c);
		break;
	case AS_PERF_LOST_SAMPLES:
		rec->count = perf_parse_word(c);
		break;
	case AS_PERF_THROTTLE:
	case AS_PERF_UNTHROTTLE:
		parse_own_time(c, rec);
		rec->id = perf_parse_word(c);
		break;
	case AS_PERF_KSYMBOL:
		parse_ksymbol(c, rec);
		break;
	case AS_PERF_AUX:
		rec->offset = perf_parse_word(c);
		rec->len = perf_parse_word(c);
		break;
	case AS_PERF_CGROUP:
		rec->cgroup = perf_parse_word(c);
		rec->text = perf_parse_text(c);
		break;
	default:
		break;
	}
}

bool as_perf_parse(
	struct as_slice record, const struct as_perf_layout *layout, struct as_perf_rec *rec)
{
	struct cur c = {record, false, layout->swap};

	memset(rec, 0, sizeof(*rec));
	if (record.len < AS_PERF_HEAD)
		return false;
	rec->type = perf_parse_half(&c);
	rec->misc = perf_parse_short(&c);
	perf_parse_short(&c);
	if (rec->type == AS_PERF_SAMPLE) {
		parse_sample(&c, layout, rec);
	} else {
		if (!parse_trailer(&c, layout, rec))
			return false;
		parse_body(&c, rec);
	}
	return !c.bad;
}

struct as_slice as_perf_hex_id(
	const uint8_t *id, uint32_t n, char text[2 * AS_PERF_BUILD_ID_MAX + 1])
{
	static const char digit[] = "0123456789abcdef";

	as_assert(n <= AS_PERF_BUILD_ID_MAX);
	for (uint32_t i = 0; i < n; i++) {
		text[2 * i] = digit[id[i] >> 4];
		text[2 * i + 1] = digit[id[i] & 15];
	}
	text[2 * (size_t)n] = '\0';
	return (struct as_slice){text, (size_t)2 * n};
}
