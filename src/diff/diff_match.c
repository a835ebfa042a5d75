/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rows are one. Builds differ in their paths, and a name can be that of several functions,
 * so the best match goes first: same name, object and path; then same name, object and base name
 * of the path; then same name and object; then, where an object has another name on each side, a
 * name that is there once (diff_moved.c). A row is matched once in each run.
 *
 * A function without a name is known by where it begins, which says something within one build
 * only: it is matched where both sides have the build id of its object, and it is the same.
 */
#include "change/kit/clone_name.h"
#include "change/kit/context.h"
#include "diff/diff_impl.h"
#include "formats/format.h"

enum { BY_BASE, BY_NAME, KINDS };

static enum as_code diff_match_intern(struct as_diff *d, struct as_slice s, as_str *out)
{
	return as_strings_add(&d->strings, s, out) ? AS_OK : AS_E_NOMEM;
}

static struct as_slice first_known(struct as_slice a, struct as_slice b)
{
	return a.len ? a : b;
}

/* What tables call a function without a name, and the build that it is so in; W stays as it is if
 * FUNC is none, or its build is not known. */
static enum as_code describe_code(
	struct as_diff *d, const struct as_profile *prof, as_func func, struct as_diff_wanted *w)
{
	as_object o = prof->func.object.p[func.i];
	struct as_slice name, build = as_str_get(prof, prof->object.p[o.i].id);

	if (!as_func_is_whole(prof, func) || !build.len)
		return AS_OK;
	name = as_arena_printf(&d->arena, "[%.*s+0x%" PRIx64 "]",
		AS_SLICE_FMT(as_base_name(as_object_path(prof, o))), prof->func.addr.p[func.i]);
	AS_TRY(as_memory(name.p));
	AS_TRY(diff_match_intern(d, name, &w->key.name));
	return diff_match_intern(d, build, &w->key.build);
}

/* Other code without a name has no address here: addresses are others in every build. */
enum as_code as_diff_describe(
	struct as_diff *d, const struct as_table *t, uint32_t r, struct as_diff_wanted *w)
{
	const struct as_key *k = &t->key[r];
	struct as_slice object = as_object_path(t->prof, k->object);
	struct as_slice file = as_file_path(t->prof, k->file);
	struct as_slice path = first_known(file, object), name = as_base_name(path);

	*w = (struct as_diff_wanted){.key.line = t->by == AS_BY_LINE ? k->line : 0};
	if (t->by == AS_BY_FILE) {
		object = (struct as_slice){0};
	} else if (t->by == AS_BY_OBJECT) {
		path = object;
		name = as_base_name(object);
	} else {
		name = as_table_func_name(t, r);
		if (t->by == AS_BY_LINE && !d->opts.keep_clones)
			name = as_clone_origin(name);
		if (!name.len)
			path = object;
	}
	w->key.path_is_object = path.p == object.p;
	AS_TRY(diff_match_intern(d, name, &w->key.name));
	if (!name.len)
		AS_TRY(describe_code(d, t->prof, k->func, w));
	AS_TRY(diff_match_intern(d, as_base_name(object), &w->key.object));
	AS_TRY(diff_match_intern(d, path, &w->key.path));
	return diff_match_intern(d, as_base_name(path), &w->base);
}

/* The same of a function that is no row of a table. */
static enum as_code describe_func(struct as_diff *d, const struct as_profile *prof,
	const struct as_diff_func *f, struct as_diff_wanted *w)
{
	struct as_slice object = as_object_path(prof, f->object);
	struct as_slice path =
		f->name.len ? first_known(as_file_path(prof, f->file), object) : object;

	*w = (struct as_diff_wanted){.key.path_is_object = path.p == object.p};
	AS_TRY(diff_match_intern(d, f->name, &w->key.name));
	if (!f->name.len)
		AS_TRY(describe_code(d, prof, f->func, w));
	AS_TRY(diff_match_intern(d, as_base_name(object), &w->key.object));
	AS_TRY(diff_match_intern(d, path, &w->key.path));
	return diff_match_intern(d, as_base_name(path), &w->base);
}

static uint64_t hash_of(const struct as_diff_wanted *w, as_str more)
{
	const struct as_diff_key *k = &w->key;

	return as_hash_mix(
		as_hash_mix(k->name.i, k->object.i), as_hash_mix(k->line + k->build.i, more.i));
}

static bool same_name(const struct as_diff_key *a, const struct as_diff_key *b)
{
	return a->name.i == b->name.i && a->object.i == b->object.i && a->line == b->line &&
	       a->build.i == b->build.i;
}

static as_str base_of(const struct as_diff *d, uint32_t row)
{
	return d->link.p[row].base;
}

/* The row of the very path, or UINT32_MAX. */
static uint32_t find_exact(const struct as_diff *d, const struct as_diff_wanted *w)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&d->exact, hash_of(w, w->key.path), &pos, &row))
		if (same_name(&d->key.p[row], &w->key) && d->key.p[row].path.i == w->key.path.i)
			return row;
	return UINT32_MAX;
}

