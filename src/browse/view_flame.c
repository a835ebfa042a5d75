/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph by cells: `assay flame`, the first callers on top. */
#include "browse/paths.h"
#include "picture/flame.h"
#include "picture/xml.h"
#include "report/kit/name_fit.h"

enum { BOXES = 20000, ZOOM_MAX = 1024, GAP_COLUMNS = 3 };

struct as_browse_flame {
	struct as_browse_paths paths;
	const struct as_profile *of; /* what it was made of, and for */
	uint32_t of_event, event;
	bool bottom_up;
	struct as_table *table; /* of a profile of places */
	struct as_flame f;      /* borrows one of: */
	struct as_flame_places places;
	struct as_flame_paths rows;
	struct as_view_opts opts;
	bool has_flame;
	size_t root; /* the box that is zoomed into */
	/* of the last frame */
	unsigned y, lines, columns;
};

void as_browse_free_flame(struct as_browse *b)
{
	struct as_browse_flame *fl = b->flame;

	if (!fl)
		return;
	if (fl->has_flame)
		as_flame_release(&fl->f);
	as_table_free(fl->table);
	as_browse_paths_release(&fl->paths);
	as_alloc_free(b->al, fl, sizeof(*fl));
	b->flame = NULL;
}

/* ---- making it ---- */

static enum as_exit flame_of_places(struct as_browse *b, struct as_browse_flame *fl)
{
	struct as_project_opts project = {.by = AS_BY_FUNC};
	struct as_err err = AS_ERR_NONE;

	fl->places = (struct as_flame_places){.opts = &fl->opts, .event = b->st.event};

	AS_DO(as_say_code(&b->ses, as_project(b->prof, &project, &fl->table, &err), &err));
	fl->places.table = fl->table;
	fl->has_flame = true;
	AS_DO(as_say_code(&b->ses, as_flame_of_places(&fl->f, &fl->places, &err), &err));
	return AS_EXIT_OK;
}

static enum as_exit flame_of_paths(struct as_browse *b, struct as_browse_flame *fl)
{
	struct as_err err = AS_ERR_NONE;

	AS_DO(as_browse_paths_make(&fl->paths, b, NULL, BOXES));
	fl->event = fl->paths.event;
	fl->rows = (struct as_flame_paths){.view = &fl->paths.view,
		.prof = fl->paths.source.prof,
		.opts = &fl->opts,
		.event = fl->event,
		.depth = AS_VIEW_LEVELS};
	fl->opts.sort_event = fl->event;
	fl->has_flame = true;
	AS_DO(as_say_code(&b->ses, as_flame_of_paths(&fl->f, &fl->rows, &err), &err));
	return AS_EXIT_OK;
}

static enum as_exit flame_build(struct as_browse *b, struct as_browse_flame *fl)
{
	bool places = !b->prof->call.n && !b->prof->sample.node.n;
	enum as_code rc;

	fl->of = b->prof;
	fl->of_event = fl->event = b->st.event;
	fl->bottom_up = b->st.bottom_up;
	fl->opts = (struct as_view_opts){.event = &fl->event,
		.n_events = 1,
		.sort_event = fl->event,
		.files = b->ask.file,
		.n_files = b->ask.n_files};
	AS_DO(places ? flame_of_places(b, fl) : flame_of_paths(b, fl));
	rc = as_flame_colours(&fl->f, AS_FLAME_BY_OBJECT);
	if (rc == AS_OK && fl->f.group.n <= 1)
		rc = as_flame_colours(&fl->f, AS_FLAME_BY_FUNC);
	return as_say_code(&b->ses, rc, NULL);
}

/* ---- boxes ---- */

static const struct as_flame_box *flame_box(const struct as_browse *b, size_t i)
{
	return &b->flame->f.box.p[i];
}

static size_t flame_end(const struct as_browse *b, size_t box)
{
	const struct as_flame *f = &b->flame->f;
	size_t i = box + 1;

	while (i < f->box.n && f->box.p[i].depth > f->box.p[box].depth)
		i++;
	return i;
}

static bool flame_id(struct as_browse *b, size_t i, struct as_listing_id *id)
{
	const struct as_flame *f = &b->flame->f;
	struct as_flame_func func;

	if (f->box.p[i].kind != AS_FLAME_FUNC)
		return false;
	func = f->words->func(f, i);
	*id = (struct as_listing_id){
		func.name, func.file, func.object, func.has_addr ? func.addr : 0};
	return as_listing_id_is_set(id);
}

static size_t flame_parent(const struct as_browse *b, size_t box)
{
	size_t i = box;

	while (i > 0 && flame_box(b, i)->depth >= flame_box(b, box)->depth)
		i--;
	return i;
}

