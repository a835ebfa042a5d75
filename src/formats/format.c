/* SPDX-License-Identifier: Apache-2.0 */
/* What all drivers share: options, losses, capabilities, failing with a place. */
#include "formats/format.h"

#include "base/pool.h"
#include "formats/run_lines.h"

#include <stdarg.h>

const char *as_opts_get(const struct as_opts *opts, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = opts->n; i > 0; i--) {
		const char *pair = opts->pair[i - 1];

		if (strncmp(pair, key, len) == 0 && (pair[len] == '=' || pair[len] == 0))
			return pair[len] ? pair + len + 1 : "";
	}
	return NULL;
}

bool as_opts_flag(const struct as_opts *opts, const char *key, bool default_)
{
	static const char *const yes[] = {"", "yes", "on", "true", "1"};
	const char *value = as_opts_get(opts, key);

	return value ? as_slice_is_one_of(as_slice_of(value), yes) : default_;
}

enum as_code as_format_read(const struct as_format *fmt, struct as_rd *rd)
{
	struct as_pool pool;
	enum as_code rc;

	as_pool_init(&pool, rd->out->prof->al);
	rd->al = &pool.al;
	rc = fmt->read(rd);
	as_pool_release(&pool);
	return rc;
}

enum as_code as_format_write(
	const struct as_format *fmt, struct as_wr *wr, const struct as_profile *prof)
{
	struct as_pool pool;
	enum as_code rc;

	as_pool_init(&pool, prof->al);
	wr->al = &pool.al;
	rc = fmt->write(wr, prof);
	as_pool_release(&pool);
	return rc;
}

struct as_slice as_base_name(struct as_slice path)
{
	size_t n = as_slice_up_to_last(path, '/');

	return n ? as_slice_skip(path, n) : path;
}

void as_losses_init(struct as_losses *l, const struct as_alloc *al)
{
	*l = (struct as_losses){0};
	as_arena_init(&l->arena, al);
}

void as_losses_release(struct as_losses *l)
{
	as_vec_free(l->arena.al, &l->row);
	as_arena_release(&l->arena);
}

/* A further AMOUNT of what ROW counts, which is more than one then. */
static void add_to(struct as_losses *l, struct as_loss *row, uint64_t amount)
{
	bool was_one = row->amount == 1;

	row->amount += amount;
	if (was_one)
		row->text = as_arena_plural(&l->arena, row->words, row->amount);
	if (!row->text.p)
		l->no_memory = true;
}

void as_losses_add(struct as_losses *l, const char *kind, uint64_t amount, const char *words)
{
	struct as_loss row = {.kind = kind, .amount = amount, .words = words};

	if (!l || !amount)
		return;
	for (size_t i = 0; i < l->row.n; i++)
		if (!l->row.p[i].of_cost && strcmp(l->row.p[i].kind, kind) == 0) {
			add_to(l, &l->row.p[i], amount);
			return;
		}
	row.text = as_arena_plural(&l->arena, words, amount);
	if (!row.text.p || !as_vec_push(l->arena.al, &l->row, row))
		l->no_memory = true;
}

