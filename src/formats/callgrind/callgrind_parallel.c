/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A large file by several threads, at function detail.
 *
 * The file is cut where a block begins. Each chunk is read by itself, with names
 * that it does not define standing open: they were defined before it. Then the
 * chunks are joined in their order, which gives the open names. Whatever makes a
 * chunk depend on more than that (another header, an id that gets a new name, an
 * id that nobody has defined) ends the attempt, and the file is read from its
 * beginning by one thread: same result, same findings.
 */
#include "formats/callgrind/callgrind.h"

enum { CHUNK_MIN = 2 << 20, CHUNKS_MAX = 64, SCAN = 64 * 1024 };

struct chunk {
	struct cg cg;
	struct as_rd rd;
	struct as_build build;
	struct as_findings findings;
	struct as_in in;
	struct as_err err;
	uint64_t from, to; /* bytes of the file */
	enum as_code rc;
	bool ready; /* what is to be released */
};

struct job {
	struct as_rd *rd;
	struct chunk *chunk;
	unsigned n;
};

/* The first block that begins at or after FROM: behind an empty line, at "ob=", "fl=" or "fn=".
 * LIMIT if there is none. */
static uint64_t find_block(struct as_src *src, uint64_t from, uint64_t limit, char *buf)
{
	while (from < limit) {
		ptrdiff_t n = src->pread(src, buf, SCAN, from);
		struct as_slice s = {buf, n > 0 ? (size_t)n : 0};

		if (n < 8)
			return limit;
		for (size_t i = 0; i + 5 < s.len; i++)
			if (s.p[i] == '\n' && s.p[i + 1] == '\n' &&
				(s.p[i + 2] == 'o' || s.p[i + 2] == 'f') && s.p[i + 4] == '=' &&
				(memcmp(s.p + i + 2, "ob", 2) == 0 ||
					memcmp(s.p + i + 2, "fl", 2) == 0 ||
					memcmp(s.p + i + 2, "fn", 2) == 0))
				return from + i + 2;
		from += s.len - 5;
	}
	return limit;
}

static unsigned cg_parallel_cut(struct as_rd *rd, struct chunk *chunk, unsigned want)
{
	uint64_t size = rd->in->src->size, from = 0;
	const struct as_alloc *al = rd->out->prof->al;
	char *buf = al->resize(al->ctx, NULL, 0, SCAN);
	unsigned n = 0;

	for (unsigned i = 1; buf && i <= want && from < size; i++) {
		uint64_t to =
			i == want ? size : find_block(rd->in->src, size / want * i, size, buf);

		if (to <= from)
			continue;
		chunk[n].from = from;
		chunk[n++].to = to;
		from = to;
	}
	as_alloc_free(al, buf, SCAN);
	return n;
}

static enum as_code open_chunk(struct job *job, struct chunk *c)
{
	const struct as_alloc *al = job->rd->out->prof->al;

	as_err_clear(&c->err);
	as_findings_init(&c->findings, al);
	c->ready = true;
	AS_TRY(as_build_init(&c->build, al, &c->err));
	AS_TRY(as_in_open_range(&c->in, al, job->rd->in->src, c->from, c->to, &c->err));
	c->rd = *job->rd;
	c->rd.in = &c->in;
	c->rd.out = &c->build;
	c->rd.err = &c->err;
	c->rd.findings = &c->findings;
	c->rd.exec = NULL;
	as_cg_init(&c->cg, &c->rd);
	return AS_OK;
}

static void close_chunk(struct chunk *c)
{
	if (!c->ready)
		return;
	if (c->cg.b)
		as_cg_release(&c->cg);
	as_in_close(&c->in);
	as_build_free(&c->build);
	as_findings_release(&c->findings);
	c->ready = false;
}

/* A chunk in the middle starts as the header has left it, with object and file open. */
static enum as_code enter_middle(struct cg *cg, const struct cg *head)
{
	const struct as_profile *prof = head->b->prof;
	uint32_t event;

	AS_TRY(as_cg_part_begin(cg));
	for (size_t i = 0; i < head->column.n; i++) {
		struct as_slice name = as_str_get(prof, prof->event.p[head->column.p[i]].name);

		AS_TRY(as_build_event(cg->b, name, (struct as_slice){NULL, 0}, &event));
		AS_TRY(as_err_memory(cg->rd->err, as_vec_push(cg->al, &cg->column, event)));
	}
	cg->straight = true;
	cg->n_events = head->n_events;
	cg->n_pos = head->n_pos;
	memcpy(cg->pos_kind, head->pos_kind, sizeof(cg->pos_kind));
	cg->have_events = cg->have_body = cg->have_fl = cg->have_file = true;
	cg->middle = cg->numbered = true;
	AS_TRY(as_build_object(
		cg->b, as_slice_of(CG_OPEN "*"), (struct as_slice){NULL, 0}, &cg->object));
	AS_TRY(as_build_file(cg->b, as_slice_of(CG_OPEN "*"), &cg->func_file));
	cg->file = cg->func_file;
	return as_cg_room_for_events(cg);
}

