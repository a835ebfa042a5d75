/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses to frames: which units they are in, then each of those units gone through once. Units
 * are dealt out to tasks, which share nothing that changes: each has its own arena, and writes the
 * answers of its own addresses.
 */
#include "base/pool.h"
#include "symbols/dwarf/dwarf_info.h"

enum { TASKS_MAX = 64, STEPS_PER_BYTE = 32 };
enum { INLINED_MAX = 256 }; /* frames of an address */

struct touched {
	const struct as_dw_unit *unit;
	uint32_t first, n; /* its addresses in job.order */
};

struct job {
	const struct as_alloc *al; /* for scratch */
	const struct as_dw_file *file;
	const struct as_dw_query *q;
	struct as_dw_answer *answer;
	uint32_t *owner; /* unit of each address: row + 1; 0: none */
	uint32_t *next;  /* the next address that has no owner yet, at or behind this one */
	uint32_t *order; /* addresses by unit */
	AS_VEC(struct touched) touched;
};

struct as_dw_task {
	struct job *job;
	size_t first, limit; /* touched units */
	struct as_arena arena;
	AS_VEC(struct as_dw_frame) frame;
	bool nomem, damaged;
};

/* What a task needs while it goes through its units. */
struct bench {
	struct as_dw_task *task;
	struct as_dw_namer namer;
	struct as_dw_walk walk;
	struct as_dw_lines lines, calls; /* CALLS: names of a split unit of its own */
	uint64_t *addr;
	struct as_dw_row *row;
	uint64_t budget;
};

/* Linkers leave what they have thrown away at address 0 or thereabouts. */
static bool dw_lookup_is_code(const struct as_dw_query *q, uint64_t addr)
{
	for (size_t i = 0; i < q->n_code; i++)
		if (addr >= q->code[i].start && addr < q->code[i].limit)
			return true;
	return false;
}

static uint32_t free_from(struct job *job, uint32_t i)
{
	uint32_t root = i;

	while (job->next[root] != root)
		root = job->next[root];
	while (job->next[i] != root) {
		uint32_t up = job->next[i];

		job->next[i] = root;
		i = up;
	}
	return root;
}

/* The addresses in RANGE that no unit has yet are UNIT's: row + 1. */
static void dw_lookup_own(struct job *job, struct as_dw_range range, uint32_t unit)
{
	const struct as_dw_query *q = job->q;
	uint32_t i;

	if (range.limit <= q->addr[0] || range.start > q->addr[q->n - 1] ||
		!dw_lookup_is_code(q, range.start))
		return;
	i = (uint32_t)as_numbers_below(q->addr, q->n, range.start);
	for (i = free_from(job, i); i < q->n && q->addr[i] < range.limit; i = free_from(job, i)) {
		job->owner[i] = unit;
		job->next[i] = i + 1;
	}
}

/* Version 2 has no DW_AT_ranges: of a unit in several pieces, it gives the bounds of one. */
static bool says_all(const struct as_dw_unit *unit)
{
	return unit->has_ranges || (unit->version > 2 && unit->has_low);
}

/* A unit's own ranges are asked first: not all compilers write .debug_aranges, and those that do
 * not are not to be told from those that leave some out. */
static void find_owners(struct job *job)
{
	const struct as_dw_file *file = job->file;
	struct as_dw_aranges aranges;
	struct as_dw_range range;
	uint64_t budget =
		STEPS_PER_BYTE *
		(file->sec[AS_DW_RANGES].n + file->sec[AS_DW_RNGLISTS].n + file->sec[AS_DW_INFO].n);
	bool all = true;

	for (uint32_t i = 0; i <= job->q->n; i++)
		job->next[i] = i;
	for (size_t u = 0; u < file->unit.n; u++) {
		struct as_dw_ranges it;

		as_dw_ranges_of_unit(&it, &file->unit.p[u]);
		all &= it.state != AS_DW_RANGES_NONE && says_all(&file->unit.p[u]);
		while (budget && as_dw_ranges_next(&it, &range)) {
			dw_lookup_own(job, range, (uint32_t)u + 1);
			budget--;
		}
	}
	if (all)
		return;
	as_dw_aranges_begin(&aranges, file);
	while (as_dw_aranges_next(&aranges, &range)) {
		const struct as_dw_unit *unit = as_dw_unit_from(file, aranges.unit_off);

		if (unit)
			dw_lookup_own(job, range, (uint32_t)(unit - file->unit.p) + 1);
	}
}