static uint64_t format_clamp(as_val v)
{
	return v < 0 ? 0 : v > (as_val)UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

void as_losses_add_cost(struct as_losses *l, const char *kind, struct as_slice event, as_val cost,
	const char *words)
{
	struct as_loss row = {.kind = kind,
		.words = words,
		.of_cost = true,
		.cost = cost,
		.amount = format_clamp(cost)};

	if (!l || !cost)
		return;
	for (size_t i = 0; i < l->row.n; i++) {
		struct as_loss *have = &l->row.p[i];

		if (!have->of_cost || strcmp(have->kind, kind) != 0 ||
			!as_slice_eq(have->event, event))
			continue;
		have->cost += cost;
		have->amount = format_clamp(have->cost);
		return;
	}
	row.event = as_arena_dup(&l->arena, event);
	row.text = as_arena_printf(
		&l->arena, "%.*s%s%s", AS_SLICE_FMT(event), event.len ? " " : "", words);
	if (!row.event.p || !row.text.p || !as_vec_push(l->arena.al, &l->row, row))
		l->no_memory = true;
}

void as_losses_add_all(struct as_losses *l, const struct as_losses *from)
{
	for (size_t i = 0; i < from->row.n; i++) {
		const struct as_loss *row = &from->row.p[i];

		if (row->of_cost)
			as_losses_add_cost(l, row->kind, row->event, row->cost, row->words);
		else
			as_losses_add(l, row->kind, row->amount, row->words);
	}
}

const char *as_loss_number(const struct as_loss *loss, char buf[AS_VAL_TEXT])
{
	return as_val_text(loss->of_cost ? loss->cost : (as_val)loss->amount, buf);
}

static const char *const cap_kind[AS_CAP_COUNT] = {
#define X(id, kind, words) [AS_CAPBIT_##id] = kind,
	AS_CAPS(X)
#undef X
};

static const char *const cap_words[AS_CAP_COUNT] = {
#define X(id, kind, words) [AS_CAPBIT_##id] = words,
	AS_CAPS(X)
#undef X
};

const char *as_cap_kind(unsigned bit)
{
	return cap_kind[bit];
}

const char *as_cap_words(unsigned bit)
{
	return cap_words[bit];
}

void as_losses_add_cap(struct as_losses *l, unsigned bit, uint64_t amount)
{
	as_losses_add(l, cap_kind[bit], amount, cap_words[bit]);
}

/* Count the rows of ROWS with a line, an address, and a negative value from column FROM on. */
static bool uses_rows(
	const struct as_profile *prof, const struct as_rows *rows, uint32_t from, uint64_t *amount)
{
	as_val *v = as_alloc_new(prof->al, rows->width * sizeof(*v) + 1);
	struct as_rows_view view;
	struct as_rows_cur cur;

	if (!v)
		return false;
	for (size_t r = 0; r < rows->run.n; r++) {
		as_rows_begin(&cur, rows, &rows->run.p[r], v);
		while (as_rows_next_view(&cur, &view)) {
			bool negative = false;

			if (view.n) { /* addresses, and counts that cannot be negative */
				amount[AS_CAPBIT_ADDRS] +=
					view.rows - (!view.addr && as_view_value(&view, 0));
				continue;
			}
			amount[AS_CAPBIT_LINES] += cur.line != 0;
			amount[AS_CAPBIT_ADDRS] += cur.addr != 0;
			for (uint32_t k = from; k < cur.n; k++)
				negative |= v[k] < 0;
			amount[AS_CAPBIT_NEGATIVE] += negative;
			if (from)
				amount[AS_CAPBIT_COUNTS] += v[AS_CALL_COUNT] != 0;
		}
	}
	as_alloc_free(prof->al, v, rows->width * sizeof(*v) + 1);
	return true;
}

/* A name that more is said by than by the object: "[lost]" in "[lost]" is not. */
static bool has_name_of_its_own(const struct as_profile *prof, size_t func)
{
	as_str name = prof->func.name.p[func],
	       path = prof->object.p[prof->func.object.p[func].i].path;

	as_assert(func < prof->func.name.n);
	return name.i && (name.i != path.i || !as_path_is_gap(as_str_get(prof, path)));
}

static void uses_tables(const struct as_profile *prof, uint64_t *amount)
{
	for (size_t i = 1; i < prof->func.name.n; i++)
		amount[AS_CAPBIT_FUNCS] += has_name_of_its_own(prof, i);
	for (size_t i = 1; i < prof->object.n; i++) {
		amount[AS_CAPBIT_OBJECTS] += prof->object.p[i].path.i != 0;
		amount[AS_CAPBIT_IDS] += prof->object.p[i].id.i != 0;
	}
	for (size_t i = 0; i < prof->event.n; i++) {
		amount[AS_CAPBIT_EVENTS] += i > 0;
		amount[AS_CAPBIT_PERIOD] += prof->event.p[i].period != 0;
		amount[AS_CAPBIT_TITLES] += prof->event.p[i].title.i != 0;
		amount[AS_CAPBIT_UNNAMED] += prof->event.p[i].name.i == 0;
		amount[AS_CAPBIT_ESTIMATES] += prof->event.p[i].estimated;
	}
	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];

		amount[AS_CAPBIT_PARTS] += i > 0 && !p->n_labels;
		amount[AS_CAPBIT_PROCESS] += p->command.i != 0;
		amount[AS_CAPBIT_PROCESS] += p->has_pid || p->has_tid;
		amount[AS_CAPBIT_SUMMARY] += p->summary != NULL;
		amount[AS_CAPBIT_SUMMARY] += p->totals != NULL;
	}
	for (uint32_t i = 0; i < prof->func.system.n; i++)
		amount[AS_CAPBIT_SYSTEM] += as_func_system(prof, (as_func){i}).i != 0;
	for (size_t i = 0; i < prof->func.line.n; i++)
		amount[AS_CAPBIT_STARTS] += prof->func.line.p[i] != 0;
	for (size_t i = 0; i < prof->place.column.n; i++)
		amount[AS_CAPBIT_COLUMNS] += prof->place.column.p[i] != 0;
	amount[AS_CAPBIT_LABELS] = prof->label.n;
	amount[AS_CAPBIT_DURATION] = prof->duration != 0;
	amount[AS_CAPBIT_MOMENTS] = prof->moments.n + prof->moments.left;
	amount[AS_CAPBIT_MARKERS] = prof->moments.markers_left;
	amount[AS_CAPBIT_FILES] = prof->file.n - 1;
	amount[AS_CAPBIT_MAPS] = prof->map.n;
	amount[AS_CAPBIT_FORMULAS] = prof->derived.n;
	amount[AS_CAPBIT_META] = prof->meta.n;
	amount[AS_CAPBIT_EPOCH] = prof->epoch.i != 0;
}

