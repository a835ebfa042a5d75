/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names, compressed or not. Ids count up in the order of first use and are
 * defined again in every part, always with the same name: KCachegrind forgets
 * ids at each part, other readers do not.
 */
#include <errno.h>
#include <stdio.h>

#include "formats/callgrind/callgrind_write.h"

static bool looks_like_id(struct as_slice s)
{
	return s.len > 1 && s.p[0] == '(' && s.p[1] >= '0' && s.p[1] <= '9';
}

/* The format has no quoting: bytes that would end a line become '?', blanks at the ends go. */
static void put_bytes(struct cgw *w, struct as_slice s)
{
	struct as_slice t = as_slice_trim(s);
	bool odd = as_slice_has(t, '\n') || as_slice_has(t, '\r') || as_slice_has(t, 0);

	if (!odd)
		as_out_slice(w->out, t);
	for (size_t i = 0; odd && i < t.len; i++) {
		bool ends = !t.p[i] || t.p[i] == '\n' || t.p[i] == '\r';

		as_out_char(w->out, (char)(ends ? '?' : t.p[i]));
	}
	if (odd || t.len != s.len)
		as_losses_add(w->wr->losses, "name-bytes", 1,
			"byte{|s} of names that the format cannot hold, which {was|were} replaced");
}

/* Whether the name must be defined, being used in this part for the first time. Gives it its
 * number. */
static bool cg_name_use(struct cgw *w, unsigned group, uint32_t handle)
{
	uint32_t *number = &w->number[group][handle], *part = w->part_of[group];
	bool define = !*number;

	if (part) {
		define = part[handle] != w->part + 1;
		part[handle] = w->part + 1;
	}
	if (!*number)
		*number = ++w->n_numbers[group];
	return define;
}

/* What stands before a name, up to its number; that of names in full without the bracket. */
static const struct key {
	char text[6 + 1];
	uint8_t len;
	uint8_t group; /* enum cgw_group */
} keys[] = {
	[CGW_OB] = {"ob=(", 4, CGW_OBJECTS},
	[CGW_COB] = {"cob=(", 5, CGW_OBJECTS},
	[CGW_FL] = {"fl=(", 4, CGW_FILES},
	[CGW_FI] = {"fi=(", 4, CGW_FILES},
	[CGW_FE] = {"fe=(", 4, CGW_FILES},
	[CGW_CFI] = {"cfi=(", 5, CGW_FILES},
	[CGW_JFI] = {"jfi=(", 5, CGW_FILES},
	[CGW_FN] = {"fn=(", 4, CGW_FUNCS},
	[CGW_CFN] = {"cfn=(", 5, CGW_FUNCS},
	[CGW_JFN] = {"jfn=(", 5, CGW_FUNCS},
	[CGW_CFNI] = {"cfni=", 5, CGW_FUNCS},
	[CGW_JOB] = {"# job=", 6, CGW_OBJECTS},
	[CGW_JFL] = {"# jfl=", 6, CGW_FILES},
};

/* A name that has been defined. */
static void cg_name_put_id(struct cgw *w, const struct key *key, uint32_t id)
{
	char *p = as_out_room(w->out, sizeof(key->text) + AS_OUT_NUM + 2);

	memcpy(p, key->text, sizeof(key->text));
	p = as_put_u64(p + key->len, id);
	*p++ = ')';
	*p++ = '\n';
	w->out->n = (size_t)(p - w->out->buf);
}

/* Code without a name: its address, or the object's name in brackets. */
static struct as_slice stand_in(const struct cgw *w, as_func f, char *buf, size_t size)
{
	struct as_slice path = as_object_path(w->prof, w->prof->func.object.p[f.i]);
	int n;

	path = as_base_name(path);
	if (as_path_is_gap(path))
		return path;
	if (w->prof->func.addr.p[f.i])
		n = snprintf(buf, size, "0x%016" PRIx64, w->prof->func.addr.p[f.i]);
	else if (path.len && w->prof->format.i && !as_profile_is_from(w->prof, "callgrind"))
		n = snprintf(buf, size, "[%.*s]", AS_SLICE_FMT(path));
	else
		n = snprintf(buf, size, "???");
	if (n < 0 || (size_t)n >= size)
		n = (int)strlen(buf);
	return (struct as_slice){buf, (size_t)n};
}

static struct as_slice cg_name_text_of(
	const struct cgw *w, enum cgw_group group, uint32_t handle, char *buf, size_t size)
{
	struct as_slice text;

	if (group == CGW_OBJECTS)
		text = as_object_path(w->prof, (as_object){handle});
	else if (group == CGW_FILES)
		text = as_file_path(w->prof, (as_file){handle});
	else
		text = as_func_name(w->prof, (as_func){handle});
	if (text.len)
		return text;
	return group == CGW_FUNCS ? stand_in(w, (as_func){handle}, buf, size) : as_slice_of("???");
}

