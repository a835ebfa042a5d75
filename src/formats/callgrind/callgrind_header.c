/* SPDX-License-Identifier: Apache-2.0 */
/* Header lines and parts (§1.3, rules 9 and 10). */
#include "formats/callgrind/callgrind.h"

#include "base/date.h"

/* Order matters: the bit of a header in seen_headers. */
enum cg_header {
	H_VERSION,
	H_CREATOR,
	H_PID,
	H_CMD,
	H_PART,
	H_THREAD,
	H_DESC,
	H_EVENT,
	H_EVENTS,
	H_POSITIONS,
	H_SUMMARY,
	H_TOTALS,
	H_COUNT,
	H_NONE = H_COUNT
};

static const char *const header_key[H_COUNT] = {"version", "creator", "pid", "cmd", "part",
	"thread", "desc", "event", "events", "positions", "summary", "totals"};

static enum cg_header header_of(struct as_slice key)
{
	int h = 0;

	while (h < H_COUNT && !as_slice_is(key, header_key[h]))
		h++;
	return (enum cg_header)h;
}

/* "key:" at the front of LINE; the key may hold blanks ("timeframe (BB)"). */
static bool cg_header_split(struct as_slice line, struct as_slice *key, struct as_slice *value)
{
	size_t colon = as_slice_find(line, ':');

	if (colon == line.len || colon == 0)
		return false;
	*key = (struct as_slice){line.p, colon};
	*value = as_slice_skip(line, colon + 1);
	for (size_t i = 0; i < colon; i++) {
		char c = line.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
			    c == ' ' || c == '(' || c == ')') ||
			(i == 0 && (c == ' ' || c == '(')))
			return false;
	}
	return true;
}

bool as_cg_is_header(struct as_slice line, struct as_slice *key)
{
	struct as_slice value;

	return cg_header_split(line, key, &value) && header_of(*key) != H_NONE;
}

/* ---- parts ---- */

enum as_code as_cg_part_begin(struct cg *cg)
{
	struct as_profile *prof = cg->b->prof;
	struct as_part *now;
	uint32_t before = cg->part;
	bool inherit = cg->have_part || cg->ended;

	AS_TRY(as_rd_part(cg->rd, "callgrind", &cg->part));
	now = &prof->part.p[cg->part];
	now->positions = AS_POS_LINE; /* what the format means if nothing is said */
	if (inherit && !cg->fresh_file) {
		const struct as_part *old = &prof->part.p[before];

		now->pid = old->pid;
		now->has_pid = old->has_pid;
		now->command = old->command;
		now->creator = old->creator;
	}
	cg->fresh_file = false;
	cg->have_part = true;
	cg->have_events = cg->have_body = cg->ended = false;
	cg->seen_headers = 0;
	cg->early_summary.i = 0;
	cg->n_events = 0;
	cg->n_pos = 1;
	cg->pos_kind[0] = AS_POS_LINE;
	for (uint32_t i = 0; i < CG_POS_MAX; i++)
		cg->base[i] = cg->no_lines ? CG_NO_BASE : 0;
	cg->object.i = cg->file.i = cg->func_file.i = cg->func.i = cg->inl.i = 0;
	cg->have_file = cg->have_fl = cg->have_func = cg->moved = false;
	cg->run_dirty = true;
	cg->target = cg->jump_target = (struct cg_target){0};
	return AS_OK;
}

/* Compare what the file SAYS with the sum. Equal: nothing is kept, it can be computed. */
static enum as_code compare_totals(struct cg *cg, as_val **says, uint32_t n, bool totals)
{
	const struct cg_where *at = totals ? &cg->totals_at : &cg->summary_at;
	const as_val *said = *says;
	char a[AS_VAL_TEXT], b[AS_VAL_TEXT];

	if (!said)
		return AS_OK;

