/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and events, named so that they read back as they are, here and by readers that look for
 * numbers from the left. */
#include "formats/perfscript/perfscript_write.h"

/* ---- threads ---- */

/* A number that would be taken for a thread's: "12", "3/4", "-1". */
static bool names_is_ids(struct as_slice word)
{
	bool digit = false;

	for (size_t i = 0; i < word.len; i++) {
		digit |= word.p[i] >= '0' && word.p[i] <= '9';
		if (!memchr("0123456789/-", word.p[i], 12))
			return false;
	}
	return digit;
}

/* Readers of the left take the first number behind a blank for the thread's. */
static struct as_slice names_comm(struct as_ps_write *w, struct as_slice name)
{
	enum { WORDS = 16 };
	struct as_slice s = as_ps_write_copy(w, name.len ? name : as_slice_of("unknown"));
	struct as_slice rest = s, word;
	size_t n = 0;

	if (!s.p)
		return s;
	as_ps_hide_record(s);
	if (s.len && s.p[0] == '#')
		*(char *)(uintptr_t)s.p = '_';
	while (as_slice_word(&rest, &word))
		if (n++ && (names_is_ids(word) || n > WORDS))
			*(char *)(uintptr_t)(word.p - 1) = '_';
	return s.len ? s : as_slice_of("unknown");
}

/* What the thread of PART is called; else its program. */
static struct as_slice names_thread_name(const struct as_profile *prof, const struct as_part *part)
{
	struct as_slice name = as_str_get(prof, part->thread), word;
	struct as_slice command = as_str_get(prof, part->command);

	if (name.len)
		return name;
	if (as_slice_word(&command, &word))
		return as_base_name(word);
	return as_str_get(prof, part->name);
}

/* The numbers of PART as they are written; *NEXT is one that no thread has. */
static struct as_tally_thread names_ids(
	struct as_ps_write *w, const struct as_part *part, uint64_t *next)
{
	struct as_tally_thread t = {.has_pid = part->has_pid && part->pid <= UINT32_MAX,
		.has_tid = part->has_tid && part->tid <= UINT32_MAX};

	t.pid = t.has_pid ? (uint32_t)part->pid : 0;
	t.tid = t.has_tid ? (uint32_t)part->tid : t.pid;
	if (!t.has_tid && !t.has_pid)
		t.tid = (uint32_t)(*next)++;
	w->n_numbers += !t.has_tid || t.has_pid != part->has_pid;
	t.has_tid = true;
	return t;
}

static uint64_t names_unused_id(const struct as_profile *prof)
{
	uint64_t next = 1;

	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];

		if (p->has_tid && p->tid >= next && p->tid < UINT32_MAX / 2)
			next = p->tid + 1;
		if (p->has_pid && p->pid >= next && p->pid < UINT32_MAX / 2)
			next = p->pid + 1;
	}
	return next;
}

/* ---- what is read of them ---- */

static enum as_code names_index(
	struct as_ps_write *w, struct as_index *index, uint64_t hash, size_t row)
{
	return as_err_memory(w->wr->err, as_index_add(index, hash, (uint32_t)row));
}

/* What a reader takes for the process of thread I: its first thread, if that is among them. */
static struct as_slice names_process(
	const struct as_index *firsts, const struct as_tally_thread *t, size_t i)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (t[i].has_pid && as_index_find(firsts, as_hash_mix(t[i].pid, 1), &at, &row))
		if (t[row].pid == t[i].pid)
			return t[row].name;
	return t[i].name;
}

/* Whether an earlier part is written as I is. */
static enum as_code names_merged(
	struct as_ps_write *w, struct as_index *all, size_t i, bool *merged)
{
	uint64_t at = AS_INDEX_START, hash = as_hash_bytes(w->thread[i].p, w->thread[i].len);
	uint32_t row;

	*merged = false;
	while (as_index_find(all, hash, &at, &row))
		*merged |= as_slice_eq(w->thread[row], w->thread[i]);
	return *merged ? AS_OK : names_index(w, all, hash, i);
}

