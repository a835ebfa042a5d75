/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs whose front says that nothing in the rest of them is asked for. */
#include "session/load.h"
#include "session/read.h"

enum { FRONT_MAX = 16 << 20 };

struct fronting {
	const struct as_session *ses;
	const struct as_rd_choice *choice;
	struct as_src *src;
	const struct as_format *fmt;
	char *buf; /* N bytes, and AS_IN_SLACK zeros */
	size_t n;
	struct as_profile *prof;
};

/* Bytes FROM up to TO of the input. */
static bool front_bytes(struct as_src *src, char *buf, size_t from, size_t to)
{
	ptrdiff_t got = 1;

	for (; from < to && got > 0; from += (size_t)got) {
		got = src->read(src, buf + from, to - from);
		if (got < 0)
			return false;
	}
	return from == to;
}

/* How long the front is, 0: there is none; and the format that says so. */
static size_t front_size(struct fronting *f, struct as_slice head)
{
	size_t n = 0;

	for (size_t i = 0; as_formats[i] && !n; i++) {
		f->fmt = as_formats[i];
		n = f->fmt->front ? f->fmt->front(head) : 0;
	}
	return n > head.len && n <= FRONT_MAX ? n : 0;
}

static bool front_read(struct fronting *f)
{
	char head[AS_FRONT_HEAD];

	if (!front_bytes(f->src, head, 0, sizeof(head)))
		return false;
	f->n = front_size(f, (struct as_slice){head, sizeof(head)});
	f->buf = f->n ? as_alloc_new(f->ses->al, f->n + AS_IN_SLACK) : NULL;
	if (!f->buf)
		return false;
	memcpy(f->buf, head, sizeof(head));
	return front_bytes(f->src, f->buf, sizeof(head), f->n);
}

static bool front_profile(struct fronting *f, const char *path)
{
	struct as_read_opts how = {.fmt = f->fmt, .detail = AS_DETAIL_FUNC, .choice = f->choice};
	struct as_err err = AS_ERR_NONE;
	struct as_read_result got;
	struct as_src_mem sm;

	as_src_mem_init(&sm, (struct as_slice){f->buf, f->n}, path);
	sm.src.whole = sm.data;
	if (as_read(f->ses->al, &sm.src, &how, NULL, &got, &err) == AS_OK)
		f->prof = got.prof;
	return f->prof && !f->prof->partial;
}

static bool front_is_unwanted(const struct fronting *f)
{
	for (uint32_t i = 0; i < f->prof->object.n; i++)
		if (f->choice->object(f->choice->ctx, as_object_path(f->prof, (as_object){i})))
			return false;
	return true;
}

bool as_load_front(const struct as_session *ses, const char *path,
	const struct as_rd_choice *choice, struct as_loaded *ld)
{
	struct fronting f = {.ses = ses, .choice = choice};
	struct as_err err = AS_ERR_NONE;
	bool yes;

	if (!choice->object || as_file_open_head(ses->al, path, &f.src, &err) != AS_OK)
		return false;
	yes = front_read(&f) && front_profile(&f, path) && front_is_unwanted(&f);
	as_file_close(f.src);
	if (f.buf)
		as_alloc_free(ses->al, f.buf, f.n + AS_IN_SLACK);
	if (!yes) {
		as_profile_free(f.prof);
		return false;
	}
	*ld = (struct as_loaded){.path = path, .fmt = f.fmt, .prof = f.prof, .is_read = true};
	as_err_clear(&ld->err);
	as_findings_init(&ld->findings, ses->al);
	return true;
}