	for (uint32_t k = 0; k < n && k < cg->n_events; k++) {
		const char *name =
			as_str_get(cg->b->prof, cg->b->prof->event.p[cg->column.p[k]].name).p;
		enum as_finding_id id = totals                   ? AS_F_CG_TOTALS_DIFFER
					: said[k] < cg->sum.p[k] ? AS_F_CG_SUMMARY_BELOW
								 : AS_F_CG_SUMMARY_ABOVE;

		if (said[k] == cg->sum.p[k])
			continue;
		return as_rd_find(cg->rd, id, at->off, at->line,
			"'%s' gives %s %s, the cost lines add up to %s",
			totals ? "totals:" : "summary:", as_val_text(said[k], a), name,
			as_val_text(cg->sum.p[k], b));
	}
	*says = NULL;
	return AS_OK;
}

/* Cachegrind itself ends a file with its "summary:". What it writes has these two headers and none
 * of those that all others begin with, and no calls. */
static bool is_cut_cachegrind(const struct cg *cg, const struct as_part *part)
{
	static const uint32_t own = 1u << H_DESC | 1u << H_CMD;
	static const uint32_t others = 1u << H_VERSION | 1u << H_CREATOR | 1u << H_POSITIONS;

	return !part->summary && !cg->ended && cg->have_events && cg->have_body &&
	       !cg->n_lines_call && !cg->target.has_func &&
	       (cg->seen_headers & (own | others)) == own;
}

enum as_code as_cg_part_end(struct cg *cg)
{
	struct as_part *part;

	if (!cg->have_part)
		return AS_OK;
	AS_TRY(as_cg_drop_pending(cg));
	as_cg_note_use(cg);
	if (cg->func_detail)
		AS_TRY(as_cg_acc_part_end(cg));
	part = &cg->b->prof->part.p[cg->part];
	if (cg->numbered && !cg->ended && part->summary && cg->n_events &&
		part->summary[0] > cg->sum.p[0]) {
		as_rd_partial(cg->rd);
		AS_TRY(CG_FIND(cg, AS_F_CG_CUT, cg->p,
			"the part ends without 'totals:' and below its 'summary:'"));
	}
	if (is_cut_cachegrind(cg, part)) {
		as_rd_partial(cg->rd);
		AS_TRY(CG_FIND(cg, AS_F_CG_CUT, cg->p, "the file ends without 'summary:'"));
	}
	AS_TRY(compare_totals(cg, &part->totals, part->n_totals, true));
	AS_TRY(compare_totals(cg, &part->summary, part->n_summary, false));
	part->n_summary = part->n_totals = cg->n_events; /* those left out are zero */
	if (!cg->have_events && cg->have_body)
		AS_TRY(CG_FIND(cg, AS_F_CG_NO_EVENTS, cg->p, "the part has no 'events:' line"));
	return AS_OK;
}

static enum as_code next_part(struct cg *cg)
{
	AS_TRY(as_cg_part_end(cg));
	return as_cg_part_begin(cg);
}

/* A new file begins in the middle of this one: ids and inherited values end here. */
static enum as_code next_file(struct cg *cg)
{
	AS_TRY(as_cg_part_end(cg));
	as_cg_ids_release(&cg->objects, cg->al);
	as_cg_ids_release(&cg->files, cg->al);
	as_cg_ids_release(&cg->funcs, cg->al);
	as_cg_ids_init(&cg->objects, cg->al);
	as_cg_ids_init(&cg->files, cg->al);
	as_cg_ids_init(&cg->funcs, cg->al);
	cg->fresh_file = true;
	return as_cg_part_begin(cg);
}

enum as_code as_cg_marker(struct cg *cg)
{
	if (cg->middle)
		return AS_E_CANCELLED;
	if (cg->have_part && (cg->have_events || cg->have_body))
		return next_file(cg);
	return AS_OK;
}

/* ---- the lines ---- */

static enum as_code cg_header_repeated(
	struct cg *cg, enum cg_header h, struct as_slice line, struct as_slice value)
{
	as_str text;

	if (h == H_DESC || h == H_EVENT) {
		cg->seen_headers |= 1u << h;
		return AS_OK;
	}
	AS_TRY(as_build_str(cg->b, value, &text));
	while (cg->seen_values.n < H_COUNT)
		if (!as_vec_push(cg->al, &cg->seen_values, (as_str){0}))
			return as_err_no_memory(cg->rd->err);
	if ((cg->seen_headers >> h & 1) && cg->seen_values.p[h].i != text.i)
		AS_TRY(CG_FIND(cg, AS_F_CG_HEADER_REPEATED, line.p,
			"'%s:' stands here again with another value", header_key[h]));
	cg->seen_headers |= 1u << h;
	cg->seen_values.p[h] = text;
	return AS_OK;
}

