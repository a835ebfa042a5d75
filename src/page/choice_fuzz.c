/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of KEY=VALUE as what a browser asks for: it is refused, or is an input that says the same;
 * and as controls it begins and ends no element.
 */
#include "fleet/fleet_address.h"
#include "lib/fuzz_must.h"
#include "page/choice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count(struct as_slice text, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.p[i] == c;
	return n;
}

static size_t form_marks(const struct as_choice *c, size_t *inputs)
{
	struct as_fleet_lists lists = {0};
	struct as_sink_mem html;
	struct as_slice all;
	struct as_out out;
	struct as_err err;
	size_t n;

	as_err_clear(&err);
	as_sink_mem_init(&html, &as_alloc_libc);
	must(as_out_open(&out, &as_alloc_libc, &html.sink, &err) == AS_OK);
	as_choice_form(c, &lists, (struct as_slice){0}, &out);
	must(as_out_finish(&out) == AS_OK);
	all = (struct as_slice){html.data.p, html.data.n};
	n = count(all, '<');
	for (*inputs = 0; all.len; ++*inputs) {
		size_t at = as_slice_find_text(all, "<input type=\"text\"");

		if (at == all.len)
			break;
		all = as_slice_skip(all, at + 1);
	}
	as_sink_mem_release(&html);
	return n;
}

/* A control is a label and an input: three marks. */
static void shown(const struct as_choice *c, const struct as_choice *first)
{
	size_t inputs, inputs_first, n = form_marks(c, &inputs);
	size_t n_first = form_marks(first, &inputs_first);

	must(inputs >= inputs_first && n - n_first == 3 * (inputs - inputs_first));
}

static void is_input(struct as_choice *c, int side)
{
	const char *path = as_choice_path(c, side), *way;
	struct as_fleet_terms again = {0};
	struct as_fleet_path to;
	struct as_err err;

	must(path && as_fleet_named(path, &to) && as_slice_is(to.name, "x"));
	must(as_fleet_query_terms(to.query, &c->arena, &as_alloc_libc, &again, &way, &err) ==
		AS_OK);
	must(again.term.n == c->side[side].said.term.n);
	for (size_t i = 0; i < again.term.n; i++) {
		must(as_slice_eq(again.term.p[i].key, c->side[side].said.term.p[i].key));
		must(as_slice_eq(again.term.p[i].value, c->side[side].said.term.p[i].value));
		must(!as_slice_is(again.term.p[i].key, "cluster"));
	}
	as_vec_free(&as_alloc_libc, &again.term);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice rest = {(const char *)data, size}, line, key;
	struct as_choice first, c;
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	must(as_choice_of(&first, &as_alloc_libc, "store:x?service=api", NULL, &err) == AS_OK);
	must(as_choice_anew(&c, &first, &err) == AS_OK);
	while (as_slice_cut(&rest, '\n', &line)) {
		(void)as_slice_cut(&line, '=', &key);
		rc = as_choice_add(&c, key, line, &err);
		must(rc == AS_OK || rc == AS_E_ARG);
	}
	is_input(&c, AS_CHOICE_NEW);
	is_input(&c, AS_CHOICE_BASE);
	shown(&c, &first);
	as_choice_release(&c);
	as_choice_release(&first);
	return 0;
}
