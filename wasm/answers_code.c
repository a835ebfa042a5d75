/* SPDX-License-Identifier: Apache-2.0 */
/* list, asm: the lines and the instructions of a function. The page has their text, not we. */
#include "engine.h"
#include "report/listing/list_print.h"

enum { FUNCTIONS_MAX = 10 };

static bool answer_code_has_addresses(const struct as_listing *l)
{
	for (size_t i = 0; i < l->row.n; i++)
		if (l->row.p[i].addr)
			return true;
	return false;
}

static enum as_code make_all(struct as_listings *ls, bool code, struct as_listing *l,
	struct as_list_item *item, size_t n, size_t *made, struct failure *f)
{
	for (*made = 0; *made < n;) {
		size_t i = (*made)++;

		AS_TRY(as_listing_make(ls, i, &l[i], &f->err));
		if (code && !answer_code_has_addresses(&l[i]))
			return as_failure_set(f, AS_E_UNSUPPORTED, NULL,
				"the profile has no addresses of instructions; Callgrind writes "
				"them with --dump-instr=yes");
		item[i] = code ? (struct as_list_item){.insns = &l[i]}
			       : (struct as_list_item){.lines = &l[i]};
	}
	return AS_OK;
}

static enum as_code say_code(struct subject *s, bool code, struct as_out *out, struct failure *f)
{
	struct as_list_opts opts = {.view = s->opts};
	struct as_list_print p = {.prof = s->prof, .opts = &opts, .out = out, .code = code};
	struct as_list_item item[FUNCTIONS_MAX] = {{0}};
	struct as_listing listing[FUNCTIONS_MAX];
	struct as_listings *ls;
	size_t n, made;
	enum as_code rc;

	AS_TRY(as_scene_listings(s, code, &ls, f));
	AS_TRY(as_scene_find(s, ls, f));
	p.listings = ls;
	n = as_listings_n(ls) < FUNCTIONS_MAX ? as_listings_n(ls) : FUNCTIONS_MAX;
	p.n_rest = as_listings_n(ls) - n;
	rc = make_all(ls, code, listing, item, n, &made, f);
	if (rc == AS_OK)
		rc = as_list_data(&p, AS_FORM_JSON, item, n);
	for (size_t i = 0; i < made; i++)
		as_listing_release(&listing[i]);
	return rc;
}

static enum as_code answer_code(struct engine *e, const struct question *q, bool code,
	struct as_out *out, struct failure *f)
{
	struct subject s;
	enum as_code rc = as_subject_make_detail(&s, e, q, AS_DETAIL_FULL, f);

	if (rc == AS_OK)
		rc = say_code(&s, code, out, f);
	as_subject_release(&s);
	return rc;
}

enum as_code as_engine_list(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	return answer_code(e, q, false, out, f);
}

enum as_code as_engine_asm(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	return answer_code(e, q, true, out, f);
}
