/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dcpi/dcpi_testing.h"

#define LINES                                         \
	"version              pdb-0.07\n"             \
	"image                19970328081403c0c18b\n" \
	"epoch                9612042334\n"           \
	"platform             walnut\n"               \
	"event                cycles\n"               \
	"period               63488\n"                \
	"tstart               120000000\n"            \
	"tsize                8388608\n"              \
	"cpuspeed             333\n"                  \
	"path                 /usr/local/bin/xemacs\n"

const char as_dcpi_golden_lines[] = LINES;
const char as_dcpi_golden[] =
	LINES "samples \n"
	      "\xb8\xcb\x06\x00\x01\x00\x00\x00\x1d\x00\x00\x00"
	      "\xd0\xcb\x06\x00\x07\x00\x00\x00\x0a\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00"
	      "\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00"
	      "\x06\x00\x00\x00\x2f\x00\x00\x00";

void as_dcpi_add_bytes(struct dcpi_bytes *f, const void *p, size_t n)
{
	assert_true(as_vec_reserve(&as_alloc_libc, &f->data, f->data.n + n + 1));
	memcpy(f->data.p + f->data.n, p, n);
	f->data.n += n;
	f->data.p[f->data.n] = 0;
}

void as_dcpi_add(struct dcpi_bytes *f, const char *text)
{
	as_dcpi_add_bytes(f, text, strlen(text));
}

void as_dcpi_add_end(struct dcpi_bytes *f)
{
	as_dcpi_add(f, "samples");
	while ((f->data.n + 1) % 4)
		as_dcpi_add(f, " ");
	as_dcpi_add(f, "\n");
}

void as_dcpi_add_words(struct dcpi_bytes *f, const uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned char le[] = {(unsigned char)v[i], (unsigned char)(v[i] >> 8),
			(unsigned char)(v[i] >> 16), (unsigned char)(v[i] >> 24)};

		as_dcpi_add_bytes(f, le, sizeof(le));
	}
}

void as_dcpi_bytes_free(struct dcpi_bytes *f)
{
	as_vec_free(&as_alloc_libc, &f->data);
}

/* A pipe: no size, no pread(), and short reads. */
struct pipe {
	struct as_src src;
	struct as_slice rest;
	size_t step;
};

static ptrdiff_t pipe_read(struct as_src *src, void *buf, size_t n)
{
	struct pipe *pipe = (struct pipe *)(void *)src;

	n = n < pipe->step ? n : pipe->step;
	n = n < pipe->rest.len ? n : pipe->rest.len;
	memcpy(buf, pipe->rest.p, n);
	pipe->rest = as_slice_skip(pipe->rest, n);
	return (ptrdiff_t)n;
}

static void read_from(struct dcpi_reading *r, struct as_src *src, struct dcpi_how how)
{
	struct as_build b;
	struct as_in in;
	struct as_rd rd = {.in = &in,
		.out = &b,
		.err = &r->err,
		.findings = &r->findings,
		.detail = AS_DETAIL_FULL,
		.strict = how.strict,
		.opts = {&how.opt, how.opt ? 1 : 0},
		.name = "dir/xemacs.dcpi"};

	assert_int_equal(as_in_open(&in, &as_alloc_libc, src, &r->err), AS_OK);
	assert_int_equal(as_build_init(&b, NULL, &r->err), AS_OK);
	r->rc = as_format_dcpi.read(&rd);
	if (r->rc == AS_OK || r->rc == AS_E_UNSUPPORTED)
		assert_int_equal(as_build_finish(&b, &r->prof), AS_OK);
	else
		as_build_free(&b);
	as_in_close(&in);
}

void as_dcpi_read_bytes(struct dcpi_reading *r, const char *p, size_t n, struct dcpi_how how)
{
	struct as_slice data = {p, n};
	struct as_src_mem mem;
	struct pipe pipe = {
		.src = {.read = pipe_read, .size = AS_SIZE_UNKNOWN, .name = "-"},
		.rest = data,
		.step = how.pipe,
	};

	*r = (struct dcpi_reading){.rc = AS_OK};
	as_err_clear(&r->err);
	as_findings_init(&r->findings, &as_alloc_libc);
	as_src_mem_init(&mem, data, "test");
	read_from(r, how.pipe ? &pipe.src : &mem.src, how);
}

void as_dcpi_read_file(struct dcpi_reading *r, const struct dcpi_bytes *f)
{
	as_dcpi_read_bytes(r, f->data.p, f->data.n, (struct dcpi_how){0});
}

void as_dcpi_reading_free(struct dcpi_reading *r)
{
	as_profile_free(r->prof);
	as_findings_release(&r->findings);
	*r = (struct dcpi_reading){.rc = AS_OK};
}

uint64_t as_dcpi_found(const struct dcpi_reading *r, enum as_finding_id id)
{
	return r->findings.count[id];
}

const char *as_dcpi_said(const struct dcpi_reading *r, enum as_finding_id id)
{
	for (size_t i = 0; i < r->findings.row.n; i++)
		if (r->findings.row.p[i].id == id)
			return r->findings.row.p[i].msg.p;
	return "";
}

uint64_t as_dcpi_complaints(const struct dcpi_reading *r)
{
	return r->findings.n[AS_WARN] + r->findings.n[AS_ERROR];
}

void as_dcpi_expect_rows(const struct as_profile *prof, const char *want)
{
	char text[8192] = "", num[AS_VAL_TEXT];
	size_t n = 0;
	struct as_rows_cur cur;
	as_val v[4];

	assert_in_range(prof->event.n, 1, 4);
	for (size_t r = 0; r < prof->self.run.n; r++) {
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur)) {
			assert_true(n + 64 < sizeof(text));
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%" PRIx64 ":%s",
				n ? " " : "", cur.addr, as_val_text(v[0], num));
		}
	}
	assert_string_equal(text, want);
}

void as_dcpi_write_bytes(struct dcpi_writing *w, const struct as_profile *prof, uint32_t piece)
{
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &w->err, .losses = &w->losses, .piece = piece};
	enum as_code end;

	as_err_clear(&w->err);
	as_losses_init(&w->losses, &as_alloc_libc);
	as_sink_mem_init(&w->mem, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &w->mem.sink, &w->err), AS_OK);
	w->rc = as_format_dcpi.write(&wr, prof);
	end = as_out_finish(&out);
	if (w->rc == AS_OK)
		w->rc = end;
}

void as_dcpi_writing_free(struct dcpi_writing *w)
{
	as_losses_release(&w->losses);
	as_sink_mem_release(&w->mem);
}

uint64_t as_dcpi_lost(const struct dcpi_writing *w, const char *kind)
{
	for (size_t i = 0; i < w->losses.row.n; i++)
		if (strcmp(w->losses.row.p[i].kind, kind) == 0)
			return w->losses.row.p[i].amount;
	return 0;
}