static void read_chunk(void *arg, unsigned i)
{
	struct job *job = arg;
	struct chunk *c = &job->chunk[i];

	c->rc = as_cg_read_lines(&c->cg);
	if (c->rc == AS_OK && c->cg.func_detail)
		c->rc = as_cg_acc_func_end(&c->cg);
}

/* ---- joining ---- */

struct join {
	struct cg *to;
	const struct cg *from;
	uint64_t end;                   /* of the chunk: bytes read so far */
	uint32_t *object, *file, *func; /* from handle -> to handle */
};

static bool is_open(struct as_slice s)
{
	return s.len && s.p[0] == CG_OPEN[0];
}

/* What an open name of chunk FROM stands for: "*" the object in force, else an id. */
static bool close_open(
	struct as_slice name, const struct cg_ids *ids, uint32_t in_force, uint32_t *out)
{
	uint64_t id;
	uint32_t known;

	*out = in_force;
	if (name.p[1] == '*')
		return true;
	known = as_slice_dec(as_slice_skip(name, 1), &id) ? as_cg_ids_get(ids, id) : 0;
	*out = known - 1;
	return known != 0;
}

static enum as_code map_object(struct join *j, struct as_slice path, uint32_t *out)
{
	as_object o;

	if (is_open(path))
		return close_open(path, &j->to->objects, j->to->object.i, out) ? AS_OK
									       : AS_E_CANCELLED;
	AS_TRY(as_build_object(j->to->b, path, (struct as_slice){NULL, 0}, &o));
	*out = o.i;
	return AS_OK;
}

static enum as_code cg_parallel_map_file(struct join *j, struct as_slice path, uint32_t *out)
{
	as_file f;

	if (is_open(path))
		return close_open(path, &j->to->files, j->to->func_file.i, out) ? AS_OK
										: AS_E_CANCELLED;
	AS_TRY(as_build_file(j->to->b, path, &f));
	*out = f.i;
	return AS_OK;
}

static enum as_code map_names(struct join *j)
{
	const struct as_profile *prof = j->from->b->prof;

	for (uint32_t i = 1; i < prof->object.n; i++)
		AS_TRY(map_object(j, as_object_path(prof, (as_object){i}), &j->object[i]));
	for (uint32_t i = 1; i < prof->file.n; i++)
		AS_TRY(cg_parallel_map_file(j, as_file_path(prof, (as_file){i}), &j->file[i]));
	return AS_OK;
}

/* Ids that the chunk defines; one that had another meaning before ends the attempt. */
static enum as_code join_ids(
	struct join *j, struct cg_ids *to, const struct cg_ids *from, const uint32_t *map)
{
	for (size_t i = 0; i < from->dense.n + from->key.n; i++) {
		bool dense = i < from->dense.n;
		uint32_t value = dense ? from->dense.p[i] : from->value.p[i - from->dense.n];
		uint64_t id = dense ? i : from->key.p[i - from->dense.n];
		uint32_t known;

		if (!value)
			continue;
		known = as_cg_ids_get(to, id);
		if (known && known != map[value - 1] + 1)
			return AS_E_CANCELLED;
		if (!known && !as_cg_ids_set(to, j->to->al, id, map[value - 1] + 1, j->end))
			return AS_E_NOMEM;
	}
	return AS_OK;
}

static enum as_code map_in_full(struct join *j, uint32_t f)
{
	const struct as_profile *prof = j->from->b->prof;
	as_func g;

	AS_TRY(as_cg_func_in_full(j->to, as_func_name(prof, (as_func){f}),
		(as_object){j->object[prof->func.object.p[f].i]},
		(as_file){j->file[prof->func.file.p[f].i]}, &g));
	j->func[f] = g.i;
	return AS_OK;
}

/* Function F of the chunk, known there by ID. */
static enum as_code map_by_id(struct join *j, uint64_t id, uint32_t f)
{
	const struct as_profile *from = j->from->b->prof;
	struct as_profile *to = j->to->b->prof;
	uint32_t known = as_cg_ids_get(&j->to->funcs, id), g = known - 1;
	uint8_t here = j->from->placed.p[f];
	struct as_slice name = as_func_name(from, (as_func){f});
	as_object object = {j->object[from->func.object.p[f].i]};
	as_file file = {j->file[from->func.file.p[f].i]};