/* Labels of PART that are not read again; PROCESS is. */
static uint64_t names_labels(struct as_ps_write *w, size_t part, struct as_slice process)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(w->prof, part, &n);
	uint64_t lost = 0;

	for (uint32_t i = 0; i < n; i++)
		lost += !as_slice_is(as_str_get(w->prof, label[i].key), "process") ||
			!as_slice_eq(as_str_get(w->prof, label[i].text), process);
	return lost;
}

static enum as_code names_count_losses(
	struct as_ps_write *w, const struct as_tally_thread *t, const struct as_index *firsts)
{
	struct as_index all;

	as_index_init(&all, w->al);
	for (size_t i = 0; i < w->prof->part.n; i++) {
		struct as_slice command = as_str_get(w->prof, w->prof->part.p[i].command), process;
		uint64_t labels;
		bool merged;

		if (!w->thread[i].p)
			continue;
		process = names_process(firsts, t, i);
		labels = names_labels(w, i, process);
		AS_TRY(names_merged(w, &all, i, &merged));
		w->n_labels += labels;
		w->n_merged += merged && !labels;
		w->n_process += command.len && !as_slice_eq(command, process);
	}
	return AS_OK;
}

static enum as_code names_thread(
	struct as_ps_write *w, size_t i, struct as_tally_thread *t, uint64_t *next)
{
	const struct as_part *part = &w->prof->part.p[i];

	as_assert(i < w->prof->part.n);
	struct as_slice comm;

	*t = names_ids(w, part, next);
	t->name = names_thread_name(w->prof, part);
	comm = names_comm(w, t->name);
	AS_TRY(as_err_memory(w->wr->err, comm.p));
	if (!as_slice_eq(comm, t->name)) {
		w->name[i] = as_ps_write_copy(w, t->name);
		AS_TRY(as_err_memory(w->wr->err, w->name[i].p));
		w->n_names += !as_slice_eq(w->name[i], t->name);
	}
	if (t->has_pid)
		w->thread[i] = as_arena_printf(&w->arena, "%.*s %" PRIu32 "/%" PRIu32 " ",
			AS_SLICE_FMT(comm), t->pid, t->tid);
	else
		w->thread[i] =
			as_arena_printf(&w->arena, "%.*s %" PRIu32 " ", AS_SLICE_FMT(comm), t->tid);
	return as_err_memory(w->wr->err, w->thread[i].p);
}

enum as_code as_ps_write_threads(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;
	uint64_t next = names_unused_id(prof);
	struct as_index firsts;
	struct as_tally_thread *t = NULL;
	uint8_t *used = NULL;

	as_index_init(&firsts, w->al);
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->thread, prof->part.n) &&
						 as_alloc_array(w->al, &w->name, prof->part.n) &&
						 as_alloc_array(w->al, &used, prof->part.n) &&
						 as_alloc_array(w->al, &t, prof->part.n)));
	for (size_t i = 0; i < prof->sample.part.n; i++)
		used[prof->sample.part.p[i]] = 1;
	for (size_t i = 0; i < prof->part.n; i++) {
		if (!used[i])
			continue;
		AS_TRY(names_thread(w, i, &t[i], &next));
		if (t[i].has_pid && t[i].pid == t[i].tid)
			AS_TRY(names_index(w, &firsts, as_hash_mix(t[i].pid, 1), i));
	}
	return names_count_losses(w, t, &firsts);
}

/* ---- events ---- */

#define SAMPLES " samples"

/* The event NAME with MORE behind it; PS_NONE. */
static uint32_t names_event(const struct as_profile *prof, struct as_slice name, const char *more)
{
	size_t n = strlen(more);

	for (uint32_t i = 0; i < as_n_events(prof); i++) {
		struct as_slice other = as_event_name(prof, i);

		if (other.len == name.len + n && as_slice_ends(other, more) &&
			memcmp(other.p, name.p, name.len) == 0)
			return i;
	}
	return PS_NONE;
}

