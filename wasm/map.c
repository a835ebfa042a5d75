/* SPDX-License-Identifier: Apache-2.0 */
/* treemap: objects, files and functions as areas. */
#include "engine.h"
#include "picture/treemap.h"
#include "report/kit/json.h"

enum { SIDE_MIN = 100, SIDE_MAX = 20000 };

static enum as_code take_side(
	const struct question *q, const char *key, unsigned *side, struct failure *f)
{
	uint64_t n = *side;

	AS_TRY(as_question_number(q, key, &n, f));
	if (n < SIDE_MIN || n > SIDE_MAX)
		return as_failure_set(
			f, AS_E_ARG, key, "a map is 100 to 20000 pixels wide and high");
	*side = (unsigned)n;
	return AS_OK;
}

/* Which function, file or object it is: what is not told by its kind is null. */
static void say_func(
	const struct as_treemap *map, const struct as_treemap_box *box, struct as_json *j)
{
	const struct as_table *t = map->opts.table;
	const struct as_key *key;

	if (box->kind == AS_TREEMAP_FUNC) {
		as_view_json_func(j, as_view_row(t, (uint32_t)box->row));
		return;
	}
	key = box->kind == AS_TREEMAP_SMALL ? NULL : &t->key[box->row];
	as_json_null(j, "function");
	if (box->kind == AS_TREEMAP_FILE)
		as_json_text_or_null(j, "file", as_file_path(t->prof, key->file));
	else
		as_json_null(j, "file");
	if (key)
		as_json_text_or_null(j, "object", as_object_path(t->prof, key->object));
	else
		as_json_null(j, "object");
	as_json_null(j, "address");
}

static void say_box(
	const struct as_treemap *map, const struct as_treemap_box *box, struct as_json *j)
{
	static const char *const kind[] = {"object", "file", "function", "small"};

	as_assert(box->kind < AS_ARRAY_LEN(kind));
	as_json_object(j, NULL);
	as_json_double(j, "x", box->x);
	as_json_double(j, "y", box->y);
	as_json_double(j, "w", box->w);
	as_json_double(j, "h", box->h);
	as_json_text(j, "kind", as_slice_of(kind[box->kind]));
	as_json_val(j, "colour", box->colour);
	as_json_val(j, "cost", box->cost);
	as_json_val(j, "n", box->kind == AS_TREEMAP_SMALL ? box->row : 0);
	say_func(map, box, j);
	as_json_object_end(j);
}

static void say_map(const struct subject *s, const struct as_treemap *map, struct as_out *out)
{
	uint32_t event = map->opts.event;
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.treemap/1"));
	as_json_profile(&j, s->prof, NULL, s->opts.files, s->opts.n_files);
	as_json_events(&j, s->prof, &event, 1);
	as_json_val(&j, "small", map->n_small);
	as_json_array(&j, "boxes");
	for (size_t i = 0; i < map->box.n; i++)
		say_box(map, &map->box.p[i], &j);
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

static enum as_code map_make(
	const struct subject *s, const struct question *q, struct as_out *out, struct failure *f)
{
	struct as_project_opts project = {
		.by = AS_BY_FUNC, .keep_contexts = s->keep_contexts, .no_cycles = true};
	struct as_treemap_opts opts = {.view = &s->opts,
		.event = s->opts.sort_event,
		.width = AS_TREEMAP_WIDTH,
		.height = AS_TREEMAP_HEIGHT};
	struct as_treemap map;
	struct as_table *table;
	enum as_code rc;

	if (!s->opts.n_events)
		return as_failure_set(f, AS_E_UNSUPPORTED, NULL,
			"the profile has no events, so there is nothing to draw");
	AS_TRY(take_side(q, "width", &opts.width, f));
	AS_TRY(take_side(q, "height", &opts.height, f));
	AS_TRY(as_project(s->prof, &project, &table, &f->err));
	opts.table = table;
	rc = as_treemap_make(&map, &opts, &f->err);
	if (rc == AS_OK)
		say_map(s, &map, out);
	as_treemap_release(&map);
	as_table_free(table);
	return rc;
}

enum as_code as_engine_treemap(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct subject s;
	enum as_code rc = as_subject_make(&s, e, q, f);

	if (rc == AS_OK)
		rc = map_make(&s, q, out, f);
	as_subject_release(&s);
	return rc;
}