	if (!known) {
		as_func fresh;

		if (here & CG_NAMELESS)
			return AS_E_CANCELLED;
		AS_TRY(as_cg_func_new(j->to, id, name, &fresh));
		g = fresh.i;
	} else if (!(here & CG_NAMELESS) && !as_slice_eq(name, as_func_name(to, (as_func){g}))) {
		return AS_E_CANCELLED;
	}
	j->func[f] = g;
	if ((here & CG_PLACED) && (j->to->placed.p[g] & CG_PLACED) &&
		(to->func.object.p[g].i != object.i || to->func.file.p[g].i != file.i))
		return AS_E_CANCELLED; /* an id for a name in several files */
	if ((here & CG_PLACED) || !(j->to->placed.p[g] & (CG_PLACED | CG_GUESSED))) {
		to->func.object.p[g] = object;
		to->func.file.p[g] = file;
	}
	j->to->placed.p[g] |= here & (CG_PLACED | CG_GUESSED | CG_USED);
	return AS_OK;
}

static enum as_code map_funcs(struct join *j)
{
	const struct cg_ids *ids = &j->from->funcs;
	const struct as_profile *prof = j->from->b->prof;

	for (uint32_t f = 0; f < prof->func.name.n; f++)
		j->func[f] = UINT32_MAX;
	j->func[0] = 0;
	for (size_t i = 0; i < ids->dense.n; i++)
		if (ids->dense.p[i])
			AS_TRY(map_by_id(j, i, ids->dense.p[i] - 1));
	for (size_t i = 0; i < ids->key.n; i++)
		AS_TRY(map_by_id(j, ids->key.p[i], ids->value.p[i] - 1));
	for (uint32_t f = 1; f < prof->func.name.n; f++)
		if (j->func[f] == UINT32_MAX)
			AS_TRY(map_in_full(j, f));
	return AS_OK;
}

/* What stands in front of a chunk's first function is of the one that the chunk before ended in,
 * and ends the attempt. */
static enum as_code join_costs(struct join *j)
{
	const struct cg_acc *acc = &j->from->acc;
	size_t e = j->from->n_events;

	for (size_t i = 0; i < acc->order.n; i++) {
		uint32_t f = acc->order.p[i];

		if (!f)
			return AS_E_CANCELLED;
		j->to->func.i = j->func[f];
		AS_TRY(as_cg_acc_cost(j->to, acc->cost.p + (size_t)f * e));
	}
	return AS_OK;
}

/* The calls' rows as they are: only the callees and the runs get their new names. */
static enum as_code join_calls(struct join *j)
{
	struct as_rows *rows = &j->to->b->prof->call;
	size_t before = rows->run.n;

	if (!as_rows_take_sums(rows, &j->from->b->prof->call, j->func))
		return AS_E_CANCELLED;
	for (size_t r = before; r < rows->run.n; r++) {
		struct as_run *run = &rows->run.p[r];

		if (!run->func.i)
			return AS_E_CANCELLED;
		run->part = j->to->part;
		run->func.i = j->func[run->func.i];
		run->file = j->to->b->prof->func.file.p[run->func.i];
	}
	return AS_OK;
}

static void join_findings(struct as_findings *to, const struct as_findings *from, uint64_t lines)
{
	for (size_t i = 0; i < from->row.n; i++) {
		const struct as_finding *f = &from->row.p[i];

		as_findings_add(to, f->id, f->off, f->line ? f->line + lines : 0, "%.*s",
			AS_SLICE_FMT(f->msg));
	}
	for (int id = 0; id < AS_F_COUNT; id++)
		if (from->count[id] > AS_FINDINGS_KEPT) {
			to->count[id] += from->count[id] - AS_FINDINGS_KEPT;
			to->n[as_finding_severity((enum as_finding_id)id)] +=
				from->count[id] - AS_FINDINGS_KEPT;
		}
}

static enum as_code join_state(struct join *j)
{
	struct cg *to = j->to;
	const struct cg *from = j->from;

	to->object.i = j->object[from->object.i];
	to->func_file.i = j->file[from->func_file.i];
	to->n_lines_cost += from->n_lines_cost;
	to->n_lines_call += from->n_lines_call;
	to->n_crlf += from->n_crlf;
	to->totals_at = from->totals_at;
	to->totals_at.line += to->line - 1;
	to->line += from->line - 1;
	to->b->prof->partial |= from->b->prof->partial;
	if (!from->late_totals.i)
		return AS_OK;
	return as_cg_totals_text(to, as_str_get(from->b->prof, from->late_totals));
}

