/* SPDX-License-Identifier: Apache-2.0 */
/* Gates as JUnit's XML and as GitHub's annotations. */
#include "base/utf8_len.h"
#include "report/diff/diff_report.h"
#include "report/kit/show.h"

/* ---- XML ---- */

/* XML 1.0 has no control characters, not even escaped; bytes that are no UTF-8 become \xNN. */
static void files_xml(struct as_out *out, struct as_arena *ar, struct as_slice s)
{
	as_xml_escape(out, as_show_clean(ar, s), "&<>\"");
}

/* Why a gate says what it says: its conditions, one after the other. */
static struct as_slice files_reasons(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_result *r)
{
	struct as_slice text = as_slice_of("");

	for (size_t k = 0; k < r->n; k++) {
		const struct as_gate_check *c = &r->check[k];

		text = as_arena_printf(ar, "%.*s%s%.*s: %s: %.*s", AS_SLICE_FMT(text),
			k ? "; " : "", AS_SLICE_FMT(c->node->text), as_gate_word(c->verdict),
			AS_SLICE_FMT(as_gate_why(ar, d, c)));
	}
	return text;
}

static void files_test_case(const struct as_diff_view *v, const struct as_gate_result *r,
	struct as_out *out, struct as_arena *ar)
{
	struct as_slice why = files_reasons(ar, v->d, r);
	const char *tag = r->verdict == AS_GATE_TRIP           ? "failure"
			  : r->verdict == AS_GATE_INCOMPARABLE ? "error"
							       : NULL;

	as_out_text(out, "    <testcase classname=\"assay.diff\" name=\"");
	files_xml(out, ar, r->gate->text);
	as_out_text(out, "\">\n");
	if (tag) {
		as_out_printf(
			out, "      <%s type=\"%s\" message=\"", tag, as_gate_word(r->verdict));
		files_xml(out, ar, why);
		as_out_printf(out, "\"/>\n");
	} else {
		as_out_text(out, "      <system-out>");
		files_xml(out, ar, why);
		as_out_text(out, "</system-out>\n");
	}
	as_out_text(out, "    </testcase>\n");
}

enum as_code as_gate_junit(const struct as_diff_view *v, struct as_out *out)
{
	struct as_arena ar;
	size_t n[AS_GATE_INCOMPARABLE + 1] = {0};

	for (size_t i = 0; i < v->n_gates; i++)
		n[v->gate[i].verdict]++;
	as_arena_init(&ar, v->d->al);
	as_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	as_out_printf(out,
		"  <testsuite name=\"assay diff\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
		v->n_gates, n[AS_GATE_TRIP], n[AS_GATE_INCOMPARABLE]);
	for (size_t i = 0; i < v->n_gates; i++)
		files_test_case(v, &v->gate[i], out, &ar);
	as_out_text(out, "  </testsuite>\n</testsuites>\n");
	return as_arena_end(&ar);
}

/* ---- annotations ---- */

/* A workflow command ends with its line; in a property ':' and ',' end a value, too. */
static void files_escaped(
	struct as_out *out, struct as_arena *ar, struct as_slice s, const char *more)
{
	struct as_slice clean = as_show_clean(ar, s);

	for (size_t i = 0; clean.p && i < clean.len; i++) {
		char c = clean.p[i];

		if (c == '%' || strchr(more, c))
			as_out_printf(out, "%%%02X", (unsigned)(unsigned char)c);
		else
			as_out_char(out, c);
	}
}

/* The source file of the function, if the profile knows it. */
static struct as_slice files_file_of(const struct as_diff *d, const struct as_gate_check *c)
{
	const struct as_diff_key *k;

	if (c->row == UINT32_MAX)
		return as_slice_of("");
	k = &d->key.p[c->row];
	return k->path_is_object ? as_slice_of("") : as_diff_str(d, k->path);
}

static void files_begin_annotation(struct as_out *out, struct as_arena *ar,
	enum as_gate_verdict level, enum as_gate_verdict verdict, struct as_slice file)
{
	static const char *const word[] = {"notice", "warning", "error", "error"};

	as_out_printf(out, "::%s ", word[level]);
	if (file.len) {
		as_out_text(out, "file=");
		files_escaped(out, ar, file, ":,");
		as_out_char(out, ',');
	}
	as_out_printf(out, "title=assay diff%%3A %s::", as_gate_word(verdict));
}

static void files_annotate(const struct as_diff_view *v, const struct as_gate_result *r,
	const struct as_gate_check *c, struct as_out *out, struct as_arena *ar)
{
	enum as_gate_verdict level = c->verdict < r->verdict ? c->verdict : r->verdict;

	files_begin_annotation(out, ar, level, r->verdict, files_file_of(v->d, c));
	files_escaped(out, ar, c->node->text, "");
	as_out_text(out, ": ");
	files_escaped(out, ar, as_gate_why(ar, v->d, c), "");
	as_out_char(out, '\n');
}

/* A line for each condition that did not simply pass; one notice for a gate that did. */
enum as_code as_gate_annotations(const struct as_diff_view *v, struct as_out *out)
{
	struct as_arena ar;

	as_arena_init(&ar, v->d->al);
	for (size_t i = 0; i < v->n_gates; i++) {
		const struct as_gate_result *r = &v->gate[i];

		if (r->verdict == AS_GATE_PASS) {
			files_begin_annotation(out, &ar, r->verdict, r->verdict,
				files_file_of(v->d, &r->check[0]));
			files_escaped(out, &ar, files_reasons(&ar, v->d, r), "");
			as_out_char(out, '\n');
		}
		for (size_t k = 0; r->verdict != AS_GATE_PASS && k < r->n; k++)
			if (r->check[k].verdict != AS_GATE_PASS)
				files_annotate(v, r, &r->check[k], out, &ar);
	}
	return as_arena_end(&ar);
}