/* What can only be told by looking at every row; and at those of self cost. */
#define ROW_CAPS (AS_CAP(LINES) | AS_CAP(ADDRS) | AS_CAP(NEGATIVE) | AS_CAP(COUNTS))
#define SELF_CAPS (ROW_CAPS & ~AS_CAP(COUNTS))

bool as_profile_uses(const struct as_profile *prof, uint64_t wanted, uint64_t amount[AS_CAP_COUNT])
{
	size_t e = prof->event.n;

	memset(amount, 0, AS_CAP_COUNT * sizeof(*amount));
	uses_tables(prof, amount);
	for (size_t i = 1; i < prof->place.func.n; i++) {
		amount[AS_CAPBIT_LINES] += prof->place.line.p[i] != 0;
		amount[AS_CAPBIT_ADDRS] += prof->place.addr.p[i] != 0;
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_node n = prof->sample.node.p[i];
		bool negative = false;

		amount[AS_CAPBIT_NOSTACK] += n.i == 0;
		amount[AS_CAPBIT_PATHS] += n.i && prof->node.parent.p[n.i].i;
		for (size_t k = 0; k < e; k++)
			negative |= prof->sample.cost.p[i * e + k] < 0;
		amount[AS_CAPBIT_NEGATIVE] += negative;
	}
	amount[AS_CAPBIT_CALLS] = prof->call.n;
	amount[AS_CAPBIT_JUMPS] = prof->jump.n;
	if ((wanted & SELF_CAPS) && !uses_rows(prof, &prof->self, 0, amount))
		return false;
	return !(wanted & ROW_CAPS) || uses_rows(prof, &prof->call, AS_CALL_COST, amount);
}

bool as_losses_by_caps(
	struct as_losses *l, const struct as_profile *prof, const struct as_format *fmt)
{
	uint64_t amount[AS_CAP_COUNT];