static enum as_code join_all(struct join *j, const struct chunk *c, const struct as_alloc *al)
{
	const struct as_profile *prof = c->build.prof;
	struct cg *to = j->to;

	if (!as_alloc_array(al, &j->object, prof->object.n) ||
		!as_alloc_array(al, &j->file, prof->file.n) ||
		!as_alloc_array(al, &j->func, prof->func.name.n))
		return AS_E_NOMEM;
	AS_TRY(map_names(j));
	AS_TRY(join_ids(j, &to->objects, &c->cg.objects, j->object));
	AS_TRY(join_ids(j, &to->files, &c->cg.files, j->file));
	AS_TRY(map_funcs(j));
	AS_TRY(join_costs(j));
	AS_TRY(join_calls(j));
	join_findings(to->rd->findings, &c->findings, to->line - 1);
	return join_state(j);
}

static enum as_code join_chunk(struct cg *to, const struct chunk *c)
{
	struct join j = {.to = to, .from = &c->cg, .end = c->to};
	struct as_pool pool;
	enum as_code rc;

	as_pool_init(&pool, to->al);
	rc = join_all(&j, c, &pool.al);
	as_pool_release(&pool);
	return rc;
}

/* The header of the file, read by a reader that is thrown away afterwards. */
static enum as_code read_head(struct job *job, struct chunk *head)
{
	uint64_t size = job->rd->in->src->size;

	head->from = 0;
	head->to = size < SCAN ? size : SCAN;
	AS_TRY(open_chunk(job, head));
	head->cg.header_only = true;
	AS_TRY(as_cg_read_lines(&head->cg));
	return head->cg.have_events && head->cg.straight && head->cg.numbered ? AS_OK
									      : AS_E_CANCELLED;
}

static enum as_code run_job(struct job *job, struct chunk *head)
{
	AS_TRY(read_head(job, head));
	for (unsigned i = 0; i < job->n; i++) {
		AS_TRY(open_chunk(job, &job->chunk[i]));
		if (i)
			AS_TRY(enter_middle(&job->chunk[i].cg, &head->cg));
	}
	job->rd->exec->run(job->rd->exec, read_chunk, job, job->n);
	for (unsigned i = 0; i < job->n; i++)
		AS_TRY(job->chunk[i].rc);
	if (job->chunk[0].build.prof->part.n > 1) /* the others began as the first part */
		return AS_E_CANCELLED;
	for (unsigned i = 1; i < job->n; i++) {
		AS_TRY(join_chunk(&job->chunk[0].cg, &job->chunk[i]));
		close_chunk(&job->chunk[i]);
	}
	return as_cg_finish(&job->chunk[0].cg);
}

/* The first chunk's builder, with all joined into it, becomes the caller's. */
static void take_over(struct as_rd *rd, struct chunk *first)
{
	struct as_build old = *rd->out;

	*rd->out = first->build;
	rd->out->err = old.err;
	old.err = first->build.err;
	first->build = old;
	first->cg.b = &first->build;
	join_findings(rd->findings, &first->findings, 0);
}

bool as_cg_read_parallel(struct as_rd *rd)
{
	const struct as_alloc *al = rd->out->prof->al;
	uint64_t size = rd->in->src->size;
	unsigned want;
	struct job job = {.rd = rd};
	struct chunk *head;
	bool done = false;

	if (!as_exec_is_team(rd->exec))
		return false;
	want = rd->exec->jobs < CHUNKS_MAX ? rd->exec->jobs : CHUNKS_MAX;
	if (size == AS_SIZE_UNKNOWN || !rd->in->src->pread || rd->in->off != 0 ||
		rd->detail != AS_DETAIL_FUNC || rd->strict)
		return false;
	if (want > size / CHUNK_MIN)
		want = (unsigned)(size / CHUNK_MIN);
	if (want < 2)
		return false;
	job.chunk = as_alloc_new(al, (want + 1) * sizeof(*job.chunk));
	if (!job.chunk)
		return false;
	head = &job.chunk[want];
	job.n = cg_parallel_cut(rd, job.chunk, want);
	if (job.n > 1 && run_job(&job, head) == AS_OK) {
		take_over(rd, &job.chunk[0]);
		done = true;
	}
	for (unsigned i = 0; i <= want; i++)
		close_chunk(&job.chunk[i]);
	as_alloc_free(al, job.chunk, (want + 1) * sizeof(*job.chunk));
	return done;
}