/* The touched units with their addresses, in the order of the file. */
static bool dw_lookup_group(struct job *job)
{
	const struct as_alloc *al = job->al;
	size_t n_units = job->file->unit.n;
	uint32_t *at, total = 0;

	if (!as_alloc_array(al, &at, n_units + 1))
		return false;
	for (size_t i = 0; i < job->q->n; i++)
		at[job->owner[i]]++;
	for (size_t u = 1; u <= n_units; u++) {
		struct touched t = {&job->file->unit.p[u - 1], total, at[u]};

		at[u] = total;
		total += t.n;
		if (t.n && !as_vec_push(al, &job->touched, t))
			return false;
	}
	as_assert(total + at[0] == job->q->n);
	for (uint32_t i = 0; i < job->q->n; i++)
		if (job->owner[i])
			job->order[at[job->owner[i]]++] = i;
	return true;
}

/* Where the entries are: a skeleton's are in its split unit. */
static const struct as_dw_unit *entries_of(const struct as_dw_unit *unit)
{
	return unit->split ? unit->split : unit;
}

static const struct as_dw_func *scope_func(struct bench *b, struct as_dw_scope *scope)
{
	if (!scope->named) {
		scope->func = as_dw_func(&b->namer, b->walk.unit, scope->off);
		scope->named = true;
	}
	return &scope->func;
}

static bool dw_lookup_put(
	struct bench *b, const struct as_dw_func *func, struct as_slice file, uint32_t line)
{
	struct as_dw_frame frame = {*func, file, line};

	return file.p && as_vec_push(b->task->job->answer->al, &b->task->frame, frame);
}

/* A function alone, without what is inlined into it, at FILE and LINE of the innermost code. That
 * file may be another one; what no declaration says (of a lambda there is none) the call of the
 * outermost inlined function does: it stands in the function's own file. */
static bool put_alone(struct bench *b, struct as_dw_scope *scope, const struct as_dw_scope *within,
	struct as_slice file, uint32_t line)
{
	struct as_dw_lines *calls = b->calls.unit ? &b->calls : &b->lines;
	struct as_dw_func func = *scope_func(b, scope);

	if (within && !func.decl.len)
		func.decl = as_dw_lines_path(calls, within->call_file, &b->task->arena);
	return func.decl.p && dw_lookup_put(b, &func, file, line);
}

/* The frames of an address, which is at FILE and LINE, in scope number ID. */
static bool dw_lookup_chain(struct bench *b, uint32_t id, struct as_slice file, uint32_t line)
{
	struct as_dw_lines *calls = b->calls.unit ? &b->calls : &b->lines;
	bool inlines = b->task->job->q->inlines;
	const struct as_dw_scope *within = NULL;

	for (uint32_t n = 1; id; n++) {
		struct as_dw_scope *scope = &b->walk.scope.p[id - 1];
		bool last = !scope->inlined || !scope->parent;

		/* Each address has a chain of its own: what no compiler does costs too much. */
		b->walk.damaged |= inlines && n > INLINED_MAX;
		if (inlines && (n < INLINED_MAX || last) &&
			!dw_lookup_put(b, scope_func(b, scope), file, line))
			return false;
		if (last)
			return inlines || put_alone(b, scope, within, file, line);
		if (inlines) {
			file = as_dw_lines_path(calls, scope->call_file, &b->task->arena);
			line = scope->call_line;
		}
		within = scope;
		id = scope->parent;
	}
	return true;
}