enum as_code as_cg_room_for_events(struct cg *cg)
{
	size_t columns = cg->b->prof->event.n;
	size_t n = cg->n_events > columns ? cg->n_events : columns;

	if (!as_vec_reserve(cg->al, &cg->val, n + 1) || !as_vec_reserve(cg->al, &cg->sum, n + 1))
		return as_err_no_memory(cg->rd->err);
	memset(cg->val.p, 0, (n + 1) * sizeof(*cg->val.p));
	memset(cg->sum.p, 0, (n + 1) * sizeof(*cg->sum.p));
	cg->val.n = columns;
	cg->sum.n = cg->n_events;
	return as_err_memory(cg->rd->err, !cg->func_detail || as_cg_acc_room(cg));
}

static enum as_code cg_header_read_positions(
	struct cg *cg, struct as_slice line, struct as_slice value)
{
	struct as_part *part = &cg->b->prof->part.p[cg->part];
	struct as_slice word;
	bool odd = false;

	cg->n_pos = 0;
	part->positions = 0;
	while (as_slice_word(&value, &word)) {
		uint8_t kind = as_slice_is(word, "instr")  ? AS_POS_INSTR
			       : as_slice_is(word, "line") ? AS_POS_LINE
							   : 0;

		odd |= !kind;
		if (cg->n_pos == CG_POS_MAX)
			return as_rd_fail(cg->rd, AS_E_LIMIT, CG_OFF(cg, line.p), cg->line,
				"more than %d positions", CG_POS_MAX);
		cg->pos_kind[cg->n_pos++] = kind;
		part->positions |= kind;
	}
	if (!cg->n_pos) {
		cg->n_pos = 1;
		cg->pos_kind[0] = AS_POS_LINE;
	}
	if (odd)
		return CG_FIND(cg, AS_F_CG_POSITIONS_ODD, line.p,
			"positions other than 'instr' and 'line'");
	return AS_OK;
}

/* "event: name [= formula] [: long name]". Kept until all events are known. */
static enum as_code cg_header_read_event(struct cg *cg, struct as_slice value)
{
	struct as_derived d = {0};
	struct as_slice name = as_slice_trim(value), rest = {NULL, 0};
	size_t at = 0;

	while (at < name.len && name.p[at] != '=' && name.p[at] != ':')
		at++;
	rest = as_slice_skip(name, at);
	name = as_slice_trim((struct as_slice){name.p, at});
	d.bare = true;
	if (rest.len && rest.p[0] == '=') {
		size_t colon = as_slice_find(rest, ':');

		d.bare = false;
		AS_TRY(as_build_str(cg->b, as_slice_trim((struct as_slice){rest.p + 1, colon - 1}),
			&d.formula));
		rest = as_slice_skip(rest, colon);
	}
	if (rest.len)
		AS_TRY(as_build_str(cg->b, as_slice_trim(as_slice_skip(rest, 1)), &d.title));
	AS_TRY(as_build_str(cg->b, name, &d.name));
	return as_err_memory(cg->rd->err, as_vec_push(cg->al, &cg->event_lines, d));
}

/* Long names go to their events; formulas and names without column are kept once each. */
enum as_code as_cg_event_lines_end(struct cg *cg)
{
	struct as_profile *prof = cg->b->prof;

	for (size_t i = 0; i < cg->event_lines.n; i++) {
		const struct as_derived *d = &cg->event_lines.p[i];
		bool done = false;

		for (size_t k = 0; d->bare && k < prof->event.n; k++)
			if (prof->event.p[k].name.i == d->name.i) {
				prof->event.p[k].title = d->title;
				done = true;
			}
		for (size_t k = 0; k < prof->derived.n; k++)
			done |= prof->derived.p[k].name.i == d->name.i &&
				prof->derived.p[k].formula.i == d->formula.i;
		if (!done && !as_vec_push(prof->al, &prof->derived, *d))
			return as_err_no_memory(cg->rd->err);
	}
	return AS_OK;
}