static void put_name(struct cgw *w, const struct cgw_ref *ref)
{
	const struct key *k = &keys[ref->key];
	char buf[512];
	struct as_slice text = cg_name_text_of(w, k->group, ref->handle, buf, sizeof(buf));
	bool in_full = ref->key >= CGW_IN_FULL;
	bool with_id = !in_full && (w->ids || looks_like_id(text));

	as_out_bytes(w->out, k->text, (size_t)k->len - !(with_id || in_full));
	if (with_id) {
		as_out_u64(w->out, w->number[k->group][ref->handle]);
		as_out_text(w->out, ") ");
	}
	put_bytes(w, text);
	as_out_char(w->out, '\n');
}

static inline void put_ref(struct cgw *w, const struct cgw_ref *ref)
{
	const struct key *k = &keys[ref->key];

	if (ref->key < CGW_IN_FULL && !cg_name_use(w, k->group, ref->handle) && w->ids)
		cg_name_put_id(w, k, w->number[k->group][ref->handle]);
	else
		put_name(w, ref);
}

/* ---- text that names are put into ---- */

enum {
	TEXT = 62 * 1024, /* bytes of a buffer */
	PIECE = 64,       /* bytes that are copied without looking at how many they are */
	STEPS = 4,        /* from a name to its text, through what has to be in the cache */
	STEP = 8,         /* names that are put while one makes a step */
};

static bool is_new_func(const struct cgw *w, const struct cgw_ref *ref)
{
	return ref->key >= CGW_FN && ref->key < CGW_IN_FULL && !w->number[CGW_FUNCS][ref->handle];
}

/* Names come in no order, and so they are all over the memory. There are STEPS * STEP more of them
 * behind REF. */
static inline __attribute__((always_inline)) void cg_name_prefetch(
	const struct cgw *w, const struct cgw_ref *ref)
{
	const struct as_profile *prof = w->prof;
	const struct cgw_ref *far = ref + STEPS * STEP;

	AS_PREFETCH(&w->number[keys[far->key].group][far->handle]);
	if (is_new_func(w, far -= STEP))
		AS_PREFETCH(&prof->func.name.p[far->handle]);
	if (is_new_func(w, far -= STEP))
		AS_PREFETCH(&prof->strings.row.p[prof->func.name.p[far->handle].i]);
	if (is_new_func(w, far -= STEP))
		AS_PREFETCH(as_func_name(prof, (as_func){far->handle}).p);
}

/* The N bytes at P, of which most are few. END is that of all that can be read there. */
static inline void cg_name_copy(struct as_out *out, const char *p, size_t n, const char *end)
{
	if (n > PIECE || (size_t)(end - p) < PIECE) {
		as_out_bytes(out, p, n);
		return;
	}
	memcpy(as_out_room(out, PIECE), p, PIECE);
	out->n += n;
}

/* N bytes at P, which are at T's offset OFF, and the names among them. */
static void put_text_and_names(struct cgw_text *t, uint64_t off, const char *p, size_t n)
{
	struct cgw *w = t->w;
	size_t at = 0, far = t->ref.n > STEPS * STEP ? t->ref.n - STEPS * STEP : 0;

	p = p ? p : ""; /* names without a text */
	for (size_t i = 0; i < t->ref.n; i++) {
		const struct cgw_ref *ref = &t->ref.p[i];
		size_t to = (size_t)(ref->off - off);

		if (to > n)
			break; /* memory ran out before the text got there */
		if (i < far)
			cg_name_prefetch(w, ref);
		cg_name_copy(w->out, p + at, to - at, p + n);
		at = to;
		put_ref(w, ref);
	}
	as_out_bytes(w->out, p + at, n - at);
	t->ref.n = 0;
}

static int text_write(struct as_sink *sink, const void *buf, size_t n)
{
	struct cgw_text *t = (struct cgw_text *)(void *)sink;

	if (!t->aside) {
		put_text_and_names(t, t->out.off, buf, n);
		return 0;
	}
	if (!as_vec_reserve(t->w->al, &t->kept, t->kept.n + n))
		return -ENOMEM;
	memcpy(t->kept.p + t->kept.n, buf, n);
	t->kept.n += n;
	return 0;
}

bool as_cgw_text_open(struct cgw_text *t, struct cgw *w, bool aside)
{
	*t = (struct cgw_text){.sink = {.write = text_write}, .w = w, .aside = aside};
	t->out = (struct as_out){.al = w->al, .sink = &t->sink, .cap = TEXT};
	t->out.buf = w->al->resize(w->al->ctx, NULL, 0, TEXT);
	return t->out.buf != NULL;
}

void as_cgw_text_flush(struct cgw_text *t)
{
	if (t->kept.n && t->out.rc == AS_OK)
		as_out_flush(&t->out);
	if (t->kept.n)
		put_text_and_names(t, 0, t->kept.p, t->kept.n);
	else
		put_text_and_names(t, t->out.off, t->out.buf, t->out.n);
	if (t->kept.cap) { /* a large function was among them */
		as_vec_free(t->w->al, &t->kept);
		as_vec_free(t->w->al, &t->ref);
	}
	t->out.n = 0;
	t->out.off = 0;
}

void as_cgw_text_release(struct cgw_text *t)
{
	if (t->out.buf)
		as_alloc_free(t->w->al, t->out.buf, t->out.cap);
	as_vec_free(t->w->al, &t->ref);
	as_vec_free(t->w->al, &t->kept);
}