/* The answer for address I of the unit, number OUT of all. */
static bool answer_one(struct bench *b, size_t i, struct as_dw_found *out)
{
	struct as_dw_task *task = b->task;
	struct as_dw_row row = b->row[i];
	const struct as_dw_func nobody = {{"", 0}, {"", 0}};
	struct as_slice file = {"", 0};

	out->task = (uint32_t)(task - task->job->answer->task);
	out->first = (uint32_t)task->frame.n;
	out->known = row.known || b->walk.in[i];
	out->mangles = as_dw_mangles(b->walk.unit);
	if (row.known)
		file = as_dw_lines_path(&b->lines, row.file, &task->arena);
	if (task->frame.n > UINT32_MAX - (1u << 20))
		return true;
	if (!b->walk.in[i])
		return !row.known || dw_lookup_put(b, &nobody, file, row.line);
	if (!dw_lookup_chain(b, b->walk.in[i], file, row.line))
		return false;
	out->n = (uint32_t)task->frame.n - out->first;
	return true;
}

/* Functions in functions are rare, and looked for only where something has no function. */
static bool walk_unit(struct bench *b)
{
	b->walk.thorough = false;
	if (!as_dw_walk(&b->walk))
		return false;
	for (size_t i = 0; i < b->walk.n; i++)
		if (!b->walk.in[i]) {
			b->walk.thorough = true;
			return as_dw_walk(&b->walk);
		}
	return true;
}

static bool unit_answers(struct bench *b, const struct touched *t)
{
	struct job *job = b->task->job;
	const struct as_dw_unit *unit = entries_of(t->unit);
	const uint32_t *order = job->order + t->first;

	for (uint32_t i = 0; i < t->n; i++)
		b->addr[i] = job->q->addr[order[i]];
	memset(b->row, 0, t->n * sizeof(*b->row));
	b->namer.near.file = NULL;
	b->walk.unit = unit;
	b->walk.n = t->n;
	if (!as_dw_abbrevs_load(&b->namer.near, unit) || !walk_unit(b))
		return false;
	as_dw_lines_clear(&b->calls);
	if (unit != t->unit && unit->has_stmt &&
		!as_dw_lines_read(&b->calls, unit, &b->task->damaged))
		return false;
	if (!as_dw_lines_read(&b->lines, t->unit, &b->task->damaged))
		return false;
	b->namer.near_lines = b->calls.unit ? &b->calls : &b->lines;
	if (!as_dw_lines_sweep(&b->lines, b->addr, t->n, b->row, &b->budget))
		b->task->damaged = true;
	for (uint32_t i = 0; i < t->n; i++)
		if (!answer_one(b, i, &job->answer->found[order[i]]))
			return false;
	return !b->namer.nomem;
}

/* What the task may spend: many times what an honest file needs. */
static uint64_t budget_of(const struct as_dw_task *task)
{
	const struct job *job = task->job;
	uint64_t bytes = job->file->sec[AS_DW_LINE].n + job->file->sec[AS_DW_ABBREV].n;

	for (size_t t = task->first; t < task->limit; t++) {
		const struct as_dw_unit *unit = entries_of(job->touched.p[t].unit);

		bytes += unit->end - unit->off + 64u * job->touched.p[t].n + 4096;
		if (unit != job->touched.p[t].unit)
			bytes += unit->file->sec[AS_DW_ABBREV].n;
	}
	return bytes * STEPS_PER_BYTE;
}

static void task_run(void *arg, unsigned number)
{
	struct as_dw_answer *answer = arg;
	struct as_dw_task *task = &answer->task[number];
	struct job *job = task->job;
	struct as_pool pool;
	const struct as_alloc *al = &pool.al;
	uint32_t most = 0;
	struct bench b = {.task = task,
		.walk.al = al,
		.lines.al = al,
		.calls.al = al,
		.budget = budget_of(task)};

	as_pool_init(&pool, answer->al);
	as_dw_namer_init(&b.namer, al, &task->arena);
	for (size_t t = task->first; t < task->limit; t++)
		if (job->touched.p[t].n > most)
			most = job->touched.p[t].n;
	task->nomem = !as_alloc_array(al, &b.addr, most) || !as_alloc_array(al, &b.row, most) ||
		      !as_alloc_array(al, &b.walk.in, most);
	b.walk.addr = b.addr;
	b.walk.abbrevs = &b.namer.near;
	b.walk.budget = b.namer.budget = &b.budget;
	for (size_t t = task->first; !task->nomem && t < task->limit; t++)
		task->nomem = !unit_answers(&b, &job->touched.p[t]);
	task->damaged |= b.walk.damaged;
	as_pool_release(&pool);
}

