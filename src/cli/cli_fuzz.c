/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any command line over any profile: the first line has the words, "in" is the file of the rest,
 * and "old" a profile that stays the same. COLUMNS=N before them is a terminal's width. The
 * program ends with a status that is documented, and prints nothing that moves a cursor; what
 * says that it is JSON is.
 */
#include "lib/fuzz_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

enum { LINE_MAX_BYTES = 512 };

static const char old[] = "main;parse;next 5\nmain;parse 3\nmain;gone 2\nidle 9\n";

struct line {
	char text[LINE_MAX_BYTES];
	char *word[WORDS_MAX + 2];
	int n;
	unsigned width;
};

/* ---- which words may run ---- */

/* They would start programs, listen, or look at this machine. */
static const char *const refused_commands[] = {
	"cache", "daemon", "doctor", "live", "open", "record"};
static const char *const refused[] = {"--debuginfod", "--symbols", "--force", "--binary"};

static bool is_harmless(const char *word)
{
	if (strchr(word, '/') || strstr(word, ".."))
		return false;
	for (size_t i = 0; i < AS_ARRAY_LEN(refused); i++)
		if (strncmp(word, refused[i], strlen(refused[i])) == 0)
			return false;
	for (size_t i = 0; i < AS_ARRAY_LEN(refused_commands); i++)
		if (strcmp(word, refused_commands[i]) == 0)
			return false;
	return true;
}

static bool cut_words(struct line *line, struct as_slice text)
{
	static char name[] = "assay";
	char *save = NULL;

	if (text.len >= sizeof(line->text) || as_slice_find(text, 0) < text.len)
		return false;
	memcpy(line->text, text.p, text.len);
	line->text[text.len] = 0;
	line->word[line->n++] = name;
	for (char *w = strtok_r(line->text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (line->n == 1 && !line->width && strncmp(w, "COLUMNS=", 8) == 0)
			line->width = (unsigned)strtoul(w + 8, NULL, 10) % 1000;
		else if (!is_harmless(w) || line->n > WORDS_MAX)
			return false;
		else
			line->word[line->n++] = w;
	}
	return line->n > 1;
}

static bool has_word(const struct line *line, const char *const *words, size_t n)
{
	for (int i = 1; i < line->n; i++)
		for (size_t k = 0; k < n; k++)
			if (strstr(line->word[i], words[k]))
				return true;
	return false;
}

/* ---- what must hold ---- */

/* These write files, or colours, or for programs. */
static bool is_for_people(const struct line *line)
{
	static const char *const others[] = {"convert", "merge", "filter", "symbolize", "share",
		"flame", "treemap", "graph", "csv", "-o", "always"};

	return !has_word(line, others, AS_ARRAY_LEN(others));
}

static void check(const struct line *line, const struct printed *p)
{
	static const char *const json[] = {"json"}, *const colour[] = {"always"};

	must(p->status >= AS_EXIT_OK && p->status <= AS_EXIT_OUTPUT);
	must(is_plain_text(p->err, p->n_err) || has_word(line, colour, 1));
	if (is_for_people(line))
		must(is_plain_text(p->out, p->n_out));
	if (is_for_people(line) && p->n_out && p->n_out < PRINTED_MAX && p->out[0] == '{' &&
		has_word(line, json, 1))
		must(is_json((struct as_slice){p->out, p->n_out}));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice rest = {(const char *)data, size}, text;
	struct line line = {.n = 0};
	struct printed p;

	if (!as_slice_cut(&rest, '\n', &text) || !cut_words(&line, text))
		return 0;
	jail_make();
	must(!setenv("ASSAY_SYMBOLS", "none", 1));
	jail_put("in", rest);
	jail_put("old", as_slice_of(old));
	p = program(line.n, line.word, line.width);
	jail_empty();
	check(&line, &p);
	free(p.out);
	free(p.err);
	return 0;
}

/* ---- words of the program itself ---- */

static unsigned below(unsigned *seed, size_t n)
{
	*seed = *seed * 1103515245 + 12345;
	return (unsigned)((*seed >> 8) % n);
}

/* One of "a|b|c". */
static struct as_slice choice(const char *list, unsigned *seed)
{
	struct as_slice rest = as_slice_of(list), one = rest;

	for (unsigned n = below(seed, 8); n && as_slice_cut(&rest, '|', &one); n--)
		;
	return one;
}

static size_t put_option(char *buf, size_t size, const struct as_optdef *def, unsigned *seed)
{
	static const char *const values[] = {"main", ".", "f", "0", "1", "3", "10%", "1:2", "a=b",
		"in", "old", "^m", "(a|b)", "out.pb.gz", "out.folded", "-", "Ir", "self",
		"callgrind", "pprof"};
	struct as_slice value = as_slice_of(values[below(seed, AS_ARRAY_LEN(values))]);

	if (def->kind == AS_OPT_FLAG)
		return (size_t)snprintf(buf, size, " --%s", def->name);
	if (def->arg && strchr(def->arg, '|') && below(seed, 8))
		value = choice(def->arg, seed);
	return (size_t)snprintf(buf, size, " --%s=%.*s", def->name, AS_SLICE_FMT(value));
}

static const struct as_optdef *any_option(const struct as_cmd *cmd, unsigned *seed)
{
	const struct as_optdef *found = NULL;
	unsigned n = 0;

	for (const struct as_optdef *d = cmd->opts; d && d->name; d++)
		if (!below(seed, ++n))
			found = d;
	for (const struct as_group *g = as_groups; g->title; g++)
		for (const struct as_optdef *d = g->defs; d->name; d++)
			if ((!g->bit || (cmd->groups & g->bit)) && !below(seed, ++n))
				found = d;
	return found;
}

static size_t make_line(char *buf, size_t size, unsigned *seed)
{
	static const char *const operands[] = {" in", " in", " in", " . in", " main in", " in in",
		" old in", " in old", " in -- old", " in.1:2"};
	size_t n_cmds = 0, n;
	const struct as_cmd *cmd;

	while (as_cmds[n_cmds])
		n_cmds++;
	cmd = as_cmds[below(seed, n_cmds)];
	n = below(seed, 3) ? 0 : (size_t)snprintf(buf, size, "COLUMNS=%u ", below(seed, 200));
	n += (size_t)snprintf(buf + n, size - n, "%s%s", cmd->name,
		operands[below(seed, AS_ARRAY_LEN(operands))]);
	for (unsigned k = below(seed, 4); k && n < size - 128; k--) {
		const struct as_optdef *def = any_option(cmd, seed);

		n += def ? put_option(buf + n, size - n, def, seed) : 0;
	}
	return n;
}

/* Another command line, or another profile. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct as_slice all = {(const char *)data, size};
	size_t head = as_slice_find(all, '\n'), n;
	char buf[LINE_MAX_BYTES];

	if (head >= size || below(&seed, 8) == 0)
		return LLVMFuzzerMutate(data, size, max);
	if (below(&seed, 3))
		return head + 1 +
		       LLVMFuzzerMutate(data + head + 1, size - head - 1, max - head - 1);
	n = make_line(buf, sizeof(buf), &seed);
	if (n >= sizeof(buf) || n + size - head > max)
		return size;
	memmove(data + n, data + head, size - head);
	memcpy(data, buf, n);
	return n + size - head;
}
