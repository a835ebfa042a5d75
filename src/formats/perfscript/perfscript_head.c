/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line that begins a sample. Names of threads hold blanks and numbers, so what stands behind a
 * name is found first. docs/formats/perfscript.md §2.
 */
#include "formats/perfscript/perfscript.h"

enum {
	WORDS = 32,     /* of a line that are looked at */
	NAME_BYTES = 40 /* bytes of a name: 15 as the kernel keeps it, and a machine's before it */
};

struct words {
	struct as_slice word[WORDS];
	uint32_t n;
};

static void head_split(struct as_slice line, struct words *w)
{
	w->n = 0;
	while (w->n < WORDS && as_slice_word(&line, &w->word[w->n]))
		w->n++;
}

static bool head_is_number(struct as_slice s)
{
	uint64_t v;

	return as_slice_dec(s, &v);
}

static bool head_is_digits(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

static bool head_take_id(struct as_slice s, uint32_t *id, bool *has)
{
	uint64_t v;

	*has = as_slice_dec(s, &v) && v <= UINT32_MAX;
	*id = *has ? (uint32_t)v : 0;
	return *has || as_slice_is(s, "-1");
}

/* "12", "7/12", "-1" */
static bool head_take_ids(struct as_slice s, struct ps_head *h)
{
	size_t slash = as_slice_find(s, '/');

	h->has_pid = false;
	if (slash == s.len)
		return head_take_id(s, &h->tid, &h->has_tid);
	return head_take_id((struct as_slice){s.p, slash}, &h->pid, &h->has_pid) &&
	       head_take_id(as_slice_skip(s, slash + 1), &h->tid, &h->has_tid);
}

/* What perf counted at its end has a time that no clock has. */
#define HEAD_NO_TIME INT64_MAX

/* "1661.319727:", nanoseconds with nine digits */
static bool head_take_time(struct as_slice s, int64_t *ns)
{
	size_t dot = as_slice_find(s, '.'), digits;
	uint64_t sec, part;

	if (!as_slice_ends(s, ":") || dot == s.len)
		return false;
	digits = s.len - dot - 2;
	if (!as_slice_dec((struct as_slice){s.p, dot}, &sec) || digits > 9 ||
		!as_slice_dec((struct as_slice){s.p + dot + 1, digits}, &part))
		return false;
	if (sec > INT64_MAX / UINT64_C(1000000000) - 1) {
		*ns = HEAD_NO_TIME;
		return true;
	}
	for (; digits < 9; digits++)
		part *= 10;
	*ns = (int64_t)(sec * UINT64_C(1000000000) + part);
	return true;
}

/* "[003]" */
static bool head_take_cpu(struct as_slice s, uint32_t *cpu)
{
	uint64_t v;

	if (s.len < 3 || s.p[0] != '[' || s.p[s.len - 1] != ']' ||
		!as_slice_dec((struct as_slice){s.p + 1, s.len - 2}, &v))
		return false;
	*cpu = (uint32_t)v;
	return true;
}

/* "K", "Sp": what mode the processor was in, and more of the kind */
static bool head_is_misc(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!memchr("KUHGgMESp", s.p[i], 9))
			return false;
	return s.len > 0 && s.len <= 6;
}

/* "2026-11-23" */
static bool head_is_date(struct as_slice s)
{
	return s.len == 10 && s.p[4] == '-' && s.p[7] == '-';
}

/* The ids before word I of W, behind which are a processor, a mode, and a time of day, or not.
 * 0: there are none, or nothing before them. */
static uint32_t head_ids_before(const struct words *w, uint32_t i, struct ps_head *h)
{
	if (i > 2 && head_is_date(w->word[i - 2]))
		i -= 2;
	if (i > 1 && head_is_misc(w->word[i - 1]))
		i--;
	h->has_cpu = i > 1 && head_take_cpu(w->word[i - 1], &h->cpu);
	i -= h->has_cpu;
	return i > 1 && head_take_ids(w->word[i - 1], h) ? i - 1 : 0;
}

/* What is before word I of the line, without the blanks around it. */
static struct as_slice head_name(const struct words *w, uint32_t i)
{
	struct as_slice first = w->word[0];

	return as_slice_trim((struct as_slice){first.p, (size_t)(w->word[i].p - first.p)});
}

/* Word I is the period or the event, if it is there. */
static void head_take_event(
	const struct words *w, uint32_t i, struct as_slice line, struct ps_head *h)
{
	struct as_slice word;
	bool number = i + 1 < w->n && w->word[i + 1].len > 1 &&
		      as_slice_ends(w->word[i + 1], ":") && head_is_digits(w->word[i]);

	h->has_period = number && as_slice_dec(w->word[i], &h->period);
	h->beyond = number && !h->has_period;
	h->period = h->has_period ? h->period : 0;
	i += number;
	h->event = as_slice_of("");
	h->rest = (struct as_slice){line.p + line.len, 0};
	if (i >= w->n)
		return;
	word = w->word[i];
	if (as_slice_ends(word, ":") && word.len > 1) {
		h->event = (struct as_slice){word.p, word.len - 1};
		word = as_slice_skip(word, word.len);
	}
	h->rest = as_slice_trim((struct as_slice){word.p, (size_t)(line.p + line.len - word.p)});
}

/* By the last time that has ids before it: a name may look like both. */
static bool head_with_time(const struct words *w, struct as_slice line, struct ps_head *h)
{
	struct ps_head try = *h;
	bool found = false;

	for (uint32_t i = 2; i < w->n; i++) {
		uint32_t ids;

		if (!head_take_time(w->word[i], &try.time))
			continue;
		ids = head_ids_before(w, i, &try);
		if (!ids || (found && head_name(w, ids).len > NAME_BYTES))
			continue;
		found = true;
		try.has_time = try.time != HEAD_NO_TIME;
		try.comm = head_name(w, ids);
		head_take_event(w, i + 1, line, &try);
		*h = try;
	}
	return found;
}

/* No time: the number before the event is the thread's, though it might be a period. */
static bool head_without_time(const struct words *w, struct as_slice line, struct ps_head *h)
{
	for (uint32_t i = 2; i < w->n; i++) {
		uint32_t ids, cpu;
		bool period = i > 3 && head_is_number(w->word[i - 1]) &&
			      head_take_cpu(w->word[i - 2], &cpu);

		if (!as_slice_ends(w->word[i], ":"))
			continue;
		ids = head_ids_before(w, i - period, h);
		if (!ids)
			continue;
		h->comm = head_name(w, ids);
		head_take_event(w, i - period, line, h);
		return true;
	}
	if (w->n < 2 || w->n == WORDS || line.p[0] == ' ' || line.p[0] == '\t' ||
		!head_take_ids(w->word[w->n - 1], h))
		return false;
	h->comm = head_name(w, w->n - 1);
	h->rest = (struct as_slice){line.p + line.len, 0};
	return true;
}

bool as_ps_head(struct as_slice line, struct ps_head *out)
{
	struct words w;

	*out = (struct ps_head){.event = as_slice_of(""), .rest = as_slice_of("")};
	head_split(line, &w);
	return head_with_time(&w, line, out) || head_without_time(&w, line, out);
}