static uint64_t group_hash(const struct as_diff_wanted *w, unsigned kind)
{
	return kind == BY_BASE ? hash_of(w, w->base) : hash_of(w, (as_str){0});
}

static struct as_diff_group *find_group(
	const struct as_diff *d, const struct as_diff_wanted *w, unsigned kind)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t g;

	while (as_index_find(&d->group[kind], group_hash(w, kind), &pos, &g)) {
		uint32_t row = d->list.p[g].first - 1;

		if (same_name(&d->key.p[row], &w->key) &&
			(kind == BY_NAME || base_of(d, row).i == w->base.i))
			return &d->list.p[g];
	}
	return NULL;
}

/* The next row of the group that run RUN has not matched yet. */
static uint32_t find_free(
	const struct as_diff *d, const struct as_diff_wanted *w, unsigned kind, uint32_t run)
{
	struct as_diff_group *g = find_group(d, w, kind);

	if (!g)
		return UINT32_MAX;
	if (g->run != run + 1) {
		g->run = run + 1;
		g->at = g->first;
	}
	while (g->at && d->link.p[g->at - 1].run == run + 1)
		g->at = d->link.p[g->at - 1].next[kind];
	return g->at ? g->at - 1 : UINT32_MAX;
}

static enum as_code diff_match_join_group(
	struct as_diff *d, const struct as_diff_wanted *w, unsigned kind, uint32_t row)
{
	struct as_diff_group *g = find_group(d, w, kind);

	as_assert(!g || (g->last && g->last <= d->link.n));
	if (g) {
		d->link.p[g->last - 1].next[kind] = row + 1;
		g->last = row + 1;
		if (g->run && !g->at)
			g->at = row + 1;
		return AS_OK;
	}
	if (!as_vec_push(
		    d->al, &d->list, ((struct as_diff_group){.first = row + 1, .last = row + 1})))
		return AS_E_NOMEM;
	return as_memory(
		as_index_add(&d->group[kind], group_hash(w, kind), (uint32_t)d->list.n - 1));
}

static enum as_code new_row(struct as_diff *d, const struct as_diff_wanted *w, uint32_t *row)
{
	struct as_diff_key key = w->key;

	as_assert(d->key.n == d->link.n);
	key.shown = key.name;
	key.latest = key.object;
	*row = (uint32_t)d->key.n;
	if (*row >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	if (!as_vec_push(d->al, &d->key, key) ||
		!as_vec_push(d->al, &d->link, ((struct as_diff_link){.base = w->base})) ||
		!as_index_add(&d->exact, hash_of(w, w->key.path), *row))
		return AS_E_NOMEM;
	AS_TRY(diff_match_join_group(d, w, BY_BASE, *row));
	return diff_match_join_group(d, w, BY_NAME, *row);
}

enum as_code as_diff_renew(struct as_diff *d, uint32_t row, const struct as_diff_wanted *w)
{
	as_assert(row < d->key.n);
	if (w->key.object.i)
		d->key.p[row].latest = w->key.object;
	if (!w->key.path.i || d->key.p[row].path.i == w->key.path.i)
		return AS_OK;
	d->key.p[row].path = w->key.path;
	d->key.p[row].path_is_object = w->key.path_is_object;
	return as_index_add(&d->exact, hash_of(w, w->key.path), row) ? AS_OK : AS_E_NOMEM;
}

static enum as_code match_exact(
	struct as_diff *d, const struct as_table *t, uint32_t run, uint32_t *row)
{
	struct as_diff_wanted w;

	for (uint32_t r = 0; r < t->n; r++) {
		row[r] = UINT32_MAX;
		if (t->key[r].is_cycle)
			continue;
		AS_TRY(as_diff_describe(d, t, r, &w));
		row[r] = find_exact(d, &w);
		if (row[r] != UINT32_MAX)
			as_diff_take(d, row[r], run);
	}
	return AS_OK;
}

/* By line a name says too little: lines of other files are other lines. */
static enum as_code match_alike(
	struct as_diff *d, const struct as_table *t, uint32_t run, uint32_t *row)
{
	unsigned kinds = t->by == AS_BY_LINE ? BY_BASE + 1 : KINDS;
	struct as_diff_wanted w;

