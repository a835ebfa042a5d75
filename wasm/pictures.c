/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flame, facts: boxes for a page to draw, and what is said of them. The picture that was made last
 * is kept with its scene; of those before only the questions are, and a picture is made again if
 * facts of it are asked for. So facts are always those of the flame that names them.
 */
#include "engine.h"
#include "picture/flame.h"
#include "scene.h"

enum { BOXES_DEFAULT = 300000, BOXES_MIN = 16 };

struct as_flames {
	uint64_t n; /* asked for so far: the next one's number */
	struct question asked[AS_FLAMES_KEPT];
};

/* All that a picture is made of and borrows. */
struct picture {
	const struct as_alloc *al;
	uint64_t id;
	struct as_view_opts opts;
	struct as_tree_view view;
	struct as_flame_paths paths;
	struct as_table *table;
	struct as_flame_places places;
	struct as_engine_diff *compared;
	struct as_diff_tree_view tree;
	struct as_flame_diff diff;
	struct as_flame f;
	bool viewed, grown; /* there is VIEW, TREE */
};

struct job {
	struct subject s;
	const struct question *q;
	struct picture *p;
	uint64_t boxes;
	bool icicle, diff;
};

static void picture_release(const struct as_alloc *al, void *at)
{
	struct picture *p = at;

	if (!p)
		return;
	as_flame_release(&p->f);
	if (p->viewed)
		as_tree_view_release(&p->view);
	as_table_free(p->table);
	if (p->grown)
		as_diff_tree_view_release(&p->tree);
	as_engine_diff_free(p->compared);
	as_alloc_free(al, p, sizeof(*p));
}

/* ---- questions that were asked ---- */

static bool copy_words(struct question *to, const struct as_alloc *al, const struct question *q)
{
	*to = (struct question){0};
	as_arena_init(&to->arena, al);
	for (size_t i = 0; i < q->word.n; i++) {
		struct word w = {as_arena_dup(&to->arena, q->word.p[i].key),
			as_arena_dup(&to->arena, q->word.p[i].value)};

		if (!w.key.p || !w.value.p || !as_vec_push(al, &to->word, w))
			return false;
	}
	return true;
}

static enum as_code picture_remember(
	struct engine *e, const struct question *q, uint64_t *id, struct failure *f)
{
	struct question *to;

	if (!e->flames)
		e->flames = as_alloc_new(e->al, sizeof(*e->flames));
	if (!e->flames)
		return as_failure_no_memory(f);
	*id = e->flames->n;
	to = &e->flames->asked[*id % AS_FLAMES_KEPT];
	if (*id >= AS_FLAMES_KEPT)
		as_question_release(to);
	e->flames->n++;
	return copy_words(to, e->al, q) ? AS_OK : as_failure_no_memory(f);
}

void as_flames_free(struct engine *e)
{
	for (uint64_t i = 0; e->flames && i < e->flames->n && i < AS_FLAMES_KEPT; i++)
		as_question_release(&e->flames->asked[i]);
	as_alloc_free(e->al, e->flames, sizeof(*e->flames));
	e->flames = NULL;
}

/* ---- boxes ---- */

static enum as_code picture_take_words(struct job *j, struct failure *f)
{
	j->boxes = BOXES_DEFAULT;
	AS_TRY(as_question_number(j->q, "boxes", &j->boxes, f));
	j->boxes = j->boxes < BOXES_MIN ? BOXES_MIN : j->boxes;
	AS_TRY(as_question_flag(j->q, "diff", &j->diff, f));
	return as_question_flag(j->q, "icicle", &j->icicle, f);
}

static enum as_code picture_choose_way(
	const struct job *j, enum as_tree_way *way, struct failure *f)
{
	static const char *const names[] = {"callees", "callers", "bottom-up", NULL};
	unsigned chosen = AS_TREE_CALLEES;

	AS_TRY(as_question_choice(j->q, "way", names, &chosen, f));
	*way = (enum as_tree_way)chosen;
	if (*way == AS_TREE_CALLERS && !j->s.func)
		*way = AS_TREE_BOTTOM_UP;
	return AS_OK;
}

/* The function that is named, as the paths have it. */
static enum as_code find_root(struct job *j, struct as_calltree_root *root, struct failure *f)
{
	struct as_listings *ls;
	const struct as_key *key;

	AS_TRY(as_scene_listings_of_paths(&j->s, &ls, f));
	AS_TRY(as_scene_find(&j->s, ls, f));
	key = &as_listings_table(ls)->key[as_listings_row(ls, 0)];
	*root = (struct as_calltree_root){key->func, key->addr};
	return AS_OK;
}

