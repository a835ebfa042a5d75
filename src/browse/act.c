/* SPDX-License-Identifier: Apache-2.0 */
/* What keys and mouse do. */
#include "browse/browse_impl.h"

static void act_move(struct as_browse *b, bool down, size_t step)
{
	size_t n = as_browse_rows(b);

	if (!down)
		b->st.at = b->st.at > step ? b->st.at - step : 0;
	else if (n)
		b->st.at = n - 1 - b->st.at > step ? b->st.at + step : n - 1;
}

/* To another view, of the function that is marked. */
static void act_view(struct as_browse *b, enum as_browse_view view)
{
	struct as_browse_state next = b->st;
	struct as_listing_id id;

	if (as_browse_func(b, &id))
		next.func = as_browse_keep_id(b, &id);
	if (view == b->st.view && view != AS_BROWSE_PEEK)
		return;
	next.view = view;
	next.at = AS_BROWSE_USUAL;
	next.top = next.left = 0;
	next.search = "";
	as_browse_step(b, &next);
}

static void act_order(struct as_browse *b)
{
	struct as_browse_state next = b->st;

	next.inclusive = !next.inclusive;
	next.at = next.top = 0;
	if (b->st.view == AS_BROWSE_TABLE)
		as_browse_step(b, &next);
	else
		as_browse_say(b, "order is the table's");
}

static void act_by(struct as_browse *b)
{
	static const enum as_by after[] = {[AS_BY_FUNC] = AS_BY_FILE,
		[AS_BY_FILE] = AS_BY_OBJECT,
		[AS_BY_OBJECT] = AS_BY_LINE,
		[AS_BY_LINE] = AS_BY_FUNC};
	struct as_browse_state next = b->st;

	if (b->st.view == AS_BROWSE_TABLE)
		next.by = after[b->st.by];
	else if (b->st.view == AS_BROWSE_TREE || b->st.view == AS_BROWSE_FLAME)
		next.bottom_up = !next.bottom_up;
	next.at = next.top = 0;
	next.folds = NULL;
	next.zoom = NULL;
	as_browse_step(b, &next);
}

static void act_filter(struct as_browse *b, enum as_browse_do does)
{
	static const enum as_word words[] = {AS_WORD_FOCUS, AS_WORD_IGNORE, AS_WORD_HIDE,
		AS_WORD_SHOW, AS_WORD_SHOW_FROM, AS_WORD_PRUNE_FROM};
	struct as_listing_id id;
	const char *text;

	if (!as_browse_func(b, &id) || !(text = as_browse_pattern(b, &id)))
		as_browse_say(b, "this row is no function; g types a filter");
	else
		as_browse_add_word(b, words[does - AS_DO_FOCUS], text);
}

static void act_enter(struct as_browse *b)
{
	const struct as_browse_view_ops *ops = as_browse_ops(b);

	if (ops->enter && b->st.at < as_browse_rows(b))
		ops->enter(b, as_browse_row(b, b->st.at));
}

static void act_side(struct as_browse *b, bool right)
{
	if (b->st.view == AS_BROWSE_TREE)
		as_browse_tree_fold(b, b->st.at, right);
	else if (right)
		b->st.left += 8;
	else
		b->st.left = b->st.left > 8 ? b->st.left - 8 : 0;
}

static bool act_moves(struct as_browse *b, enum as_browse_do does)
{
	size_t page = b->rows_shown > 1 ? b->rows_shown - 1 : 1;

	if (as_browse_flame_key(b, does))
		return true;
	switch (does) {
	case AS_DO_UP:
	case AS_DO_DOWN:
		act_move(b, does == AS_DO_DOWN, 1);
		return true;
	case AS_DO_PAGE_UP:
	case AS_DO_PAGE_DOWN:
		act_move(b, does == AS_DO_PAGE_DOWN, page);
		return true;
	case AS_DO_HOME:
	case AS_DO_END:
		act_move(b, does == AS_DO_END, SIZE_MAX);
		return true;
	case AS_DO_LEFT:
	case AS_DO_RIGHT:
		act_side(b, does == AS_DO_RIGHT);
		return true;
	case AS_DO_NEXT:
	case AS_DO_PREVIOUS:
		(void)as_browse_go_next(b, does == AS_DO_NEXT ? 1 : -1);
		return true;
	default:
		return false;
	}
}

static void act_fold(struct as_browse *b, bool all)
{
	if (b->st.view == AS_BROWSE_TREE)
		as_browse_tree_fold(b, all ? SIZE_MAX : b->st.at, -1);
	else if (!all)
		act_move(b, true, b->rows_shown > 1 ? b->rows_shown - 1 : 1);
}