/* Deal the units out, about the same number of bytes to each task. */
static bool dw_lookup_deal(struct job *job)
{
	struct as_dw_answer *answer = job->answer;
	size_t n = job->touched.n, t = 0;
	uint64_t bytes = 0, so_far = 0;
	unsigned n_tasks = !job->q->run ? 1 : n < TASKS_MAX ? (unsigned)n : TASKS_MAX;

	answer->task = as_alloc_new(answer->al, n_tasks * sizeof(*answer->task));
	if (!answer->task)
		return false;
	answer->n_tasks = n_tasks;
	for (size_t i = 0; i < n; i++)
		bytes += entries_of(job->touched.p[i].unit)->end -
			 entries_of(job->touched.p[i].unit)->off;
	for (unsigned k = 0; k < n_tasks; k++) {
		struct as_dw_task *task = &answer->task[k];

		task->job = job;
		as_arena_init(&task->arena, answer->al);
		task->first = t;
		while (t < n && (k + 1 == n_tasks || so_far < bytes / n_tasks * (k + 1))) {
			const struct as_dw_unit *unit = entries_of(job->touched.p[t++].unit);

			so_far += unit->end - unit->off;
		}
		task->limit = t;
	}
	return true;
}

static enum as_code dw_lookup_run(struct job *job)
{
	struct as_dw_answer *answer = job->answer;

	find_owners(job);
	AS_TRY(as_memory(dw_lookup_group(job)));
	if (job->q->split)
		for (size_t i = 0; i < job->touched.n; i++) {
			const struct as_dw_unit *unit = job->touched.p[i].unit;

			if (unit->dwo_id && !unit->split)
				job->q->split(job->q->split_ctx, unit);
		}
	if (!job->touched.n)
		return AS_OK;
	AS_TRY(as_memory(dw_lookup_deal(job)));
	if (job->q->run)
		job->q->run(job->q->run_ctx, task_run, answer, answer->n_tasks);
	else
		task_run(answer, 0);
	for (unsigned k = 0; k < answer->n_tasks; k++) {
		answer->damaged |= answer->task[k].damaged;
		if (answer->task[k].nomem)
			return AS_E_NOMEM;
	}
	return AS_OK;
}

enum as_code as_dw_lookup(
	const struct as_dw_file *file, const struct as_dw_query *query, struct as_dw_answer *answer)
{
	struct as_pool pool;
	struct job job = {.al = &pool.al, .file = file, .q = query, .answer = answer};
	enum as_code rc = AS_E_NOMEM;
	size_t n = query->n;

	*answer = (struct as_dw_answer){.al = file->al, .n = n};
	if (n == 0 || n > UINT32_MAX / 4)
		return n ? AS_E_LIMIT : AS_OK;
	as_pool_init(&pool, file->al);
	answer->found = as_alloc_new(file->al, n * sizeof(*answer->found));
	if (answer->found && as_alloc_array(job.al, &job.owner, n) &&
		as_alloc_array(job.al, &job.order, n) && as_alloc_array(job.al, &job.next, n + 1))
		rc = dw_lookup_run(&job);
	as_pool_release(&pool);
	return rc;
}

const struct as_dw_frame *as_dw_frames(
	const struct as_dw_answer *answer, const struct as_dw_found *found)
{
	return answer->task[found->task].frame.p + found->first;
}

void as_dw_answer_release(struct as_dw_answer *answer)
{
	for (unsigned k = 0; k < answer->n_tasks; k++) {
		as_vec_free(answer->al, &answer->task[k].frame);
		as_arena_release(&answer->task[k].arena);
	}
	as_alloc_free(answer->al, answer->task, answer->n_tasks * sizeof(*answer->task));
	as_alloc_free(answer->al, answer->found, answer->n * sizeof(*answer->found));
}