	for (unsigned kind = 0; kind < kinds; kind++)
		for (uint32_t r = 0; r < t->n; r++) {
			if (t->key[r].is_cycle || row[r] != UINT32_MAX)
				continue;
			AS_TRY(as_diff_describe(d, t, r, &w));
			row[r] = find_exact(d, &w); /* a twin of a row that was just matched */
			if (row[r] == UINT32_MAX)
				row[r] = find_free(d, &w, kind, run);
			if (row[r] == UINT32_MAX)
				continue;
			as_diff_take(d, row[r], run);
			AS_TRY(as_diff_renew(d, row[r], &w));
		}
	return AS_OK;
}

static bool find_alias(const struct as_diff *d, const struct as_diff_wanted *w, uint32_t *row)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&d->aliases, hash_of(w, w->key.path), &pos, &i)) {
		const struct as_diff_alias *a = &d->alias.p[i];

		*row = a->row;
		if (a->name.i == w->key.name.i && a->object.i == w->key.object.i &&
			a->path.i == w->key.path.i && a->build.i == w->key.build.i)
			return true;
	}
	return false;
}

static enum as_code add_alias(struct as_diff *d, const struct as_diff_wanted *w, uint32_t row)
{
	struct as_diff_alias a = {w->key.name, w->key.object, w->key.path, w->key.build, row};

	AS_TRY(as_memory(as_vec_push(d->al, &d->alias, a)));
	return as_memory(
		as_index_add(&d->aliases, hash_of(w, w->key.path), (uint32_t)d->alias.n - 1));
}

/* What this run calls the rows: a row's own name may be that of another run. */
static enum as_code diff_match_note_names(
	struct as_diff *d, const struct as_table *t, const uint32_t *row)
{
	struct as_diff_wanted w;
	uint32_t have;

	as_index_release(&d->aliases);
	as_index_init(&d->aliases, d->al);
	d->alias.n = 0;
	for (uint32_t r = 0; r < t->n; r++) {
		if (row[r] == UINT32_MAX)
			continue;
		AS_TRY(as_diff_describe(d, t, r, &w));
		if (!find_alias(d, &w, &have))
			AS_TRY(add_alias(d, &w, row[r]));
	}
	return AS_OK;
}

enum as_code as_diff_match(
	struct as_diff *d, enum as_side side, const struct as_table *t, uint32_t *row)
{
	uint32_t run = (uint32_t)d->run.n;
	struct as_diff_wanted w;

	AS_TRY(match_exact(d, t, run, row));
	if (run)
		AS_TRY(match_alike(d, t, run, row));
	AS_TRY(as_diff_match_moved(d, side, t, row));
	for (uint32_t r = 0; r < t->n; r++) {
		if (t->key[r].is_cycle || row[r] != UINT32_MAX)
			continue;
		AS_TRY(as_diff_describe(d, t, r, &w));
		row[r] = find_exact(d, &w);
		if (row[r] == UINT32_MAX)
			AS_TRY(new_row(d, &w, &row[r]));
		as_diff_take(d, row[r], run);
	}
	return d->opts.want_rows ? diff_match_note_names(d, t, row) : AS_OK;
}

enum as_code as_diff_func_row(struct as_diff *d, const struct as_profile *prof,
	const struct as_diff_func *f, uint32_t *row)
{
	struct as_diff_wanted w;

	AS_TRY(describe_func(d, prof, f, &w));
	if (find_alias(d, &w, row))
		return AS_OK;
	AS_TRY(new_row(d, &w, row));
	return add_alias(d, &w, *row);
}

/* The name of ROW before its contexts, which are there if they are kept apart. */
static struct as_slice diff_match_plain_name(const struct as_diff *d, uint32_t row)
{
	struct as_slice name = as_diff_str(d, d->key.p[row].name);

	return d->opts.keep_contexts ? as_fold_name(name, true) : name;
}

static enum as_code show_name(struct as_diff *d, struct as_shown *names, uint32_t row)
{
	struct as_slice plain = diff_match_plain_name(d, row), shown = as_shown_find(names, plain);
	struct as_slice rest = as_slice_skip(as_diff_str(d, d->key.p[row].name), plain.len);

	if (rest.len)
		shown = as_arena_printf(
			&d->arena, "%.*s%.*s", AS_SLICE_FMT(shown), AS_SLICE_FMT(rest));
	return shown.p ? diff_match_intern(d, shown, &d->key.p[row].shown) : AS_E_NOMEM;
}

enum as_code as_diff_show_names(struct as_diff *d, const struct as_renamer *how, struct as_err *err)
{
	struct as_show_names sn;
	struct as_shown shown;
	bool fine = true;

	if (d->opts.by == AS_BY_FILE || d->opts.by == AS_BY_OBJECT)
		return AS_OK;
	as_shown_init(&shown, d->al, how);
	as_show_names_begin(&sn, &shown);
	for (uint32_t r = 0; fine && r < d->key.n; r++)
		fine = as_show_names_add(&sn, diff_match_plain_name(d, r),
			(uint64_t)d->key.p[r].object.i << 32 | base_of(d, r).i);
	fine = as_show_names_end(&sn, fine);
	for (uint32_t r = 0; fine && r < d->key.n; r++)
		fine = !d->key.p[r].name.i || show_name(d, &shown, r) == AS_OK;
	as_shown_release(&shown);
	return fine ? AS_OK : as_err_no_memory(err);
}
