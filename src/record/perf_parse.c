/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_parse.h"

#include <linux/perf_event.h>

struct cur {
	struct as_slice s;
	bool bad;
};

static struct as_slice perf_parse_take(struct cur *c, uint64_t n)
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

static uint64_t perf_parse_word(struct cur *c)
{
	struct as_slice s = perf_parse_take(c, 8);

	return s.p ? as_perf_word(s, 0) : 0;
}

static uint32_t perf_parse_half(struct cur *c)
{
	struct as_slice s = perf_parse_take(c, 4);
	uint32_t v = 0;

	if (s.p)
		memcpy(&v, s.p, sizeof(v));
	return v;
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

static void parse_sample(
	struct cur *c, const struct as_perf_layout *layout, struct as_perf_rec *rec)
{
	rec->pid = perf_parse_half(c);
	rec->tid = perf_parse_half(c);
	rec->time = perf_parse_word(c);
	rec->count = layout->sample_type & PERF_SAMPLE_PERIOD ? perf_parse_word(c) : 1;
	if (layout->sample_type & PERF_SAMPLE_CALLCHAIN)
		rec->chain = perf_parse_words(c, perf_parse_word(c));
	/* no registers are written if the thread has no user's part */
	if (layout->sample_type & PERF_SAMPLE_REGS_USER &&
		perf_parse_word(c) != PERF_SAMPLE_REGS_ABI_NONE)
		rec->regs = perf_parse_words(c, perf_parse_bits(layout->regs));
	if (layout->sample_type & PERF_SAMPLE_STACK_USER)
		parse_stack(c, rec);
}

static void parse_mmap2(struct cur *c, struct as_perf_rec *rec)
{
	struct as_slice id;

	rec->pid = perf_parse_half(c);
	rec->tid = perf_parse_half(c);
	rec->addr = perf_parse_word(c);
	rec->len = perf_parse_word(c);
	rec->offset = perf_parse_word(c);
	id = perf_parse_take(c, 24);
	rec->prot = perf_parse_half(c);
	perf_parse_half(c);
	rec->text = perf_parse_text(c);
	if (c->bad || !(rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return;
	rec->n_build_id = (uint8_t)id.p[0];
	if (rec->n_build_id > AS_PERF_BUILD_ID_MAX)
		c->bad = true;
	else
		memcpy(rec->build_id, id.p + 4, rec->n_build_id);
}

static void parse_task(struct cur *c, struct as_perf_rec *rec)
{
	rec->pid = perf_parse_half(c);
	rec->ppid = perf_parse_half(c);
	rec->tid = perf_parse_half(c);
	rec->ptid = perf_parse_half(c);
}

static void parse_ids(struct cur *c, struct as_perf_rec *rec)
{
	rec->pid = perf_parse_half(c);
	rec->tid = perf_parse_half(c);
}

/* The trailer of all records but samples: thread and time. */
static bool parse_trailer(struct cur *c, struct as_perf_rec *rec)
{
	struct cur end;

	if (c->s.len < 16)
		return false;
	end = (struct cur){as_slice_skip(c->s, c->s.len - 16), false};
	parse_ids(&end, rec);
	rec->time = perf_parse_word(&end);
	c->s.len -= 16;
	return true;
}

static void parse_body(struct cur *c, struct as_perf_rec *rec)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP2:
		parse_mmap2(c, rec);
		break;
	case PERF_RECORD_COMM:
		parse_ids(c, rec);
		rec->text = perf_parse_text(c);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		parse_task(c, rec);
		break;
	case PERF_RECORD_READ:
		parse_ids(c, rec);
		rec->count = perf_parse_word(c);
		break;
	case PERF_RECORD_LOST:
		perf_parse_word(c); /* id */
		rec->count = perf_parse_word(c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		rec->count = perf_parse_word(c);
		break;
	default:
		break;
	}
}

bool as_perf_parse(
	struct as_slice record, const struct as_perf_layout *layout, struct as_perf_rec *rec)
{
	struct perf_event_header head;
	struct cur c = {record, false};

	memset(rec, 0, sizeof(*rec));
	if (record.len < sizeof(head))
		return false;
	memcpy(&head, record.p, sizeof(head));
	perf_parse_take(&c, sizeof(head));
	rec->type = head.type;
	rec->misc = head.misc;
	if (rec->type == PERF_RECORD_SAMPLE) {
		parse_sample(&c, layout, rec);
	} else {
		if (!parse_trailer(&c, rec))
			return false;
		parse_body(&c, rec);
	}
	return !c.bad;
}
