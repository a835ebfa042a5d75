/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the object and rows of the profile, side by side. */
#include "report/listing/list_print_impl.h"

#include "base/sort.h"
#include "report/kit/show.h"

bool as_asm_view_init(struct as_asm_view *v, const struct as_list_item *item, struct as_arena *ar)
{
	const struct as_listing *l = item->insns;
	size_t n_insns = item->code ? item->code->insn.n : 0, i = 0, r = 0;

	*v = (struct as_asm_view){.prof = l->prof, .l = l, .ar = ar};
	v->entry = as_arena_get(ar, (n_insns + l->row.n) * sizeof(*v->entry) + 1);
	if (!v->entry)
		return false;
	while (i < n_insns || r < l->row.n) {
		struct as_asm_entry *e = &v->entry[v->n++];
		const struct as_code_insn *insn = i < n_insns ? &item->code->insn.p[i] : NULL;
		uint64_t addr = r < l->row.n ? l->row.p[r].addr : 0;

		*e = (struct as_asm_entry){0};
		if (insn && (!addr || insn->addr <= addr)) {
			e->addr = insn->addr;
			e->insn = insn;
			i++;
		}
		if (r < l->row.n && (!insn || (addr && addr <= insn->addr))) {
			e->addr = addr;
			e->row = (uint32_t)++r;
		}
	}
	return true;
}

bool as_asm_view_find(const struct as_asm_view *v, uint64_t addr, size_t *at)
{
	size_t n = v->n;

	while (n && !v->entry[n - 1].addr) /* rows without address come last */
		n--;
	*at = as_rows_below(v->entry, n, addr, addr);
	return *at < v->n && v->entry[*at].addr == addr;
}

struct as_slice as_asm_insn_text(
	const struct as_asm_view *v, const struct as_code_insn *insn, const struct as_list_print *p)
{
	struct as_slice name, text = as_show_clean(v->ar, insn->text);
	size_t at;

	if (!insn->has_target || !insn->target_name.len ||
		(insn->is_jump && as_asm_view_find(v, insn->target, &at)))
		return text;
	name = as_show_beside(v->ar, v->prof, insn->target_name);
	name = as_list_name(p, v->ar, name, p->style->width / 2);
	if (!insn->target_off)
		return as_arena_printf(
			v->ar, "%.*s <%.*s>", AS_SLICE_FMT(text), AS_SLICE_FMT(name));
	return as_arena_printf(v->ar, "%.*s <%.*s+0x%" PRIx64 ">", AS_SLICE_FMT(text),
		AS_SLICE_FMT(name), insn->target_off);
}

struct as_asm_place as_asm_place_of(const struct as_asm_view *v, size_t at)
{
	const struct as_asm_entry *e = &v->entry[at];
	const struct as_list_row *row = e->row ? &v->l->row.p[e->row - 1] : NULL;
	as_file own = v->prof->func.file.p[v->l->func.i];

	if (row && (row->line || !e->insn || !e->insn->line))
		return (struct as_asm_place){.func = as_func_name(v->prof, row->func),
			.path = as_file_path(v->prof, row->file),
			.file = row->file,
			.has_file = true,
			.line = row->line};
	return (struct as_asm_place){.func = e->insn->func.len ? e->insn->func : v->l->name,
		.path = e->insn->file,
		.file = own,
		.has_file = as_slice_eq(e->insn->file, as_file_path(v->prof, own)),
		.line = e->insn->line};
}