static enum as_code picture_cannot_draw(const struct job *j, enum as_code rc, struct failure *f)
{
	f->word = rc == AS_E_ARG && as_question_has(j->q, "sort") ? "sort" : NULL;
	return rc;
}

static enum as_code boxes_of_paths(struct job *j, struct failure *f)
{
	struct picture *p = j->p;
	struct as_tree_opts opts = {0};
	struct as_calltree_root root, *of = NULL;
	const struct as_path_source *paths;
	struct as_calltree *ct;
	enum as_code rc;

	AS_TRY(as_subject_one_event(&j->s, f));
	AS_TRY(as_scene_paths(&j->s, &paths, f));
	AS_TRY(picture_choose_way(j, &opts.way, f));
	if (j->s.func) {
		of = &root;
		AS_TRY(find_root(j, of, f));
	}
	AS_TRY(as_scene_tree(&j->s, opts.way, of, &ct, f));
	opts.event = j->s.opts.sort_event;
	opts.of = opts.way == AS_TREE_CALLEES ? NULL : of;
	opts.keep_roots = of;
	if (as_flame_least(ct, &opts, (size_t)j->boxes, &opts.min) != AS_OK)
		return as_failure_no_memory(f);
	p->viewed = true;
	AS_TRY(as_tree_view_make(&p->view, ct, &opts, &f->err));
	p->paths = (struct as_flame_paths){.view = &p->view,
		.prof = paths->prof,
		.opts = &p->opts,
		.event = opts.event,
		.alone = of};
	rc = as_flame_of_paths(&p->f, &p->paths, &f->err);
	return picture_cannot_draw(j, rc, f);
}

static enum as_code boxes_of_places(struct job *j, struct failure *f)
{
	struct as_project_opts project = {.by = AS_BY_FUNC, .keep_contexts = j->s.keep_contexts};
	struct picture *p = j->p;
	const struct as_table *t;
	enum as_code rc;

	AS_TRY(as_project(j->s.prof, &project, &p->table, &f->err));
	t = p->table;
	p->places = (struct as_flame_places){
		.table = t, .opts = &p->opts, .event = j->s.opts.sort_event};
	if (as_flame_least_of(j->s.engine->al, t->self + p->places.event, t->n, t->n_events,
		    (size_t)j->boxes / 2, &p->places.min) != AS_OK)
		return as_failure_no_memory(f);
	rc = as_flame_of_places(&p->f, &p->places, &f->err);
	return picture_cannot_draw(j, rc, f);
}

/* All rows of the tree: what is too small for the picture is gathered there. */
static enum as_code boxes_of_diff(struct job *j, struct failure *f)
{
	struct as_diff_tree_opts opts = {0};
	struct picture *p = j->p;
	enum as_code rc;

	AS_TRY(as_engine_diff_paths(j->s.engine, j->q, &p->compared, &p->diff.sub, f));
	p->grown = true;
	AS_TRY(as_diff_tree_view_make(&p->tree, p->diff.sub, &opts, &f->err));
	p->diff.tree = &p->tree;
	p->diff.boxes = (size_t)j->boxes;
	rc = as_flame_of_diff(&p->f, &p->diff, &f->err);
	return picture_cannot_draw(j, rc, f);
}

/* By default by object, or where all are of one, or of none that is known, by function. */
static enum as_code picture_give_colours(const struct job *j, struct failure *f)
{
	static const char *const names[] = {"object", "file", "function", "self", NULL};
	unsigned by = AS_FLAME_BY_OBJECT;
	struct as_flame *flame = &j->p->f;

	AS_TRY(as_question_choice(j->q, "colour", names, &by, f));
	if (j->diff)
		return as_flame_colours(flame, AS_FLAME_BY_CHANGE) == AS_OK
			       ? AS_OK
			       : as_failure_no_memory(f);
	if (as_flame_colours(flame, (enum as_flame_by)by) != AS_OK)
		return as_failure_no_memory(f);
	if (as_question_has(j->q, "colour") || flame->group.n > 1)
		return AS_OK;
	return as_flame_colours(flame, AS_FLAME_BY_FUNC) == AS_OK ? AS_OK : as_failure_no_memory(f);
}

static enum as_code picture_make(struct job *j, struct failure *f)
{
	const struct as_profile *prof = j->s.prof;
	bool places = !prof->call.n && !prof->sample.node.n && prof->self.n;

