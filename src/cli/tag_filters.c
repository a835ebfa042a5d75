/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tag_filters.h"

#include <stdio.h>

#include "cli/filters.h"
#include "ops/pattern.h"
#include "regex/regex.h"
#include "report/pprof_labels.h"
#include "report/pprof_value.h"

/* "1mb:2gb": a bound that is not there is not looked at. */
struct range {
	bool has_low, has_high;
	double low, high;
	struct as_slice unit;
};

struct pattern {
	struct as_regex *re;
};

enum kind { FOCUS, IGNORE, SHOW, HIDE, KINDS };
static const char *const option[KINDS] = {"tagfocus", "tagignore", "tagshow", "taghide"};

struct filter {
	enum kind kind;
	const char *text;    /* as it was given */
	struct as_slice key; /* p == NULL: any */
	bool is_range;
	struct range range;
	AS_VEC(struct pattern) re;
	bool matched;
};

struct as_tag_filters {
	struct filter *filter;
	size_t n, size; /* bytes */
};

/* ---- ranges ---- */

/* A number and the letters behind it, cut off REST. */
static bool cut_number(struct as_slice *rest, int64_t *value, struct as_slice *unit)
{
	bool minus = as_slice_starts(*rest, "-");
	size_t n = minus || as_slice_starts(*rest, "+"), first = n, end;
	uint64_t v;

	while (n < rest->len && rest->p[n] >= '0' && rest->p[n] <= '9')
		n++;
	for (end = n; end < rest->len && (rest->p[end] | 32) >= 'a' && (rest->p[end] | 32) <= 'z';)
		end++;
	if (!as_slice_dec((struct as_slice){rest->p + first, n - first}, &v) || v > INT64_MAX)
		return false;
	*value = minus ? -(int64_t)v : (int64_t)v;
	*unit = (struct as_slice){rest->p + n, end - n};
	*rest = as_slice_skip(*rest, end);
	return true;
}

/* TEXT is "1mb", "1mb:", ":2gb" or "1mb:2gb"; the second in the unit of the first. Else false. */
static bool parse_range(struct as_slice text, struct range *r)
{
	struct as_slice unit, other;
	int64_t v;

	*r = (struct range){.has_low = true};
	if (as_slice_starts(text, ":")) {
		r->has_low = false;
		text = as_slice_skip(text, 1);
	}
	if (!cut_number(&text, &v, &unit))
		return false;
	r->low = r->high = as_pprof_scale(v, unit, unit, &r->unit);
	r->has_high = !text.len;
	if (!r->has_low || !text.len)
		return !text.len;
	if (!as_slice_starts(text, ":"))
		return false;
	text = as_slice_skip(text, 1);
	if (!text.len)
		return true;
	if (!cut_number(&text, &v, &unit))
		return false;
	r->high = as_pprof_scale(v, unit, r->unit, &other);
	r->has_high = true;
	return !text.len && as_slice_eq(other, r->unit);
}

static bool in_range(const struct range *r, int64_t v, struct as_slice unit)
{
	struct as_slice scaled_unit;
	double scaled = as_pprof_scale(v, unit, r->unit, &scaled_unit);

	return as_slice_eq(scaled_unit, r->unit) && (!r->has_low || scaled >= r->low) &&
	       (!r->has_high || scaled <= r->high);
}

/* ---- the command line ---- */

static enum as_exit compile(struct as_cli *cli, struct filter *f, struct as_slice text)
{
	size_t place = 0;
	struct as_regex_opts opts = {
		.ignore_case = !cli->opt.compat && as_pattern_is_lower(text), .place = &place};
	struct pattern p = {NULL};
	struct as_err err;

	as_err_clear(&err);
	if (as_regex_new(text, &opts, &p.re, &err) != AS_OK)
		return as_filters_wrong_pattern(
			cli, option[f->kind], f->text, &err, place + (size_t)(text.p - f->text));
	if (as_vec_push(cli->al, &f->re, p))
		return AS_EXIT_OK;
	as_regex_free(p.re);
	return as_cli_no_memory(cli);
}

static enum as_exit open_one(struct as_cli *cli, struct filter *f)
{
	struct as_slice text = as_slice_of(f->text), one;
	size_t equals = as_slice_find(text, '=');
	enum as_exit rc = AS_EXIT_OK;

	if (f->kind == SHOW || f->kind == HIDE)
		return compile(cli, f, text);
	if (equals < text.len) {
		f->key = (struct as_slice){text.p, equals};
		text = as_slice_skip(text, equals + 1);
	}
	f->is_range = parse_range(text, &f->range);
	while (!f->is_range && rc == AS_EXIT_OK && as_slice_cut(&text, ',', &one))
		rc = compile(cli, f, one);
	return rc;
}

enum as_exit as_tag_filters_open(struct as_cli *cli)
{
	const struct as_list *const list[KINDS] = {[FOCUS] = &cli->opt.tagfocus,
		[IGNORE] = &cli->opt.tagignore,
		[SHOW] = &cli->opt.tagshow,
		[HIDE] = &cli->opt.taghide};
	struct as_tag_filters *fs;
	enum as_exit rc = AS_EXIT_OK;
	size_t n = 0;