	if (!as_profile_uses(prof, ~fmt->caps, amount))
		return false;
	/* A format always carries its own lines again. */
	if (as_profile_is_from(prof, fmt->name))
		amount[AS_CAPBIT_META] = fmt->run_lines ? 0 : as_run_count_metas(prof);
	else if (fmt->run_lines)
		amount[AS_CAPBIT_META] -= as_run_count_metas(prof);
	for (unsigned bit = 0; bit < AS_CAP_COUNT; bit++)
		if (!(fmt->caps >> bit & 1))
			as_losses_add_cap(l, bit, amount[bit]);
	/* Those that are not here cannot be carried, either. */
	if (fmt->caps & AS_CAP(MOMENTS))
		as_losses_add_cap(l, AS_CAPBIT_MOMENTS, prof->moments.left);
	if (fmt->caps & AS_CAP(MARKERS))
		as_losses_add_cap(l, AS_CAPBIT_MARKERS, prof->moments.markers_left);
	return !l->no_memory;
}

bool as_has_markers(const struct as_profile *prof, uint32_t *event)
{
	return prof->moments.n && as_profile_event(prof, as_slice_of(AS_MARKERS), event);
}

enum as_code as_rd_part(struct as_rd *rd, const char *format, uint32_t *part)
{
	struct as_profile *prof = rd->out->prof;
	struct as_slice name = as_base_name(as_slice_of(rd->name ? rd->name : ""));

	AS_TRY(as_build_part(rd->out, part));
	AS_TRY(as_build_str(rd->out, as_slice_of(format), &prof->format));
	return as_build_str(rd->out, name, &prof->part.p[*part].name);
}

static void set_place(struct as_rd *rd, uint64_t off, uint64_t line)
{
	if (!rd->err)
		return;
	rd->err->off = off;
	rd->err->line = line;
}

enum as_code as_rd_fail(
	struct as_rd *rd, enum as_code code, uint64_t off, uint64_t line, const char *fmt, ...)
{
	va_list ap;

	set_place(rd, off, line);
	va_start(ap, fmt);
	code = as_err_setv(rd->err, code, fmt, ap);
	va_end(ap);
	return code;
}

enum as_code as_rd_find(
	struct as_rd *rd, enum as_finding_id id, uint64_t off, uint64_t line, const char *fmt, ...)
{
	enum as_code rc = AS_OK;
	va_list ap;

	va_start(ap, fmt);
	as_findings_addv(rd->findings, id, off, line, fmt, ap);
	va_end(ap);
	if (rd->strict && as_finding_severity(id) == AS_ERROR) {
		set_place(rd, off, line);
		va_start(ap, fmt);
		rc = as_err_setv(rd->err, AS_E_FORMAT, fmt, ap);
		va_end(ap);
	}
	return rc;
}

enum as_code as_rd_find_if(struct as_rd *rd, bool so, enum as_finding_id id, const char *text)
{
	return so ? as_rd_find(rd, id, AS_OFF_NONE, 0, "%s", text) : AS_OK;
}

enum as_code as_rd_tell(struct as_rd *rd, enum as_finding_id id, uint64_t n, const char *words)
{
	struct as_slice text;
	struct as_arena ar;
	enum as_code rc;

	if (!n)
		return AS_OK;
	as_arena_init(&ar, rd->out->prof->al);
	text = as_arena_plural(&ar, words, n);
	rc = text.p ? as_rd_find(rd, id, AS_OFF_NONE, 0, "%" PRIu64 " %.*s", n, AS_SLICE_FMT(text))
		    : as_err_no_memory(rd->err);
	as_arena_release(&ar);
	return rc;
}

enum as_code as_rd_tell_all(struct as_rd *rd, const struct as_rd_told *told, size_t n)
{
	for (size_t i = 0; i < n; i++)
		AS_TRY(as_rd_tell(rd, told[i].id, told[i].n, told[i].words));
	return AS_OK;
}
