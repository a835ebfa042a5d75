/* SPDX-License-Identifier: Apache-2.0 */
/* A choice as controls. Texts of the store are hostile: they are attributes, escaped. */
#include "base/utf8_len.h"
#include "page/choice.h"
#include "page/choice_assets.h"
#include "report/kit/show.h"

enum { FORM_TEXT = 1000 };

static const struct form_control {
	const char *key, *title, *hint;
	int list; /* AS_FLEET_LISTS: none of the store */
	bool many, both;
} form_control[] = {
	{"service", "Service", "all", AS_FLEET_SERVICES, false, false},
	{"event", "Event", "all", AS_FLEET_EVENTS, false, true},
	{"label", "Label", "KEY=VALUE", AS_FLEET_LABELS, true, false},
	{"host", "Host", "all", AS_FLEET_HOSTS, true, false},
	{"since", "Since", "1h or 10:45", AS_FLEET_LISTS, false, false},
	{"until", "Until", "now", AS_FLEET_LISTS, false, false},
};

const char *as_choice_script_hash(void)
{
	return AS_CHOICE_JS_HASH;
}

const char *as_choice_style_hash(void)
{
	return AS_CHOICE_CSS_HASH;
}

/* A browser sends it back as it is. */
static bool form_can_send(struct as_slice text)
{
	size_t at = 0, n;

	for (; at < text.len && text.len <= FORM_TEXT; at += n) {
		n = as_utf8_len(text.p + at, text.len - at);
		if (!n || !text.p[at] || text.p[at] == '\r' || text.p[at] == '\n')
			return false;
	}
	return text.len && at == text.len;
}

static void form_attribute(struct as_out *out, const char *name, struct as_slice value)
{
	as_out_printf(out, " %s=\"", name);
	as_xml_text(out, value);
	as_out_char(out, '"');
}

static void form_lists(const struct as_fleet_lists *lists, struct as_out *out)
{
	static const char *const ages[] = {"15m", "1h", "6h", "1d", "7d"};
	bool more = false;

	for (size_t k = 0; k < AS_FLEET_LISTS; k++) {
		as_out_printf(out, "<datalist id=\"choice-%zu\">", k);
		for (size_t i = 0; i < lists->list[k].text.n; i++) {
			struct as_slice text = lists->list[k].text.p[i];

			more |= !form_can_send(text);
			if (!form_can_send(text))
				continue;
			as_out_text(out, "<option");
			form_attribute(out, "value", text);
			as_out_char(out, '>');
		}
		as_out_text(out, "</datalist>\n");
		more |= lists->list[k].more;
	}
	as_out_printf(out, "<datalist id=\"choice-%d\">", AS_FLEET_LISTS);
	for (size_t i = 0; i < AS_ARRAY_LEN(ages); i++)
		as_out_printf(out, "<option value=\"%s\">", ages[i]);
	as_out_text(out, "</datalist>\n");
	if (more)
		as_out_text(out, "<small>The lists are not whole; all can be typed.</small>\n");
}

/* ---- one control ---- */

static void form_input(struct as_out *out, const struct form_control *control, int side,
	struct as_slice key, struct as_slice value)
{
	bool label = control->list == AS_FLEET_LABELS;

	as_out_printf(out, "<label>%s <input type=\"text\" name=\"%s%s\" list=\"choice-%d\"",
		control->title, side ? "vs-" : "", control->key, control->list);
	form_attribute(out, "placeholder", as_slice_of(control->hint));
	as_out_text(out, " autocomplete=\"off\" spellcheck=\"false\" value=\"");
	if (label && value.p) {
		as_xml_text(out, key);
		as_out_char(out, '=');
	}
	as_xml_text(out, value);
	as_out_text(out, "\"></label>\n");
}

static bool form_is_of(const struct form_control *control, struct as_slice key)
{
	static const char *const others[] = {
		"service", "event", "host", "since", "until", "partial", "cluster"};

	return control->list == AS_FLEET_LABELS ? !as_slice_is_one_of(key, others)
						: as_slice_is(key, control->key);
}

/* An input for each value, and an empty one where there may be more of them. */
static void form_inputs(
	const struct as_choice *c, const struct form_control *control, int side, struct as_out *out)
{
	const struct as_fleet_terms *said = &c->side[side].said;
	size_t n = 0;

	for (size_t i = 0; i < said->term.n; i++)
		if (form_is_of(control, said->term.p[i].key)) {
			form_input(out, control, side, said->term.p[i].key, said->term.p[i].value);
			n++;
		}
	if (!n || control->many)
		form_input(out, control, side, (struct as_slice){0}, (struct as_slice){0});
}

static void form_side(const struct as_choice *c, int side, struct as_out *out)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(form_control); i++)
		if (!side || !form_control[i].both)
			form_inputs(c, &form_control[i], side, out);
}

/* ---- all of them ---- */

void as_choice_form(const struct as_choice *c, const struct as_fleet_lists *lists,
	struct as_slice wrong, struct as_out *out)
{
	as_out_text(out, "<style>\n");
	as_out_bytes(out, as_choice_css, sizeof(as_choice_css));
	as_out_text(
		out, "</style>\n<form id=\"choice\" aria-label=\"What is shown of the store\">\n");
	as_out_text(out, "<fieldset><legend>");
	as_xml_text(out, c->side[AS_CHOICE_NEW].front);
	as_out_text(out, "</legend>\n");
	form_side(c, AS_CHOICE_NEW, out);
	as_out_printf(out,
		"<label><input type=\"checkbox\" name=\"vs\" value=\"1\"%s> compare with</label>\n",
		c->compares ? " checked" : "");
	as_out_text(out, "</fieldset>\n<fieldset id=\"choice-vs\"><legend>compared with ");
	as_xml_text(out, c->side[AS_CHOICE_BASE].front);
	as_out_text(out, "</legend>\n");
	form_side(c, AS_CHOICE_BASE, out);
	as_out_text(out, "</fieldset>\n<button>Show</button>\n<p role=\"alert\">");
	as_xml_text(out, wrong);
	as_out_text(out, "</p>\n");
	form_lists(lists, out);
	as_out_text(out, "</form>\n<script>//\n");
	as_out_bytes(out, as_choice_js, sizeof(as_choice_js));
	as_out_text(out, "//</script>\n");
}
