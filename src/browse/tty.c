/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE
#include "browse/tty.h"

#include <langinfo.h>
#include <locale.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "browse/palette.h"

#include "browse/ncurses_lib.h"

enum { ESCAPE_MS = 25, WHEEL_ROWS = 3 };

/* ---- the screen ---- */

static void tty_begin(struct as_tty *c)
{
	c->nc->cbreak();
	c->nc->noecho();
	c->nc->keypad(*c->nc->screen, TRUE);
	c->nc->nodelay(*c->nc->screen, TRUE);
	c->nc->curs_set(0);
	c->nc->leaveok(*c->nc->screen, TRUE);
	c->nc->mouseinterval(0);
	c->nc->mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	c->colours = AS_COLOURS_NONE;
	if (c->ask->colours == AS_COLOURS_NONE || !c->nc->has_colors() ||
		c->nc->start_color() == ERR)
		return;
	c->nc->use_default_colors();
	c->colours = *c->nc->colours > 256    ? AS_COLOURS_TRUE
		     : *c->nc->colours >= 256 ? AS_COLOURS_256
					      : AS_COLOURS_16;
	if (c->colours > c->ask->colours)
		c->colours = c->ask->colours;
}

/* Terminals of whose true colours curses knows have a name of their own. */
static SCREEN *tty_new(const struct as_tty *c)
{
	SCREEN *screen = NULL;

	if (c->ask->colours == AS_COLOURS_TRUE && c->ask->term_direct)
		screen = c->nc->newterm(c->ask->term_direct, c->ask->out, c->ask->in);
	return screen ? screen : c->nc->newterm(c->ask->term, c->ask->out, c->ask->in);
}

bool as_tty_enter(void *ctx)
{
	struct as_tty *c = ctx;

	if (c->screen)
		return c->nc->clearok(*c->nc->shown, TRUE) == OK &&
		       c->nc->wrefresh(*c->nc->shown) == OK;
	if (c->ask->utf8 &&
		(!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0))
		setlocale(LC_CTYPE, "C.UTF-8"); /* the environment names one that is not there */
	c->no_library = !as_ncurses_load(c->nc);
	if (c->no_library)
		return false;
	c->nc->set_escdelay(ESCAPE_MS);
	c->screen = tty_new(c);
	if (c->screen)
		tty_begin(c);
	return c->screen != NULL;
}

void as_tty_leave(void *ctx)
{
	struct as_tty *c = ctx;

	if (c->screen)
		c->nc->endwin();
}

void as_tty_end(struct as_tty *c)
{
	if (c->screen)
		c->nc->delscreen(c->screen);
	c->screen = NULL;
}

void as_tty_resize(struct as_tty *c, unsigned columns, unsigned lines)
{
	c->nc->resizeterm((int)lines, (int)columns);
}

/* ---- drawing ---- */

static attr_t tty_attributes(const struct as_tty *c, const struct as_cell *cell, int *pair)
{
	struct as_look look = as_palette_look((enum as_tint)cell->tint, c->colours, c->ask->light);
	attr_t a = A_NORMAL;

	*pair = 0;
	if (c->colours && (look.fg >= 0 || look.bg >= 0))
		*pair = c->nc->alloc_pair(look.fg, look.bg);
	if (*pair < 0)
		*pair = 0;
	a |= look.bold ? A_BOLD : 0;
	a |= look.dim ? A_DIM : 0;
	a |= look.underline ? A_UNDERLINE : 0;
	a |= look.reverse != cell->marked ? A_REVERSE : 0;
	a |= cell->marked && look.reverse ? A_BOLD | A_UNDERLINE : 0;
	return a;
}

static void tty_put(
	const struct as_tty *c, unsigned x, unsigned y, const struct as_cell *cell, bool utf8)
{
	wchar_t text[2] = {(wchar_t)cell->c, 0};
	cchar_t cc;
	int pair;
	attr_t a = tty_attributes(c, cell, &pair);

	if (!cell->c)
		return;
	if (!utf8 && cell->c > '~')
		text[0] = '?';
	if (c->nc->wmove(*c->nc->screen, (int)y, (int)x) == OK &&
		c->nc->setcchar(&cc, text, a, 0, &pair) == OK)
		c->nc->wadd_wch(*c->nc->screen, &cc); /* an error in the last corner: it is there */
}

void as_tty_draw(struct as_tty *c, const struct as_canvas *f, bool anew)
{
	if (anew)
		c->nc->clearok(*c->nc->shown, TRUE);
	for (unsigned y = 0; y < f->lines; y++)
		for (unsigned x = 0; x < f->columns; x++)
			tty_put(c, x, y, &f->cell[(size_t)y * f->columns + x], f->utf8);
	c->nc->wrefresh(*c->nc->screen);
}

void as_tty_wait(struct as_tty *c, const char *text)
{
	c->nc->wmove(*c->nc->screen, *c->nc->lines - 1, 0);
	c->nc->waddnstr(*c->nc->screen, text, -1);
	c->nc->wclrtoeol(*c->nc->screen);
	c->nc->wrefresh(*c->nc->screen);
}

/* ---- keys ---- */

static int tty_key(wint_t key)
{
	switch (key) {
	case KEY_UP:
		return AS_KEY_GO_UP;
	case KEY_DOWN:
		return AS_KEY_GO_DOWN;
	case KEY_LEFT:
		return AS_KEY_GO_LEFT;
	case KEY_RIGHT:
		return AS_KEY_GO_RIGHT;
	case KEY_PPAGE:
		return AS_KEY_PAGE_UP;
	case KEY_NPAGE:
		return AS_KEY_PAGE_DOWN;
	case KEY_HOME:
		return AS_KEY_HOME;
	case KEY_END:
		return AS_KEY_END;
	case KEY_ENTER:
		return AS_KEY_RETURN;
	case KEY_BACKSPACE:
	case KEY_DC:
		return AS_KEY_ERASE;
	default:
		return 0;
	}
}

static void tty_mouse(struct as_tty *c, struct as_tty_input *in)
{
	MEVENT ev;

	if (c->nc->getmouse(&ev) != OK || ev.x < 0 || ev.y < 0)
		return;
	in->x = (unsigned)ev.x;
	in->y = (unsigned)ev.y;
	if (ev.bstate & BUTTON4_PRESSED)
		in->wheel = -WHEEL_ROWS;
	else if (ev.bstate & BUTTON5_PRESSED)
		in->wheel = WHEEL_ROWS;
	else
		in->click = (ev.bstate & BUTTON1_PRESSED) != 0;
}

bool as_tty_read(struct as_tty *c, struct as_tty_input *in)
{
	wint_t key = 0;
	int rc = c->nc->wget_wch(*c->nc->screen, &key);

	*in = (struct as_tty_input){.key = 0};
	if (rc == ERR)
		return false;
	if (rc == KEY_CODE_YES && key == KEY_MOUSE)
		tty_mouse(c, in);
	else if (rc == KEY_CODE_YES)
		in->key = tty_key(key);
	else
		in->key = (int)key;
	return true;
}