/* "desc: assay.addresses: file offsets in PATH" */
static enum as_code own_offsets(struct cg *cg, struct as_slice text)
{
	as_object o;

	text = as_slice_skip(text, strlen(AS_CG_OFFSETS));
	AS_TRY(as_build_object(cg->b, text, (struct as_slice){NULL, 0}, &o));
	if (o.i)
		cg->b->prof->object.p[o.i].addr_kind = AS_ADDR_FILE_OFFSET;
	return AS_OK;
}

/* A line of metadata of our writer's: a fact, which is not kept. */
static enum as_code own_line(
	struct cg *cg, struct as_run_read *run, const struct as_meta *m, bool *is_own)
{
	const struct as_profile *prof = cg->b->prof;
	struct as_slice text = as_str_get(prof, m->text);
	enum as_said said;

	*is_own = false;
	if (!as_slice_is(as_str_get(prof, m->key), header_key[H_DESC]))
		return AS_OK;
	*is_own = as_slice_starts(text, AS_CG_OFFSETS);
	if (*is_own)
		return own_offsets(cg, text);
	run->part = m->part;
	AS_TRY(as_run_line(run, text, &said));
	*is_own = said == AS_SAID_FACT;
	return AS_OK;
}

static enum as_code own_lines(struct cg *cg, struct as_run_read *run)
{
	struct as_profile *prof = cg->b->prof;
	size_t n = 0, all = prof->meta.n;
	bool is_own;

	for (size_t i = 0; i < all; i++) {
		struct as_meta m = prof->meta.p[i];

		AS_TRY(own_line(cg, run, &m, &is_own));
		if (!is_own)
			prof->meta.p[n++] = m;
	}
	/* What has become of them stands behind all. */
	for (size_t i = all; i < prof->meta.n; i++)
		prof->meta.p[n++] = prof->meta.p[i];
	prof->meta.n = n;
	return as_run_end(run);
}

static enum as_code take_times(struct cg *cg, const struct as_run_read *run)
{
	char text[AS_DATE_NANOS];

	if (run->has_duration)
		cg->b->prof->duration = run->duration;
	if (!run->has_started)
		return AS_OK;
	return as_build_str(cg->b, as_slice_of(as_date_nanos_text(run->started, "T", "Z", text)),
		&cg->b->prof->epoch);
}

enum as_code as_cg_own_end(struct cg *cg)
{
	struct as_run_read run;
	enum as_code rc;

	as_run_begin(&run, cg->b, 0, AS_RUN_TIMES);
	rc = own_lines(cg, &run);
	if (rc == AS_OK)
		rc = take_times(cg, &run);
	as_run_release(&run);
	return rc;
}

static enum as_code read_sum(struct cg *cg, struct as_slice word, as_val *v)
{
	bool negative = word.p[0] == '-';
	uint64_t x = 0;

	if (!as_slice_is(word, ".") && !as_slice_num(as_slice_skip(word, negative), &x))
		AS_TRY(CG_FIND(cg, AS_F_CG_COST_GARBAGE, word.p, "expected a count, found '%.*s'",
			AS_SLICE_FMT(word)));
	*v = negative ? -(as_val)x : (as_val)x;
	return AS_OK;
}

static enum as_code read_sums(
	struct cg *cg, struct as_slice line, struct as_slice value, as_val **out, uint32_t *n)
{
	struct as_slice word;
	uint32_t i = 0;
	as_val *v;

	v = as_arena_new(&cg->b->prof->arena, ((size_t)cg->n_events + 1) * sizeof(*v));
	AS_TRY(as_err_memory(cg->rd->err, v));
	while (i < cg->n_events && as_slice_word(&value, &word)) {
		if (as_slice_is(word, "(null)")) /* valgrind's xtree without any cost */
			break;
		AS_TRY(read_sum(cg, word, &v[i++]));
	}
	if (i < cg->n_events)
		AS_TRY(CG_FIND(cg, AS_F_CG_SUMMARY_SHORT, line.p, "%u number%s for %u event%s", i,
			i == 1 ? "" : "s", cg->n_events, cg->n_events == 1 ? "" : "s"));
	*out = v;
	*n = i;
	return AS_OK;
}