/* The box that ZOOM leads to, as far as it goes. */
static size_t flame_find(struct as_browse *b, const struct as_browse_zoom *zoom)
{
	const struct as_browse_zoom *way[ZOOM_MAX];
	struct as_listing_id id;
	size_t n = 0, at = 0;

	for (; zoom && n < ZOOM_MAX; zoom = zoom->up)
		way[n++] = zoom;
	while (n-- > 0) {
		size_t end = flame_end(b, at), i = at + 1;

		while (i < end &&
			!(flame_box(b, i)->depth == flame_box(b, at)->depth + 1 &&
				flame_id(b, i, &id) && as_browse_same_id(&id, &way[n]->id)))
			i++;
		if (i >= end)
			break;
		at = i;
	}
	return at;
}

static enum as_exit flame_make(struct as_browse *b)
{
	struct as_browse_flame *fl;
	enum as_exit rc;

	AS_DO(as_browse_need(b, AS_READ_FUNCS));
	if (!as_n_events(b->prof)) {
		as_browse_say(b, "the profile has no events, so there is nothing to draw");
		return AS_EXIT_UNSUPPORTED;
	}
	fl = b->flame;
	if (!fl || fl->of != b->prof || fl->of_event != b->st.event ||
		fl->bottom_up != b->st.bottom_up) {
		as_browse_free_flame(b);
		b->flame = as_alloc_new(b->al, sizeof(*b->flame));
		AS_DO(as_say_memory(&b->ses, b->flame));
		rc = flame_build(b, b->flame);
		if (rc != AS_EXIT_OK) {
			as_browse_free_flame(b);
			return rc;
		}
	}
	b->flame->root = flame_find(b, b->st.zoom);
	if (b->st.at < b->flame->root || b->st.at >= flame_end(b, b->flame->root))
		b->st.at = b->flame->root;
	return AS_EXIT_OK;
}

static size_t flame_rows(const struct as_browse *b)
{
	return b->flame ? b->flame->f.box.n : 0;
}

static size_t flame_columns(struct as_browse *b, struct as_browse_column *column)
{
	(void)b;
	column[0] = (struct as_browse_column){.head = "", .left = true, .name = true};
	return 1;
}

static void flame_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	line->cell[0] = as_flame_name(&b->flame->f, &b->scratch, i);
}

/* ---- drawing ---- */

/* The nearest border between columns. */
static unsigned flame_column(const struct as_browse *b, as_val at)
{
	const struct as_flame_box *root = flame_box(b, b->flame->root);
	as_val from = at - root->at;

	if (root->width <= 0 || from <= 0)
		return 0;
	return ((unsigned)as_picture_scale(from, root->width, 2 * b->flame->columns) + 1) / 2;
}

static void flame_draw_box(struct as_browse *b, struct as_canvas *f, size_t i)
{
	const struct as_flame_box *box = flame_box(b, i);
	unsigned x = flame_column(b, box->at), end = flame_column(b, box->at + box->width);
	unsigned level = box->depth - flame_box(b, b->flame->root)->depth, n = end - x, y;
	enum as_tint tint = box->kind == AS_FLAME_REST ? AS_TINT_REST
						       : (enum as_tint)(AS_TINT_BOX + box->colour);
	struct as_slice name;

	if (end <= x || level < b->st.top || level - b->st.top >= b->flame->lines)
		return;
	y = b->flame->y + level - (unsigned)b->st.top;
	if (n >= GAP_COLUMNS)
		n--; /* boxes side by side are told apart without colours, too */
	name = as_flame_name(&b->flame->f, &b->scratch, i);
	if (b->re && as_browse_matches(b, name))
		tint = AS_TINT_FOUND;
	as_canvas_fill(f, x, y, n, ' ', tint);
	if (n >= GAP_COLUMNS)
		as_canvas_put(f, x, y, n, as_name_fit(&b->scratch, name, n, b->style.utf8), tint);
	if (i == b->st.at)
		as_canvas_mark(f, x, y, n);
}

/* The level of the box that is marked is seen. */
static void flame_scroll(struct as_browse *b)
{
	size_t level = flame_box(b, b->st.at)->depth - flame_box(b, b->flame->root)->depth;

	if (level < b->st.top)
		b->st.top = level;
	if (level >= b->st.top + b->flame->lines)
		b->st.top = level - b->flame->lines + 1;
}