	for (int k = 0; k < KINDS; k++)
		n += list[k]->n;
	if (!n)
		return AS_EXIT_OK;
	fs = as_alloc_new(cli->al, sizeof(*fs));
	if (!fs)
		return as_cli_no_memory(cli);
	cli->tags = fs;
	fs->size = n * sizeof(*fs->filter);
	fs->filter = as_alloc_new(cli->al, fs->size);
	if (!fs->filter)
		return as_cli_no_memory(cli);
	for (int k = 0; k < KINDS; k++)
		for (size_t i = 0; i < list[k]->n && rc == AS_EXIT_OK; i++) {
			struct filter *f = &fs->filter[fs->n++];

			*f = (struct filter){.kind = (enum kind)k, .text = list[k]->p[i]};
			rc = open_one(cli, f);
		}
	return rc;
}

void as_tag_filters_close(struct as_cli *cli)
{
	struct as_tag_filters *fs = cli->tags;

	if (!fs)
		return;
	for (size_t i = 0; i < fs->n; i++) {
		for (size_t k = 0; k < fs->filter[i].re.n; k++)
			as_regex_free(fs->filter[i].re.p[k].re);
		as_vec_free(cli->al, &fs->filter[i].re);
	}
	as_alloc_free(cli->al, fs->filter, fs->size);
	as_alloc_free(cli->al, fs, sizeof(*fs));
	cli->tags = NULL;
}

/* ---- choosing ---- */

struct choosing {
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_pprof_units units;
	AS_VEC(char) text; /* scratch */
	bool no_memory;
};

/* "key:value" */
static struct as_slice pair_of(struct choosing *c, const struct as_label *l)
{
	struct as_slice key = as_str_get(c->prof, l->key), value = as_str_get(c->prof, l->text);

	c->text.n = 0;
	if (!as_vec_reserve(c->al, &c->text, key.len + 1 + value.len)) {
		c->no_memory = true;
		return as_slice_of("");
	}
	if (key.len)
		memcpy(c->text.p, key.p, key.len);
	c->text.p[key.len] = ':';
	memcpy(c->text.p + key.len + 1, value.p, value.len);
	return (struct as_slice){c->text.p, key.len + 1 + value.len};
}

static bool is_of(const struct choosing *c, const struct filter *f, const struct as_label *l)
{
	return !f->key.p || as_slice_eq(as_str_get(c->prof, l->key), f->key);
}

static bool matches_one(struct choosing *c, const struct filter *f, const struct as_regex *re,
	const struct as_label *label, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct as_label *l = &label[i];

		if (as_pprof_is_text(l) && is_of(c, f, l) &&
			as_regex_match(re, f->key.p ? as_str_get(c->prof, l->text) : pair_of(c, l)))
			return true;
	}
	return false;
}

/* Of one key, one pattern is enough; of any, each must match some label. */
static bool matches(
	struct choosing *c, const struct filter *f, const struct as_label *label, uint32_t n)
{
	for (uint32_t i = 0; f->is_range && i < n; i++)
		if (as_pprof_is_number(&label[i]) && is_of(c, f, &label[i]) &&
			in_range(&f->range, label[i].number,
				as_pprof_unit_of(&c->units, label[i].key)))
			return true;
	for (size_t k = 0; k < f->re.n; k++)
		if (matches_one(c, f, f->re.p[k].re, label, n) == (f->key.p != NULL))
			return f->key.p != NULL;
	return !f->is_range && !f->key.p;
}

static bool keeps(struct choosing *c, struct as_tag_filters *fs, size_t part)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(c->prof, part, &n);
	bool focused = false, ignored = false, asks = false;

	for (size_t i = 0; i < fs->n; i++) {
		struct filter *f = &fs->filter[i];
		bool match;

		if (f->kind > IGNORE)
			continue;
		match = matches(c, f, label, n);
		f->matched |= match;
		asks |= f->kind == FOCUS;
		focused |= f->kind == FOCUS && match;
		ignored |= f->kind == IGNORE && match;
	}
	return (focused || !asks) && !ignored;
}

/* Bytes that are no label's have no key. */
static bool keeps_label(const struct choosing *c, struct as_tag_filters *fs, size_t i)
{
	const struct as_label *l = &c->prof->label.p[i];
	bool shown = false, hidden = false, asks = false;

	for (size_t k = 0; k < fs->n; k++) {
		struct filter *f = &fs->filter[k];
		bool match;

		if (f->kind < SHOW || l->opaque)
			continue;
		match = as_regex_match(f->re.p[0].re, as_str_get(c->prof, l->key));
		f->matched |= match;
		asks |= f->kind == SHOW;
		shown |= f->kind == SHOW && match;
		hidden |= f->kind == HIDE && match;
	}
	return (shown || !asks) && !hidden;
}

/* What matched nothing; LEFT: there is something left nevertheless. */
static enum as_exit tell(struct as_cli *cli, bool left)
{
	const struct as_tag_filters *fs = cli->tags;
	char what[512];

	for (size_t i = 0; i < fs->n; i++) {
		const struct filter *f = &fs->filter[i];

		if (f->matched || (!left && f->kind != FOCUS))
			continue;
		snprintf(what, sizeof(what), "%s--%s '%.200s' matches no label",
			left ? "" : "nothing is left: ", option[f->kind], f->text);
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
	struct choosing c = {.al = cli->al, .prof = prof};
	bool fine, left = false;

	fine = as_pprof_units_make(&c.units, prof);
	for (size_t i = 0; fine && i < prof->part.n; i++) {
		keep[i] = keep[i] && keeps(&c, cli->tags, i);
		left |= keep[i] != 0;
	}
	for (size_t i = 0; fine && i < prof->label.n; i++)
		label[i] = keeps_label(&c, cli->tags, i);
	fine = fine && !c.no_memory;
	as_pprof_units_release(&c.units);
	as_vec_free(c.al, &c.text);
	return fine ? tell(cli, left) : as_cli_no_memory(cli);
}