/* The names of a line "events:". */
struct event_names {
	AS_VEC(uint32_t) once; /* columns, each once */
	AS_VEC(uint8_t) seen;  /* of each event of the profile */
};

static bool name_once(struct cg *cg, struct event_names *names, uint32_t column)
{
	while (names->seen.n <= column)
		if (!as_vec_push(cg->al, &names->seen, 0))
			return false;
	names->seen.p[column] = 1;
	return as_vec_push(cg->al, &names->once, column);
}

static enum as_code read_event_name(
	struct cg *cg, struct event_names *names, struct as_slice line, struct as_slice name)
{
	uint32_t column;

	AS_TRY(as_build_event(cg->b, name, (struct as_slice){NULL, 0}, &column));
	if (column < names->seen.n && names->seen.p[column])
		AS_TRY(CG_FIND(cg, AS_F_CG_EVENT_DUPLICATE, line.p, "event '%.*s' stands twice",
			AS_SLICE_FMT(name)));
	else if (!name_once(cg, names, column))
		return as_err_no_memory(cg->rd->err);
	cg->straight &= column == cg->column.n;
	if (cg->column.n >= cg->rd->lim.events)
		return as_rd_fail(cg->rd, AS_E_LIMIT, CG_OFF(cg, line.p), cg->line,
			"more than %" PRIu64 " events", cg->rd->lim.events);
	return as_err_memory(cg->rd->err, as_vec_push(cg->al, &cg->column, column));
}

/* The columns, and which of them are the part's events. */
static enum as_code read_event_names(struct cg *cg, struct as_slice line, struct as_slice value)
{
	struct event_names names = {{0}, {0}};
	enum as_code rc = AS_OK;
	struct as_slice name;

	cg->column.n = 0;
	cg->straight = true;
	while (rc == AS_OK && as_slice_word(&value, &name))
		rc = read_event_name(cg, &names, line, name);
	cg->n_events = (uint32_t)cg->column.n;
	cg->straight &= cg->n_events == cg->b->prof->event.n;
	cg->have_events = true;
	if (rc == AS_OK)
		rc = as_cg_room_for_events(cg);
	if (rc == AS_OK)
		rc = as_build_part_events(cg->b, cg->part, names.once.p, (uint32_t)names.once.n);
	as_vec_free(cg->al, &names.once);
	as_vec_free(cg->al, &names.seen);
	return rc;
}

static enum as_code read_events(struct cg *cg, struct as_slice line, struct as_slice value)
{
	AS_TRY(read_event_names(cg, line, value));
	if (cg->early_summary.i) {
		struct as_part *part = &cg->b->prof->part.p[cg->part];

		AS_TRY(read_sums(cg, line, as_str_get(cg->b->prof, cg->early_summary),
			&part->summary, &part->n_summary));
	}
	return AS_OK;
}

/* Does this header open a new part? */
static bool opens_part(const struct cg *cg, enum cg_header h)
{
	bool again = cg->seen_headers >> h & 1;

	switch (h) {
	case H_PID:
	case H_PART:
	case H_THREAD:
	case H_POSITIONS:
	case H_EVENTS:
	case H_CMD:
		return cg->ended || cg->have_body || (again && cg->have_events);
	case H_DESC:
	case H_EVENT:
		return cg->ended;
	default:
		return false;
	}
}

static enum as_code cg_header_number(
	struct cg *cg, struct as_slice line, struct as_slice value, uint64_t *out, bool *has)
{
	struct as_slice word;

	*has = as_slice_word(&value, &word) && as_slice_num(word, out);
	if (!*has)
		return CG_FIND(cg, AS_F_CG_COST_GARBAGE, line.p, "expected a number, found '%.*s'",
			AS_SLICE_FMT(value));
	return AS_OK;
}

static struct cg_where cg_header_where(const struct cg *cg, struct as_slice line)
{
	return (struct cg_where){CG_OFF(cg, line.p), cg->line};
}