static void act_changes(struct as_browse *b, enum as_browse_do does)
{
	if (does >= AS_DO_TABLE && does <= AS_DO_EVENTS)
		act_view(b, (enum as_browse_view)(does - AS_DO_TABLE));
	else if (does >= AS_DO_FOCUS && does <= AS_DO_PRUNE_FROM)
		act_filter(b, does);
	else if (does == AS_DO_NEXT_VIEW)
		act_view(b, (enum as_browse_view)((b->st.view + 1) % AS_BROWSE_VIEWS));
	else if (does == AS_DO_ENTER)
		act_enter(b);
	else if (does == AS_DO_FOLD || does == AS_DO_FOLD_ALL)
		act_fold(b, does == AS_DO_FOLD_ALL);
	else if (does == AS_DO_ORDER)
		act_order(b);
	else if (does == AS_DO_BY)
		act_by(b);
	else if (does == AS_DO_UNDO || does == AS_DO_BACK)
		as_browse_undo(b);
	else if (does == AS_DO_REDO)
		as_browse_redo(b);
	else if (does == AS_DO_SEARCH)
		as_browse_begin_typing(b, '/');
	else if (does == AS_DO_TYPE_FILTER)
		as_browse_begin_typing(b, 'g');
}

static enum as_browse_wish act_copy(struct as_browse *b, bool name)
{
	struct as_listing_id id;

	if (name && !as_browse_func(b, &id)) {
		as_browse_say(b, "this row is no function");
		return AS_WISH_NOTHING;
	}
	b->copied = name ? id.name : as_browse_command(b);
	as_browse_say(b, "%.*s", AS_SLICE_FMT(b->copied));
	return AS_WISH_COPY;
}

static enum as_browse_wish act_edit(struct as_browse *b)
{
	if (b->st.view != AS_BROWSE_SOURCE && b->st.view != AS_BROWSE_ASM) {
		as_browse_say(b, "of which line? o shows the source");
		return AS_WISH_NOTHING;
	}
	act_enter(b);
	return b->edit[0] ? AS_WISH_EDIT : AS_WISH_NOTHING;
}

static bool act_help(struct as_browse *b, enum as_browse_do does)
{
	if (does == AS_DO_HELP || (b->help && (does == AS_DO_BACK || does == AS_DO_UNDO)))
		b->help = !b->help;
	else if (b->help && does == AS_DO_DOWN)
		b->help_top++;
	else if (b->help && does == AS_DO_UP)
		b->help_top -= b->help_top > 0;
	else if (b->help && (does == AS_DO_PAGE_DOWN || does == AS_DO_FOLD))
		b->help_top += b->rows_shown;
	else if (b->help && does == AS_DO_PAGE_UP)
		b->help_top = b->help_top > b->rows_shown ? b->help_top - b->rows_shown : 0;
	else
		return b->help && does != AS_DO_QUIT && does != AS_DO_REDRAW;
	return true;
}

enum as_browse_wish as_browse_heed(struct as_browse *b, int key)
{
	enum as_browse_do does = as_browse_does(key);

	b->said[0] = '\0';
	b->edit[0] = '\0';
	if (b->typing) {
		as_browse_type(b, key);
		return AS_WISH_NOTHING;
	}
	if (act_help(b, does))
		return AS_WISH_NOTHING;
	if (does == AS_DO_QUIT)
		return AS_WISH_QUIT;
	if (does == AS_DO_REDRAW)
		return AS_WISH_REDRAW;
	if (does == AS_DO_COMMAND || does == AS_DO_NAME)
		return act_copy(b, does == AS_DO_NAME);
	if (does == AS_DO_EDIT)
		return act_edit(b);
	if (does == AS_DO_NOTHING)
		as_browse_say(b, "no key: ? tells them");
	else if (!act_moves(b, does))
		act_changes(b, does);
	return b->edit[0] ? AS_WISH_EDIT : AS_WISH_NOTHING;
}

/* ---- the mouse ---- */

enum as_browse_wish as_browse_click(struct as_browse *b, unsigned x, unsigned y)
{
	size_t row = b->st.top + (y - b->rows_y);

	b->said[0] = '\0';
	b->edit[0] = '\0';
	if (b->typing || b->help)
		return AS_WISH_NOTHING;
	if (y == 1) {
		for (int i = 0; i < AS_BROWSE_VIEWS; i++)
			if (x >= b->tab_x[i] && x < b->tab_x[i + 1])
				act_view(b, (enum as_browse_view)i);
		return AS_WISH_NOTHING;
	}
	if (b->st.view == AS_BROWSE_FLAME) {
		(void)as_browse_flame_click(b, x, y);
		return AS_WISH_NOTHING;
	}
	if (y + 1 == b->rows_y && b->st.view == AS_BROWSE_TABLE)
		act_order(b);
	if (y < b->rows_y || y >= b->rows_y + b->rows_shown || row >= as_browse_rows(b))
		return AS_WISH_NOTHING;
	if (row == b->st.at)
		act_enter(b);
	else
		b->st.at = row;
	return b->edit[0] ? AS_WISH_EDIT : AS_WISH_NOTHING;
}

void as_browse_wheel(struct as_browse *b, int rows)
{
	enum as_browse_do does = rows > 0 ? AS_DO_DOWN : AS_DO_UP;

	as_assert(b->st.view < AS_BROWSE_VIEWS);
	if (b->help)
		(void)act_help(b, does);
	else if (b->st.view != AS_BROWSE_FLAME)
		act_move(b, rows > 0, (size_t)(rows > 0 ? rows : -rows));
	else
		(void)as_browse_flame_key(b, does);
}