static void flame_view_draw(struct as_browse *b, struct as_canvas *f, unsigned y, unsigned lines)
{
	struct as_browse_flame *fl = b->flame;
	size_t end;

	fl->y = y;
	fl->lines = lines;
	fl->columns = f->columns;
	if (!fl->f.box.n || !lines)
		return;
	flame_scroll(b);
	end = flame_end(b, fl->root);
	for (size_t i = fl->root; i < end; i++)
		flame_draw_box(b, f, i);
	if (!b->said[0])
		as_browse_say(b, "%.*s  %.*s  %.*s",
			AS_SLICE_FMT(as_flame_name(&fl->f, &b->scratch, b->st.at)),
			AS_SLICE_FMT(fl->f.words->facts(&fl->f, &b->scratch, b->st.at)),
			AS_SLICE_FMT(as_flame_place(&fl->f, &b->scratch, b->st.at)));
}

/* ---- moving, and zooming ---- */

static bool flame_is_seen(const struct as_browse *b, size_t i)
{
	const struct as_flame_box *box = flame_box(b, i);

	return flame_column(b, box->at + box->width) > flame_column(b, box->at);
}

/* The widest box that was called from it. */
static size_t flame_child(const struct as_browse *b, size_t box)
{
	size_t end = flame_end(b, box), best = box;

	for (size_t i = box + 1; i < end; i++)
		if (flame_box(b, i)->depth == flame_box(b, box)->depth + 1 &&
			(best == box || flame_box(b, i)->width > flame_box(b, best)->width))
			best = i;
	return best;
}

/* The next one of its level that is wide enough to be seen. */
static size_t flame_beside(const struct as_browse *b, size_t box, int step)
{
	size_t end = flame_end(b, b->flame->root), i = box;

	while (step > 0 ? i + 1 < end : i > b->flame->root) {
		i = step > 0 ? i + 1 : i - 1;
		if (flame_box(b, i)->depth == flame_box(b, box)->depth && flame_is_seen(b, i))
			return i;
	}
	return box;
}

bool as_browse_flame_key(struct as_browse *b, enum as_browse_do does)
{
	size_t at = b->st.at;

	if (b->st.view != AS_BROWSE_FLAME || !flame_rows(b))
		return false;
	switch (does) {
	case AS_DO_UP:
		b->st.at = at > b->flame->root ? flame_parent(b, at) : at;
		return true;
	case AS_DO_DOWN:
		b->st.at = flame_child(b, at);
		return true;
	case AS_DO_LEFT:
		b->st.at = flame_beside(b, at, -1);
		return true;
	case AS_DO_RIGHT:
		b->st.at = flame_beside(b, at, 1);
		return true;
	case AS_DO_HOME:
		b->st.at = b->flame->root;
		return true;
	default:
		return false;
	}
}

/* The way from the root to box I; false: not all of it are functions. */
static bool flame_zoom_to(struct as_browse *b, size_t i, const struct as_browse_zoom **zoom)
{
	size_t way[ZOOM_MAX], n = 0;
	struct as_listing_id id;

	*zoom = NULL;
	for (; i > 0 && n < ZOOM_MAX; i = flame_parent(b, i))
		way[n++] = i;
	while (n-- > 0) {
		struct as_browse_zoom *z = as_arena_new(&b->arena, sizeof(*z));

		if (!z || !flame_id(b, way[n], &id))
			return false;
		*z = (struct as_browse_zoom){as_browse_keep_id(b, &id), *zoom};
		*zoom = z;
	}
	return true;
}

/* Zoom into box I; from the one that is zoomed into out of it. */
static void flame_enter(struct as_browse *b, size_t i)
{
	struct as_browse_state next = b->st;
	size_t to = i == b->flame->root && i ? flame_parent(b, i) : i;

	if (!flame_zoom_to(b, to, &next.zoom)) {
		as_browse_say(b, "that is no single function: there is nothing to zoom into");
		return;
	}
	next.top = 0;
	next.at = i;
	as_browse_step(b, &next);
}

bool as_browse_flame_click(struct as_browse *b, unsigned x, unsigned y)
{
	size_t root = b->flame->root, end = flame_end(b, root);

	for (size_t i = root; i < end; i++) {
		const struct as_flame_box *box = flame_box(b, i);

		if (box->depth - flame_box(b, root)->depth - b->st.top + b->flame->y != y ||
			flame_column(b, box->at) > x || flame_column(b, box->at + box->width) <= x)
			continue;
		if (i == b->st.at)
			flame_enter(b, i);
		else
			b->st.at = i;
		return true;
	}
	return false;
}

const struct as_browse_view_ops as_browse_flame_view = {.name = "Flame",
	.make = flame_make,
	.rows = flame_rows,
	.columns = flame_columns,
	.row = flame_row,
	.id = flame_id,
	.enter = flame_enter,
	.draw = flame_view_draw};