/* Like "1.5:", a time. */
static bool names_is_time(struct as_slice s)
{
	bool dot = false;

	for (size_t i = 0; i < s.len; i++) {
		dot |= s.p[i] == '.';
		if (!memchr("0123456789.", s.p[i], 11))
			return false;
	}
	return dot;
}

static bool names_is_taken(const struct as_ps_write *w, struct as_slice name)
{
	for (size_t i = 0; i < w->pair.n; i++)
		if (as_slice_eq(w->pair.p[i].name, name))
			return true;
	return false;
}

/* NAME as a word that no other event is. */
static struct as_slice names_word(struct as_ps_write *w, struct as_slice name)
{
	struct as_slice s = as_ps_write_copy(w, name.len ? name : as_slice_of("event"));

	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == ' ')
			((char *)(uintptr_t)s.p)[i] = '_';
	s = s.len || !s.p ? s : as_arena_dup(&w->arena, as_slice_of("event"));
	if (s.p)
		as_ps_hide_record(s);
	while (s.p && (names_is_time(s) || names_is_taken(w, s)))
		s = as_arena_printf(&w->arena, "%.*s_", AS_SLICE_FMT(s));
	w->n_names += name.len && s.p && !as_slice_eq(s, name);
	return s;
}

static enum as_code names_pair(
	struct as_ps_write *w, struct as_slice name, uint32_t weight, uint32_t count)
{
	struct ps_pair one = {.weight = weight, .count = count};
	struct as_slice unit;

	one.name = names_word(w, name);
	AS_TRY(as_err_memory(w->wr->err, one.name.p));
	if (weight != PS_NONE) {
		w->pair_of[weight] = (uint32_t)w->pair.n;
		unit = as_str_get(w->prof, w->prof->event.p[weight].unit);
		w->n_units += unit.len && !as_slice_is(unit, as_ps_unit(one.name));
	}
	if (count != PS_NONE) {
		w->pair_of[count] = (uint32_t)w->pair.n;
		unit = as_str_get(w->prof, w->prof->event.p[count].unit);
		w->n_units += unit.len && !as_slice_is(unit, "count");
	}
	return as_err_memory(w->wr->err, as_vec_push(w->al, &w->pair, one));
}

/* Event I, and the one beside it that counts its samples or weighs them. */
static enum as_code names_event_pair(struct as_ps_write *w, uint32_t i, uint8_t *used)
{
	const struct as_profile *prof = w->prof;
	struct as_slice name = as_event_name(prof, i), base = name;
	uint32_t count = names_event(prof, name, SAMPLES), weight;

	count = count != PS_NONE && name.len && !used[count] ? count : PS_NONE;
	base.len -= as_slice_ends(name, SAMPLES) ? sizeof(SAMPLES) - 1 : 0;
	weight = base.len < name.len && base.len ? names_event(prof, base, "") : PS_NONE;
	if (count == PS_NONE && base.len && base.len < name.len) {
		weight = weight != PS_NONE && !used[weight] ? weight : PS_NONE;
		AS_TRY(names_pair(w, base, weight, i));
	} else {
		weight = i;
		AS_TRY(names_pair(w, name, i, count));
	}
	used[i] = 1;
	if (weight != PS_NONE)
		used[weight] = 1;
	if (count != PS_NONE)
		used[count] = 1;
	return AS_OK;
}

enum as_code as_ps_write_pairs(struct as_ps_write *w)
{
	uint32_t e = as_n_events(w->prof);
	uint8_t *used = NULL;

	AS_TRY(as_err_memory(w->wr->err,
		as_alloc_array(w->al, &w->pair_of, e) && as_alloc_array(w->al, &used, e)));
	for (uint32_t i = 0; i < e; i++)
		if (!used[i])
			AS_TRY(names_event_pair(w, i, used));
	return AS_OK;
}