	if (!j->s.opts.n_events)
		return as_failure_set(f, AS_E_UNSUPPORTED, NULL,
			"the profile has no events, so there is nothing to draw");
	if (places && j->s.func)
		return as_subject_wants_calls(&j->s, f);
	AS_TRY(j->diff   ? boxes_of_diff(j, f)
		: places ? boxes_of_places(j, f)
			 : boxes_of_paths(j, f));
	return picture_give_colours(j, f);
}

/* The picture of Q's words, kept with the scene, or made and kept there. */
static enum as_code picture_get(struct job *j, struct engine *e, uint64_t id, struct failure *f)
{
	struct as_keepsake *kept;
	enum as_code rc;

	AS_TRY(as_subject_make(&j->s, e, j->q, f));
	AS_TRY(picture_take_words(j, f));
	kept = as_scene_keepsake(&j->s);
	j->p = kept->p;
	if (kept->release == picture_release && j->p && j->p->id == id)
		return AS_OK;
	as_scene_drop_keepsake(j->s.scene);
	j->p = as_alloc_new(e->al, sizeof(*j->p));
	if (!j->p)
		return as_failure_no_memory(f);
	j->p->id = id;
	j->p->f.al = e->al;
	j->p->opts = j->s.opts;
	j->p->opts.event = NULL; /* the subject's */
	j->p->opts.n_events = 0;
	rc = picture_make(j, f);
	if (rc != AS_OK)
		picture_release(e->al, j->p);
	else
		*kept = (struct as_keepsake){j->p, picture_release};
	return rc;
}

/* ---- answers ---- */

enum as_code as_engine_flame(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct job j = {.q = q, .s.engine = e};
	struct as_flame_style how = {0};
	uint64_t id = 0;
	enum as_code rc = picture_remember(e, q, &id, f);

	if (rc != AS_OK)
		return rc;
	rc = picture_get(&j, e, id, f);
	how.icicle = j.icicle;
	if (rc == AS_OK && as_flame_wire(&j.p->f, &how, id, out) != AS_OK)
		rc = as_failure_no_memory(f);
	as_subject_release(&j.s);
	return rc;
}

/* "1,2,30" */
static enum as_code take_boxes(const struct as_alloc *al, const struct question *q, size_t **box,
	size_t *n, struct failure *f)
{
	struct as_slice list = as_question_word(q, "boxes"), one;

	*n = 0;
	*box = as_alloc_new(al, (list.len + 1) * sizeof(**box));
	if (!*box)
		return as_failure_no_memory(f);
	while (list.len && as_slice_cut(&list, ',', &one)) {
		uint64_t v;

		if (!as_slice_dec(one, &v))
			return as_failure_set(
				f, AS_E_ARG, "boxes", "expected numbers of boxes, as in 1,2,30");
		(*box)[(*n)++] = (size_t)v;
	}
	return AS_OK;
}

static enum as_code find_asked(const struct engine *e, const struct question *q,
	const struct question **asked, uint64_t *id, struct failure *f)
{
	uint64_t n = e->flames ? e->flames->n : 0;

	*id = UINT64_MAX;
	AS_TRY(as_question_number(q, "flame", id, f));
	if (*id >= n || n - *id > AS_FLAMES_KEPT)
		return as_failure_set(
			f, AS_E_ARG, "flame", "no flame of late has this number, its \"id\"");
	*asked = &e->flames->asked[*id % AS_FLAMES_KEPT];
	return AS_OK;
}

static enum as_code say_facts(struct engine *e, struct job *j, uint64_t id, const size_t *box,
	size_t n, struct as_out *out, struct failure *f)
{
	enum as_code rc;

	AS_TRY(picture_get(j, e, id, f));
	rc = as_flame_facts_json(&j->p->f, box, n, out);
	return rc == AS_E_ARG ? as_failure_set(f, rc, "boxes", "the flame has no such box")
	       : rc != AS_OK  ? as_failure_no_memory(f)
			      : AS_OK;
}

enum as_code as_engine_facts(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct job j = {.s.engine = e};
	size_t *box = NULL, n, size = (as_question_word(q, "boxes").len + 1) * sizeof(*box);
	uint64_t id;
	enum as_code rc = find_asked(e, q, &j.q, &id, f);

	if (rc == AS_OK)
		rc = take_boxes(e->al, q, &box, &n, f);
	if (rc == AS_OK)
		rc = say_facts(e, &j, id, box, n, out, f);
	as_alloc_free(e->al, box, size);
	as_subject_release(&j.s);
	return rc;
}
