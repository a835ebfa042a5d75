/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of options and commands say that a word can be. */
#define _POSIX_C_SOURCE 200809L
#include "cli/complete/complete.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>

#include "record/events/perf_kinds.h"
#include "report/kit/unit.h"

static const struct as_slice none = {"", 0};

/* ---- formats, and their own options ---- */

static void offer_formats(struct as_complete *c, bool write)
{
	for (size_t i = 0; as_formats[i]; i++)
		if (write ? as_formats[i]->write != NULL : as_formats[i]->read != NULL)
			as_complete_offer(c, as_slice_of(as_formats[i]->name),
				as_slice_of(as_formats[i]->title));
}

static void offer_readers(struct as_complete *c)
{
	offer_formats(c, false);
}

static void offer_writers(struct as_complete *c)
{
	offer_formats(c, true);
}

/* "frames=", and where that is typed "frames=py", as "py|austin|plain" says. */
static void offer_key(struct as_complete *c, const struct as_opt *opt)
{
	struct as_slice rest = as_slice_of(opt->value), word;

	if (!strchr(c->value, '=')) {
		as_complete_offer(
			c, as_arena_printf(&c->arena, "%s=", opt->key), as_slice_of(opt->help));
		return;
	}
	while (as_slice_cut(&rest, '|', &word))
		if (word.len &&
			(islower((unsigned char)word.p[0]) || isdigit((unsigned char)word.p[0])))
			as_complete_offer(c,
				as_arena_printf(&c->arena, "%s=%.*s", opt->key, AS_SLICE_FMT(word)),
				none);
}

static void offer_keys(struct as_complete *c, bool write)
{
	for (size_t i = 0; as_formats[i]; i++) {
		const struct as_opt *o =
			write ? as_formats[i]->write_opts : as_formats[i]->read_opts;

		for (; o && o->key; o++)
			offer_key(c, o);
	}
}

static void offer_read_keys(struct as_complete *c)
{
	offer_keys(c, false);
}

static void offer_write_keys(struct as_complete *c)
{
	offer_keys(c, true);
}

/* ---- of the machine ---- */

static void offer_counted(struct as_complete *c)
{
	char text[1024];
	struct as_slice rest, name;

	as_perf_kinds_here(text, sizeof(text));
	as_complete_behind(c, ',');
	rest = as_slice_of(text);
	while (as_slice_cut(&rest, ',', &name))
		as_complete_offer(c, as_slice_trim(name), none);
}

/* The first bytes of a file of PROCESS's, up to a control character. */
static struct as_slice process_text(struct as_complete *c, const char *process, const char *name)
{
	struct as_slice path = as_arena_printf(&c->arena, "/proc/%s/%s", process, name);
	char text[64] = "";
	FILE *file = path.p ? fopen(path.p, "re") : NULL;
	size_t n = 0;

	if (file) {
		n = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ')
			n = i;
	return as_arena_dup(&c->arena, (struct as_slice){text, n});
}

/* Those of the kernel itself have no command line, and nothing to record. */
static void offer_pids(struct as_complete *c)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) &&
			process_text(c, entry->d_name, "cmdline").len)
			as_complete_offer(c, as_slice_of(entry->d_name),
				process_text(c, entry->d_name, "comm"));
	closedir(dir);
}

static void offer_units(struct as_complete *c)
{
	for (size_t i = 0; as_unit_word(i); i++)
		as_complete_offer(c, as_slice_of(as_unit_word(i)), none);
}

static void offer_folders(struct as_complete *c)
{
	as_complete_paths(c, AS_COMPLETE_FOLDERS);
}

static void offer_files(struct as_complete *c)
{
	as_complete_paths(c, AS_COMPLETE_FILES);
}

static void offer_profiles(struct as_complete *c)
{
	as_complete_paths(c, AS_COMPLETE_PROFILES);
}

void as_complete_commands(struct as_complete *c)
{
	for (size_t i = 0; as_cmds[i]; i++)
		as_complete_offer(c, as_slice_of(as_cmds[i]->name), as_slice_of(as_cmds[i]->brief));
}

/* ---- by the words of the tables ---- */

/* What stands for what: for what OFFER does, or for OF the profile. OPTION: of that one alone.
 * LIST: several, with commas between them. The first that fits holds. */
