/* SPDX-License-Identifier: Apache-2.0 */
/* What keys do. */
#include <stdio.h>

#include "cli/live/live.h"
#include "session/filters.h"

enum { KEY_BACKSPACE = 8, KEY_ENTER = 10, KEY_RETURN = 13, KEY_KILL = 21, KEY_DELETE = 127 };

/* ---- the pattern ---- */

void as_live_filter(struct as_live *lv, const char *pattern)
{
	struct as_filter_word word = {AS_WORD_FOCUS, as_slice_of(pattern)};
	struct as_filters_ask ask = {.word = &word, .n = 1, .regex = as_regexes_re2};
	struct as_filters *made = NULL;
	struct as_filters_wrong wrong;
	struct as_err err = AS_ERR_NONE;

	lv->wrong[0] = '\0';
	if (pattern[0] && as_filters_new(lv->cli->ses.al, &ask, &made, &wrong, &err) != AS_OK) {
		as_filters_free(made);
		snprintf(lv->wrong, sizeof(lv->wrong), "%.100s: %.120s", pattern, err.msg);
		return;
	}
	as_filters_free(lv->filters);
	lv->filters = made;
	snprintf(lv->pattern, sizeof(lv->pattern), "%s", pattern);
}

/* The last character goes, however many bytes it has. */
static void live_keys_erase(struct as_live *lv)
{
	size_t n = strlen(lv->typed);

	while (n > 0 && ((unsigned char)lv->typed[n - 1] & 0xc0) == 0x80)
		n--;
	lv->typed[n > 0 ? n - 1 : 0] = '\0';
}

static void live_keys_type(struct as_live *lv, int key)
{
	size_t n = strlen(lv->typed);

	switch (key) {
	case KEY_ENTER:
	case KEY_RETURN:
		lv->typing = false;
		lv->at = 0;
		as_live_filter(lv, lv->typed);
		break;
	case AS_KEY_ESCAPE:
		lv->typing = false;
		break;
	case KEY_BACKSPACE:
	case KEY_DELETE:
		live_keys_erase(lv);
		break;
	case KEY_KILL:
		lv->typed[0] = '\0';
		break;
	default:
		if (key < ' ' || key > 255 || n + 1 >= sizeof(lv->typed))
			break;
		lv->typed[n] = (char)key;
		lv->typed[n + 1] = '\0';
		break;
	}
}

/* ---- the others ---- */

static void live_keys_move(struct as_live *lv, int step)
{
	if (lv->func[0])
		return;
	if (step > 0 && lv->at + 1 < lv->n_shown)
		lv->at++;
	else if (step < 0 && lv->at > 0)
		lv->at--;
}

/* Out of what was opened last. */
static void live_keys_back(struct as_live *lv)
{
	if (lv->help)
		lv->help = false;
	else
		lv->func[0] = '\0';
}

static void live_keys_begin_typing(struct as_live *lv)
{
	lv->typing = true;
	lv->wrong[0] = '\0';
	snprintf(lv->typed, sizeof(lv->typed), "%s", lv->pattern);
}

static void live_keys_next_by(struct as_live *lv)
{
	lv->by = (lv->by + 1) % AS_LIVE_BYS;
	lv->at = 0;
	lv->func[0] = '\0';
}

static void live_keys_look(struct as_live *lv, int key)
{
	switch (key) {
	case 'q':
		lv->over = true;
		break;
	case 's':
		lv->inclusive = !lv->inclusive;
		break;
	case 'b':
		live_keys_next_by(lv);
		break;
	case '/':
		live_keys_begin_typing(lv);
		break;
	case 'p':
		lv->paused = !lv->paused;
		break;
	case 'h':
	case '?':
		lv->help = !lv->help;
		break;
	case 'j':
	case AS_KEY_DOWN:
		live_keys_move(lv, 1);
		break;
	case 'k':
	case AS_KEY_UP:
		live_keys_move(lv, -1);
		break;
	case KEY_ENTER:
	case KEY_RETURN:
		lv->callers = !lv->func[0] && lv->by == AS_LIVE_FUNCTION;
		lv->func[0] = '\0';
		break;
	case AS_KEY_ESCAPE:
		live_keys_back(lv);
		break;
	default:
		break;
	}
}

bool as_live_key(struct as_live *lv, int key)
{
	if (lv->typing)
		live_keys_type(lv, key);
	else
		live_keys_look(lv, key);
	return key == ' ' && !lv->typing && !lv->paused;
}