static enum as_code cg_header_apply(
	struct cg *cg, enum cg_header h, struct as_slice line, struct as_slice value)
{
	struct as_profile *prof = cg->b->prof;
	struct as_part *part = &prof->part.p[cg->part];
	struct as_slice text = as_slice_trim(value);
	uint64_t v;
	bool has;

	switch (h) {
	case H_VERSION:
		if (as_slice_dec(text, &v) && v > 1)
			AS_TRY(CG_FIND(cg, AS_F_CG_VERSION_NEWER, line.p,
				"version %" PRIu64 ", known are 0 and 1", v));
		return as_build_str(cg->b, text, &prof->version);
	case H_CREATOR:
		if (as_slice_is(text, AS_CG_CREATOR)) /* our word for "not known" */
			return AS_OK;
		cg->numbered = as_slice_starts(text, "callgrind");
		return as_build_str(cg->b, text, &part->creator);
	case H_PID:
		return cg_header_number(cg, line, value, &part->pid, &part->has_pid);
	case H_CMD: /* valgrind writes two blanks; what the command line holds is kept */
		return as_build_str(cg->b, text, &part->command);
	case H_PART:
		return cg_header_number(cg, line, value, &part->number, &part->has_number);
	case H_THREAD:
		AS_TRY(cg_header_number(cg, line, value, &part->tid, &has));
		part->has_tid = has;
		return AS_OK;
	case H_EVENT:
		return cg_header_read_event(cg, value);
	case H_EVENTS:
		return read_events(cg, line, value);
	case H_POSITIONS:
		return cg_header_read_positions(cg, line, value);
	case H_SUMMARY:
		cg->summary_at = cg_header_where(cg, line);
		if (!cg->have_events) /* its numbers have no meaning yet */
			return as_build_str(cg->b, text, &cg->early_summary);
		return read_sums(cg, line, value, &part->summary, &part->n_summary);
	case H_TOTALS:
		if (!cg->have_events)
			return CG_FIND(cg, AS_F_CG_COST_BEFORE_EVENTS, line.p,
				"'totals:' before the 'events:' line");
		cg->ended = true;
		cg->totals_at = cg_header_where(cg, line);
		return read_sums(cg, line, value, &part->totals, &part->n_totals);
	case H_DESC:
	case H_NONE:
		break;
	}
	return as_build_meta(
		cg->b, cg->part, (struct as_slice){line.p, as_slice_find(line, ':')}, text);
}

enum as_code as_cg_totals_text(struct cg *cg, struct as_slice text)
{
	struct as_part *part = &cg->b->prof->part.p[cg->part];

	cg->ended = true;
	return read_sums(cg, text, text, &part->totals, &part->n_totals);
}

enum as_code as_cg_header_line(struct cg *cg, struct as_slice line, bool *known)
{
	struct as_slice key, value;
	enum cg_header h;

	if (as_slice_starts(line, "totals=")) { /* memprof2calltree */
		key = (struct as_slice){line.p, 6};
		value = as_slice_skip(line, 7);
	} else if (!cg_header_split(line, &key, &value)) {
		*known = false;
		return AS_OK;
	}
	*known = true;
	h = header_of(key);
	if (cg->middle) { /* only the end of a part may stand in a middle chunk */
		if (h != H_TOTALS || cg->late_totals.i)
			return AS_E_CANCELLED;
		cg->totals_at = cg_header_where(cg, line);
		return as_build_str(cg->b, as_slice_trim(value), &cg->late_totals);
	}
	if (cg->pending)
		AS_TRY(as_cg_drop_pending(cg));
	if ((h == H_VERSION || h == H_CREATOR) && (cg->have_events || cg->have_body))
		AS_TRY(next_file(cg));
	else if (!cg->have_part)
		AS_TRY(as_cg_part_begin(cg));
	else if (h != H_NONE && opens_part(cg, h))
		AS_TRY(next_part(cg));
	if (h != H_NONE)
		AS_TRY(cg_header_repeated(cg, h, line, as_slice_trim(value)));
	return cg_header_apply(cg, h, line, value);
}
