/* SPDX-License-Identifier: Apache-2.0 */
#include "browse/keys.h"

/* Letters that the page has, too, mean the same there. */
const struct as_browse_key as_browse_keys[] = {
	{AS_DO_UP, {AS_KEY_GO_UP, 'k'}, "Up k", "the row above; of a flame graph the caller",
		{"Up", "", "Up M-k", "Up k"}},
	{AS_DO_DOWN, {AS_KEY_GO_DOWN, 'j'}, "Down j", "the row below; the largest callee",
		{"Down", "", "Down M-j", "Down j"}},
	{AS_DO_LEFT, {AS_KEY_GO_LEFT, 0}, "Left", "fold; the box beside; text to the left",
		{"Left", "", "Left M-h", "Left"}},
	{AS_DO_RIGHT, {AS_KEY_GO_RIGHT, 0}, "Right", "unfold; the box beside; text to the right",
		{"Right", "", "Right M-l", "Right"}},
	{AS_DO_PAGE_UP, {AS_KEY_PAGE_UP, 0}, "PgUp", "a screen up", {"PgUp", "", "PgUp", ","}},
	{AS_DO_PAGE_DOWN, {AS_KEY_PAGE_DOWN, 0}, "PgDn", "a screen down",
		{"PgDn Space", "", "PgDn", "."}},
	{AS_DO_HOME, {AS_KEY_HOME, '<'}, "Home <", "the first row", {"Home", "", "Home", "<"}},
	{AS_DO_END, {AS_KEY_END, '>'}, "End >", "the last row", {"End", "", "End", ">"}},
	{AS_DO_ENTER, {AS_KEY_RETURN, '\n'}, "Enter",
		"look closer: callers and callees; fold; zoom; choose; edit the line",
		{"Enter", "peek FUNC", "", "Enter"}},
	{AS_DO_BACK, {AS_KEY_ESC, 0}, "Esc", "back, one step", {"Esc", "", "", "Esc"}},
	{AS_DO_UNDO, {'z', AS_KEY_ERASE}, "z", "undo the last step, whatever it was",
		{"", "", "", "z"}},
	{AS_DO_REDO, {'Z', AS_KEY_CTRL_R}, "Z", "do it again", {"", "", "", "Z"}},
	{AS_DO_TABLE, {'1', 'T'}, "1 T", "functions, or what else b chooses", {"", "top", "", "1"}},
	{AS_DO_PEEK, {'2', 's'}, "2 s", "callers and callees of the function",
		{"", "peek FUNC", "", "2"}},
	{AS_DO_TREE, {'3', 't'}, "3 t", "the tree of calls", {"+", "tree", "t F5", "3"}},
	{AS_DO_FLAME, {'4', 'F'}, "4 F", "the flame graph", {"", "web", "", "4"}},
	{AS_DO_SOURCE, {'5', 'o'}, "5 o", "source of the function, with heat",
		{"a", "list FUNC", "", "5"}},
	{AS_DO_ASM, {'6', 'a'}, "6 a", "its instructions, with arrows for jumps",
		{"a", "disasm FUNC", "", ""}},
	{AS_DO_THREADS, {'7', 'H'}, "7 H", "threads; Enter chooses one",
		{"t", "tagfocus=", "", ""}},
	{AS_DO_EVENTS, {'8', 'e'}, "8 e", "events; Enter chooses one",
		{"Tab", "sample_index=", "", ""}},
	{AS_DO_NEXT_VIEW, {AS_KEY_TAB, 0}, "Tab", "the next view", {"Tab", "", "Tab", "Tab"}},
	{AS_DO_ORDER, {'c', 0}, "c", "order by own or by cumulative cost",
		{"", "top -cum", "F6 < >", ""}},
	{AS_DO_BY, {'b', 0}, "b",
		"rows by function, file, object, line; a tree or flame graph bottom up",
		{"", "granularity=", "", ""}},
	{AS_DO_FOLD, {' ', 0}, "Space", "fold or unfold the row", {"e +", "", "+ -", "Enter"}},
	{AS_DO_FOLD_ALL, {'*', 0}, "*", "unfold all, or fold all", {"E C", "", "*", "-"}},
	{AS_DO_SEARCH, {'/', 0}, "/", "search as you type: a regular expression",
		{"/", "", "F3 /", "/"}},
	{AS_DO_NEXT, {'n', 0}, "n", "the next that is found", {"", "", "F3", "n"}},
	{AS_DO_PREVIOUS, {'N', 0}, "N", "the one before", {"", "", "S-F3", "N"}},
	{AS_DO_FOCUS, {'f', 0}, "f", "focus on the function: samples that have it",
		{"", "focus=", "", ""}},
	{AS_DO_IGNORE, {'d', 0}, "d", "ignore it: samples that do not have it",
		{"", "ignore=", "", ""}},
	{AS_DO_HIDE, {'h', 0}, "h", "hide it: its cost is its callers'", {"", "hide=", "", ""}},
	{AS_DO_SHOW, {'w', 0}, "w", "show it alone", {"", "show=", "", ""}},
	{AS_DO_SHOW_FROM, {'x', 0}, "x", "show from it on", {"", "show_from=", "", ""}},
	{AS_DO_PRUNE_FROM, {'p', 0}, "p", "prune below it", {"", "prune_from=", "", ""}},
	{AS_DO_TYPE_FILTER, {'g', 0}, "g", "type a filter: focus RE, thread=T, object RE ...",
		{"d t k", "focus=RE", "F4 \\", ""}},
	{AS_DO_EDIT, {'E', 0}, "E", "the line in $EDITOR", {"", "", "", "e"}},
	{AS_DO_COMMAND, {'y', 0}, "y", "show and copy the command that gives this answer",
		{"", "", "", "y"}},
	{AS_DO_NAME, {'Y', 0}, "Y", "copy the function's name", {"", "", "", "C-o"}},
	{AS_DO_REDRAW, {AS_KEY_CTRL_L, 0}, "Ctrl-L", "draw the screen anew", {"", "", "C-l", ""}},
	{AS_DO_HELP, {'?', 0}, "?", "these keys", {"? h F1", "help", "? h F1", "?"}},
	{AS_DO_QUIT, {'q', 0}, "q Ctrl-C", "quit", {"q C-c", "quit", "q F10", "q C-c"}},
	{.name = NULL},
};

enum as_browse_do as_browse_does(int key)
{
	for (const struct as_browse_key *k = as_browse_keys; k->name; k++)
		if (key && (k->key[0] == key || k->key[1] == key))
			return k->does;
	return AS_DO_NOTHING;
}

/* In a cell "|" ends it, and words of a peer are code. */
static void keys_cell(struct as_out *out, const char *text)
{
	as_out_text(out, " ");
	if (text[0])
		as_out_printf(out, "`%s` ", text);
	as_out_char(out, '|');
}

void as_browse_keys_markdown(struct as_out *out)
{
	as_out_text(out, "| key | what it does | perf report | pprof | htop | lazygit |\n"
			 "| --- | --- | --- | --- | --- | --- |\n");
	for (const struct as_browse_key *k = as_browse_keys; k->name; k++) {
		as_out_char(out, '|');
		keys_cell(out, k->name);
		as_out_printf(out, " %s |", k->what);
		for (int i = 0; i < AS_BROWSE_PEERS; i++)
			keys_cell(out, k->peer[i]);
		as_out_char(out, '\n');
	}
}
