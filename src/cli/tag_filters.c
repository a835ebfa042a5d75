/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tag_filters.h"

#include <stdio.h>

#include "change/filter/pattern.h"
#include "cli/filters.h"
#include "regex/regex.h"
#include "report/tag_filter.h"

struct filter {
	const char *text; /* as it was given */
	AS_VEC(struct as_tag_pattern) pattern;
};

struct as_tag_filters {
	struct filter *filter;
	struct as_tag_filter *tag; /* of each */
	size_t n, size;            /* of the two, one block */
};

/* ---- the command line ---- */

static bool match(const void *ctx, struct as_slice text)
{
	return as_regex_match(ctx, text);
}

static enum as_exit compile(
	struct as_cli *cli, struct filter *f, enum as_tag_kind kind, struct as_slice text)
{
	size_t place = 0;
	struct as_regex_opts opts = {
		.ignore_case = !cli->opt.compat && as_pattern_is_lower(text), .place = &place};
	struct as_regex *re;
	struct as_err err;

	as_err_clear(&err);
	if (as_regex_new(text, &opts, &re, &err) != AS_OK)
		return as_filters_wrong_pattern(cli, as_tag_kind_text(kind), f->text, &err,
			place + (size_t)(text.p - f->text));
	if (as_vec_push(cli->al, &f->pattern, ((struct as_tag_pattern){match, re})))
		return AS_EXIT_OK;
	as_regex_free(re);
	return as_cli_no_memory(cli);
}

static enum as_exit open_one(
	struct as_cli *cli, struct filter *f, struct as_tag_filter *tag, enum as_tag_kind kind)
{
	enum as_exit rc = AS_EXIT_OK;
	struct as_slice rest, one;

	as_tag_filter_read(tag, kind, as_slice_of(f->text), &rest);
	while (rc == AS_EXIT_OK && as_tag_filter_next(tag, &rest, &one))
		rc = compile(cli, f, kind, one);
	tag->pattern = f->pattern.p;
	tag->n = f->pattern.n;
	return rc;
}

enum as_exit as_tag_filters_open(struct as_cli *cli)
{
	const struct as_list *const list[AS_TAG_KINDS] = {[AS_TAG_FOCUS] = &cli->opt.tagfocus,
		[AS_TAG_IGNORE] = &cli->opt.tagignore,
		[AS_TAG_SHOW] = &cli->opt.tagshow,
		[AS_TAG_HIDE] = &cli->opt.taghide};
	struct as_tag_filters *fs;
	enum as_exit rc = AS_EXIT_OK;
	size_t n = 0;

	for (int k = 0; k < AS_TAG_KINDS; k++)
		n += list[k]->n;
	if (!n)
		return AS_EXIT_OK;
	fs = as_alloc_new(cli->al, sizeof(*fs));
	if (!fs)
		return as_cli_no_memory(cli);
	cli->tags = fs;
	fs->size = n * (sizeof(*fs->filter) + sizeof(*fs->tag));
	fs->tag = as_alloc_new(cli->al, fs->size);
	if (!fs->tag)
		return as_cli_no_memory(cli);
	fs->filter = (struct filter *)(fs->tag + n);
	for (int k = 0; k < AS_TAG_KINDS; k++)
		for (size_t i = 0; i < list[k]->n && rc == AS_EXIT_OK; i++, fs->n++) {
			fs->filter[fs->n].text = list[k]->p[i];
			rc = open_one(
				cli, &fs->filter[fs->n], &fs->tag[fs->n], (enum as_tag_kind)k);
		}
	return rc;
}

void as_tag_filters_close(struct as_cli *cli)
{
	struct as_tag_filters *fs = cli->tags;

	if (!fs)
		return;
	for (size_t i = 0; i < fs->n; i++) {
		for (size_t k = 0; k < fs->filter[i].pattern.n; k++)
			as_regex_free((struct as_regex *)(uintptr_t)fs->filter[i].pattern.p[k].ctx);
		as_vec_free(cli->al, &fs->filter[i].pattern);
	}
	as_alloc_free(cli->al, fs->tag, fs->size);
	as_alloc_free(cli->al, fs, sizeof(*fs));
	cli->tags = NULL;
}

/* ---- choosing ---- */

/* What matched nothing; LEFT: there is something left nevertheless. */
static enum as_exit tell(struct as_cli *cli, bool left)
{
	const struct as_tag_filters *fs = cli->tags;
	char what[512];

	for (size_t i = 0; i < fs->n; i++) {
		const struct as_tag_filter *f = &fs->tag[i];

		if (f->matched || (!left && f->kind != AS_TAG_FOCUS))
			continue;
		snprintf(what, sizeof(what), "%s--%s '%.200s' matches no label",
			left ? "" : "nothing is left: ", as_tag_kind_text(f->kind),
			fs->filter[i].text);
		if (!left) {
			as_cli_error(cli, what, "see what there is: assay tags FILE");
			return AS_EXIT_NO;
		}
		as_cli_note(cli, "%s", what);
	}
	if (left)
		return AS_EXIT_OK;
	as_cli_error(cli,
		"nothing is left: no sample is one that --tagfocus and --tagignore choose",
		"see what there is: assay tags FILE");
	return AS_EXIT_NO;
}

enum as_exit as_tag_filters_choose(
	struct as_cli *cli, const struct as_profile *prof, uint8_t *keep, uint8_t *label)
{
	bool left;

	if (!as_tag_filters_keep(cli->tags->tag, cli->tags->n, prof, keep, label, &left))
		return as_cli_no_memory(cli);
	return tell(cli, left);
}
