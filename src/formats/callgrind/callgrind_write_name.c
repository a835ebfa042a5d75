/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names, compressed or not. Ids count up in the order of first use and are
 * defined again in every part, always with the same name: KCachegrind forgets
 * ids at each part, other readers do not.
 */
#include <stdio.h>

#include "formats/callgrind/callgrind_write.h"

static bool looks_like_id(struct as_slice s)
{
	return s.len > 1 && s.p[0] == '(' && s.p[1] >= '0' && s.p[1] <= '9';
}

static bool has_byte(struct as_slice s, int c)
{
	return s.len && memchr(s.p, c, s.len);
}

/* The format has no quoting: bytes that would end a line become '?', blanks at the ends go. */
static void put_text(struct cgw *w, struct as_slice s)
{
	struct as_slice t = as_slice_trim(s);
	bool odd = has_byte(t, '\n') || has_byte(t, '\r') || has_byte(t, 0);

	if (!odd)
		as_out_slice(w->out, t);
	for (size_t i = 0; odd && i < t.len; i++)
		as_out_char(w->out, t.p[i] && t.p[i] != '\n' && t.p[i] != '\r' ? t.p[i] : '?');
	if (odd || t.len != s.len)
		as_losses_add(w->wr->losses, "name-bytes", 1,
			"bytes of names that the format cannot hold, which were replaced");
}

/* Whether NAME must be defined, being used in this part for the first time. Gives it its number. */
static bool use(const struct cgw *w, struct cgw_name *name, uint32_t *given)
{
	bool define = name->part != w->part + 1;

	name->part = w->part + 1;
	if (!name->id)
		name->id = ++*given;
	return define;
}

/* A name that has been defined. */
static void put_id(struct cgw *w, const char *key, uint32_t id)
{
	size_t n = strlen(key);
	char *p = as_out_room(w->out, n + AS_OUT_NUM + 3);

	memcpy(p, key, n);
	p[n] = '(';
	p = as_put_u64(p + n + 1, id);
	*p++ = ')';
	*p++ = '\n';
	w->out->n = (size_t)(p - w->out->buf);
}

static void put_name(struct cgw *w, const char *key, uint32_t number, struct as_slice text)
{
	as_out_text(w->out, key);
	if (w->ids || looks_like_id(text)) {
		as_out_char(w->out, '(');
		as_out_u64(w->out, number);
		as_out_text(w->out, ") ");
	}
	put_text(w, text);
	as_out_char(w->out, '\n');
}

static struct as_slice or_unknown(struct as_slice s)
{
	return s.len ? s : as_slice_of("???");
}

void as_cgw_object(struct cgw *w, const char *key, as_object o)
{
	struct cgw_name *name = &w->object_name[o.i];

	if (!use(w, name, &w->n_objects) && w->ids)
		put_id(w, key, name->id);
	else
		put_name(w, key, name->id, or_unknown(as_object_path(w->prof, o)));
}

void as_cgw_file(struct cgw *w, const char *key, as_file f)
{
	struct cgw_name *name = &w->file_name[f.i];

	if (!use(w, name, &w->n_files) && w->ids)
		put_id(w, key, name->id);
	else
		put_name(w, key, name->id, or_unknown(as_file_path(w->prof, f)));
}

/* Code without a name: its address, or the object's name in brackets. */
static struct as_slice stand_in(const struct cgw *w, as_func f, char *buf, size_t size)
{
	struct as_slice path = as_object_path(w->prof, w->prof->func.object.p[f.i]);
	int n;

	path = as_base_name(path);
	if (w->prof->func.addr.p[f.i])
		n = snprintf(buf, size, "0x%016" PRIx64, w->prof->func.addr.p[f.i]);
	else if (path.len && w->prof->format.i &&
		 !as_slice_is(as_str_get(w->prof, w->prof->format), "callgrind"))
		n = snprintf(buf, size, "[%.*s]", AS_SLICE_FMT(path));
	else
		n = snprintf(buf, size, "???");
	if (n < 0 || (size_t)n >= size)
		n = (int)strlen(buf);
	return (struct as_slice){buf, (size_t)n};
}

void as_cgw_func_name(struct cgw *w, const char *key, as_func f)
{
	struct cgw_name *name = &w->func_row[f.i].name;
	struct as_slice text;
	char buf[512];

	if (!use(w, name, &w->n_funcs) && w->ids) {
		put_id(w, key, name->id);
		return;
	}
	text = as_func_name(w->prof, f);
	put_name(w, key, name->id, text.len ? text : stand_in(w, f, buf, sizeof(buf)));
}
