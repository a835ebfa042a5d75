/* SPDX-License-Identifier: Apache-2.0 */
/* --tagroot, --tagleaf: what labels of samples say, as frames of their stacks. */
#include <stdio.h>

#include "change/filter/tag_frames.h"
#include "cli/filters.h"
#include "report/pprof_labels.h"
#include "report/pprof_value.h"
#include "table/tag_table.h"

struct keys {
	AS_VEC(struct as_slice) key;
};

/* "(no KEY)" where there is none: that may be much, and should not be taken for unknown code. */
static struct as_slice own_name(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice key, const struct as_label *label, uint32_t n, const void *ctx)
{
	(void)ctx;
	if (!n)
		return as_arena_printf(ar, "(no %.*s)", AS_SLICE_FMT(key));
	return as_label_text(ar, prof, label, n);
}

/* ---- as pprof has them ---- */

struct text {
	const struct as_alloc *al;
	AS_VEC(char) byte;
	size_t n; /* values */
};

static bool add(struct text *t, struct as_slice s)
{
	if (!as_vec_reserve(t->al, &t->byte, t->byte.n + s.len + 1))
		return false;
	if (s.len)
		memcpy(t->byte.p + t->byte.n, s.p, s.len);
	t->byte.n += s.len;
	return true;
}

static bool add_value(struct text *t, struct as_slice value, struct as_slice unit)
{
	return add(t, as_slice_of(t->n++ ? "," : "")) && add(t, value) && add(t, unit);
}

static bool add_numbers(struct text *t, const struct as_profile *prof, const struct as_label *label,
	uint32_t n, const char *unit)
{
	struct as_pprof_value value;
	bool fine = true, any = false;

	for (uint32_t i = 0; i < n; i++)
		any |= as_pprof_is_number(&label[i]) && label[i].unit.i;
	for (uint32_t i = 0; fine && i < n; i++) {
		if (!as_pprof_is_number(&label[i]))
			continue;
		as_pprof_format(&value, label[i].number, as_str_get(prof, label[i].unit),
			as_slice_of(any ? unit : ""));
		fine = add_value(t, as_slice_of(value.number), value.unit);
	}
	return fine;
}

/* Texts, then numbers in UNIT; nothing where there is none, which is unknown code. */
static struct as_slice pprof_name(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice key, const struct as_label *label, uint32_t n, const void *unit)
{
	struct text t = {.al = ar->al};
	struct as_slice name = {NULL, 0};
	bool fine = true;

	(void)key;
	for (uint32_t i = 0; fine && i < n; i++)
		if (as_pprof_is_text(&label[i]))
			fine = add_value(&t, as_str_get(prof, label[i].text), as_slice_of(""));
	fine = fine && add_numbers(&t, prof, label, n, unit) && add(&t, as_slice_of(""));
	if (fine)
		name = as_arena_dup(ar, (struct as_slice){t.byte.p, t.byte.n});
	as_vec_free(t.al, &t.byte);
	return name;
}

/* ---- keys ---- */

static bool has_key(const struct as_profile *prof, struct as_slice key)
{
	for (size_t i = 0; i < prof->label.n; i++)
		if (!prof->label.p[i].opaque &&
			as_slice_eq(as_str_get(prof, prof->label.p[i].key), key))
			return true;
	return false;
}

static enum as_exit check_keys(struct as_cli *cli, const char *option, const struct as_list *list)
{
	char what[256];

	for (size_t i = 0; i < list->n; i++) {
		if (list->p[i][strspn(list->p[i], ",")])
			continue;
		snprintf(what, sizeof(what), "--%s '%.200s': there is no key", option, list->p[i]);
		as_cli_error(cli, what, "see which there are: assay tags FILE");
		return AS_EXIT_USAGE;
	}
	return AS_EXIT_OK;
}

enum as_exit as_cli_check_tag_frames(struct as_cli *cli)
{
	enum as_exit rc = check_keys(cli, "tagroot", &cli->opt.tagroot);

	return rc == AS_EXIT_OK ? check_keys(cli, "tagleaf", &cli->opt.tagleaf) : rc;
}

/* "KEY,KEY"; those that no sample has are left out, but pprof has frames of them as well. */
static enum as_exit take_keys(struct as_cli *cli, const struct as_profile *prof, const char *option,
	const struct as_list *list, struct keys *out)
{
	struct as_slice rest, key;

	for (size_t i = 0; i < list->n; i++)
		for (rest = as_slice_of(list->p[i]); as_slice_cut(&rest, ',', &key);) {
			bool known = has_key(prof, key);

			if (!key.len)
				continue;
			if (!known)
				as_cli_note(cli, "--%s: no sample has a label '%.*s'", option,
					AS_SLICE_FMT(key));
			if ((known || cli->opt.compat) && !as_vec_push(cli->al, &out->key, key))
				return as_cli_no_memory(cli);
		}
	return AS_EXIT_OK;
}

static enum as_exit add_frames(struct as_cli *cli, const struct keys *root, const struct keys *leaf,
	struct as_profile **prof)
{
	struct as_tag_frames how = {.root = root->key.p,
		.leaf = leaf->key.p,
		.n_root = root->key.n,
		.n_leaf = leaf->key.n,
		.name = cli->opt.compat ? pprof_name : own_name,
		.ctx = cli->tag_unit ? cli->tag_unit : "minimum"};
	struct as_profile *out;
	struct as_err err;

	if (!root->key.n && !leaf->key.n)
		return AS_EXIT_OK;
	as_err_clear(&err);
	if (as_tag_frames(*prof, &how, &out, &err) != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	as_profile_free(*prof);
	*prof = out;
	return AS_EXIT_OK;
}

enum as_exit as_cli_tag_frames(struct as_cli *cli, struct as_profile **prof)
{
	struct keys root = {{NULL, 0, 0}}, leaf = {{NULL, 0, 0}};
	enum as_exit rc = take_keys(cli, *prof, "tagroot", &cli->opt.tagroot, &root);

	if (rc == AS_EXIT_OK)
		rc = take_keys(cli, *prof, "tagleaf", &cli->opt.tagleaf, &leaf);
	if (rc == AS_EXIT_OK)
		rc = add_frames(cli, &root, &leaf, prof);
	as_vec_free(cli->al, &root.key);
	as_vec_free(cli->al, &leaf.key);
	return rc;
}