static const struct {
	const char *arg, *option;
	void (*offer)(struct as_complete *c);
	enum as_complete_of of;
	bool list;
} kinds[] = {
	{.arg = "EVENT[:PERIOD],...", .offer = offer_counted},
	{.arg = "EVENT", .option = "event", .offer = offer_counted},
	{.arg = "EVENT", .of = AS_COMPLETE_EVENTS},
	{.arg = "LIST", .option = "event", .of = AS_COMPLETE_EVENTS, .list = true},
	{.arg = "FORMAT", .option = "from", .offer = offer_readers},
	{.arg = "FORMAT", .option = "to", .offer = offer_writers},
	{.arg = "KEY=VALUE", .option = "read-option", .offer = offer_read_keys},
	{.arg = "KEY=VALUE", .option = "write-option", .offer = offer_write_keys},
	{.arg = "KEY=VALUE", .of = AS_COMPLETE_LABELS},
	{.arg = "KEY=VALUE[,...]", .of = AS_COMPLETE_LABELS},
	{.arg = "KEY,...", .of = AS_COMPLETE_KEYS, .list = true},
	{.arg = "[KEY=]RE", .of = AS_COMPLETE_KEYS},
	{.arg = "RE", .option = "object", .of = AS_COMPLETE_OBJECTS},
	{.arg = "RE", .option = "image", .of = AS_COMPLETE_OBJECTS},
	{.arg = "RE", .option = "tagshow", .of = AS_COMPLETE_KEYS},
	{.arg = "RE", .option = "taghide", .of = AS_COMPLETE_KEYS},
	{.arg = "RE", .of = AS_COMPLETE_WORDS},
	{.arg = "FUNC", .of = AS_COMPLETE_FUNCTIONS},
	{.arg = "THREAD", .of = AS_COMPLETE_THREADS},
	{.arg = "PROCESS", .of = AS_COMPLETE_PROCESSES},
	{.arg = "PART", .of = AS_COMPLETE_PARTS},
	{.arg = "PID", .offer = offer_pids},
	{.arg = "UNIT", .offer = offer_units},
	{.arg = "DIR", .offer = offer_folders},
	{.arg = "OLD=NEW", .offer = offer_folders},
	{.arg = "PATH", .offer = offer_files},
	{.arg = "COMMAND", .offer = as_complete_commands},
	{.arg = "FILE", .option = "output", .offer = offer_files},
	{.arg = "FILE", .offer = offer_profiles},
	{.arg = "BASE", .offer = offer_profiles},
	{.arg = "NEW", .offer = offer_profiles},
	{.arg = "SET", .offer = offer_profiles},
};

static void offer_kind(struct as_complete *c, struct as_slice arg, const char *option)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(kinds); i++)
		if (as_slice_is(arg, kinds[i].arg) &&
			(!kinds[i].option || (option && strcmp(option, kinds[i].option) == 0))) {
			if (kinds[i].list)
				as_complete_behind(c, ',');
			if (kinds[i].offer)
				kinds[i].offer(c);
			else
				as_complete_of_profile(c, kinds[i].of);
			return;
		}
}

/* "label:KEY": the word up to the colon, and behind that the keys there are. */
static void offer_keyword(struct as_complete *c, struct as_slice word, size_t colon)
{
	struct as_slice begin = {word.p, colon + 1};

	if (strncmp(c->value, word.p, colon + 1) != 0) {
		as_complete_offer(c, begin, none);
		return;
	}
	as_complete_behind(c, ':');
	as_complete_of_profile(c, AS_COMPLETE_KEYS);
}

void as_complete_value(struct as_complete *c, const struct as_optdef *def)
{
	struct as_slice rest, word;

	if (def->kind == AS_OPT_FLAG)
		return;
	if (def->kind == AS_OPT_FILES) {
		offer_profiles(c);
		return;
	}
	rest = as_slice_of(def->arg);
	while (as_slice_cut(&rest, '|', &word)) {
		size_t colon = as_slice_find(word, ':');

		if (!word.len || !islower((unsigned char)word.p[0]))
			offer_kind(c, word, def->name);
		else if (def->kind == AS_OPT_KEYWORD && colon < word.len)
			offer_keyword(c, word, colon);
		else
			as_complete_offer(c, word, none);
	}
}

/* Words of the synopsis, without what says that they may lack or be repeated. */
static bool args_word(struct as_slice *rest, struct as_slice *word, bool *many)
{
	if (!as_slice_word(rest, word))
		return false;
	while (word->len && (word->p[0] == '[' || word->p[0] == '('))
		*word = as_slice_skip(*word, 1);
	while (word->len && (word->p[word->len - 1] == ']' || word->p[word->len - 1] == ')'))
		word->len--;
	*many = as_slice_ends(*word, "...");
	word->len -= *many ? 3 : 0;
	return true;
}

/* Of "FUNC FILE..." operand 1, and all behind, are FILE; options end it. */
static void operand_of(struct as_complete *c, struct as_slice args, size_t n)
{
	struct as_slice word;
	bool many;

	for (size_t i = 0; args_word(&args, &word, &many) && word.len && word.p[0] != '-'; i++) {
		if (i != n && !(i < n && many))
			continue;
		if (islower((unsigned char)word.p[0]))
			as_complete_offer(c, word, none);
		else
			offer_kind(c, word, NULL);
		return;
	}
}

void as_complete_operand(struct as_complete *c, size_t n)
{
	struct as_slice rest = as_slice_of(c->cmd->args), one;

	if (c->cmd->max != 0 && n >= c->cmd->max && c->cmd->max != AS_OPERANDS_ANY)
		return;
	while (as_slice_cut(&rest, '|', &one))
		operand_of(c, one, n);
}
