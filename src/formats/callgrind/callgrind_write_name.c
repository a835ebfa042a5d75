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

/* The format has no quoting: bytes that would end a line become '?', blanks at the ends go. */
static void put_text(struct cgw *w, struct as_slice s)
{
	struct as_slice t = as_slice_trim(s);
	bool odd = t.len != s.len;

	for (size_t i = 0; i < t.len; i++) {
		char c = t.p[i];

		if (c == '\n' || c == '\r' || c == 0) {
			c = '?';
			odd = true;
		}
		as_out_char(w->out, c);
	}
	if (odd)
		as_losses_add(w->wr->losses, "name-bytes", 1,
			"bytes of names that the format cannot hold, which were replaced");
}

static void put_name(
	struct cgw *w, const char *key, uint32_t number, bool define, struct as_slice text)
{
	bool id = w->ids || looks_like_id(text);

	as_out_text(w->out, key);
	if (id) {
		as_out_char(w->out, '(');
		as_out_u64(w->out, number);
		as_out_char(w->out, ')');
		if (!w->ids)
			define = true;
		if (define)
			as_out_char(w->out, ' ');
	}
	if (!id || define)
		put_text(w, text);
	as_out_char(w->out, '\n');
}

static struct as_slice or_unknown(struct as_slice s)
{
	return s.len ? s : as_slice_of("???");
}

void as_cgw_object(struct cgw *w, const char *key, as_object o)
{
	bool define = w->object_part[o.i] != w->part + 1;

	w->object_part[o.i] = w->part + 1;
	if (!w->object_id[o.i])
		w->object_id[o.i] = ++w->n_objects;
	put_name(w, key, w->object_id[o.i], define, or_unknown(as_object_path(w->prof, o)));
}

void as_cgw_file(struct cgw *w, const char *key, as_file f)
{
	bool define = w->file_part[f.i] != w->part + 1;

	w->file_part[f.i] = w->part + 1;
	if (!w->file_id[f.i])
		w->file_id[f.i] = ++w->n_files;
	put_name(w, key, w->file_id[f.i], define, or_unknown(as_file_path(w->prof, f)));
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
	bool define = w->func_part[f.i] != w->part + 1;
	struct as_slice name = as_func_name(w->prof, f);
	char buf[512];

	w->func_part[f.i] = w->part + 1;
	if (!w->func_id[f.i])
		w->func_id[f.i] = ++w->n_funcs;
	if (!name.len)
		name = stand_in(w, f, buf, sizeof(buf));
	put_name(w, key, w->func_id[f.i], define, name);
}
