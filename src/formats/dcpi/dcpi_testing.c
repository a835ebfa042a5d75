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

void as_dcpi_add_lines(struct dcpi_bytes *f, const char *old, const char *new)
{
	const char *at = old ? strstr(as_dcpi_golden_lines, old) : NULL, *end;

	assert_true(!old || at);
	if (!old) {
		as_dcpi_add(f, as_dcpi_golden_lines);
		return;
	}
	end = strchr(at, '\n') + 1;
	as_dcpi_add_bytes(f, as_dcpi_golden_lines, (size_t)(at - as_dcpi_golden_lines));
	as_dcpi_add(f, new);
	as_dcpi_add(f, end);
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

void as_dcpi_read_bytes(struct mem_read *r, const char *p, size_t n, struct dcpi_how how)
{
	struct as_slice data = {p, n};
	struct mem_how mem = {.fmt = &as_format_dcpi,
		.detail = AS_DETAIL_FULL,
		.strict = how.strict,
		.keep_unsupported = true,
		.opt = how.opt,
		.name = "dir/xemacs.dcpi"};
	struct pipe pipe = {
		.src = {.read = pipe_read, .size = AS_SIZE_UNKNOWN, .name = "-"},
		.rest = data,
		.step = how.pipe,
	};

	if (how.pipe)
		mem_read_src(r, &mem, &pipe.src);
	else
		mem_read(r, &mem, data);
}

void as_dcpi_read_file(struct mem_read *r, const struct dcpi_bytes *f)
{
	as_dcpi_read_bytes(r, f->data.p, f->data.n, (struct dcpi_how){0});
}

uint64_t as_dcpi_found(const struct mem_read *r, enum as_finding_id id)
{
	return r->findings.count[id];
}

const char *as_dcpi_said(const struct mem_read *r, enum as_finding_id id)
{
	for (size_t i = 0; i < r->findings.row.n; i++)
		if (r->findings.row.p[i].id == id)
			return r->findings.row.p[i].msg.p;
	return "";
}

uint64_t as_dcpi_complaints(const struct mem_read *r)
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

void as_dcpi_write_bytes(struct mem_written *w, const struct as_profile *prof, uint32_t piece)
{
	mem_write_with(w, &as_format_dcpi, prof, piece, (struct as_opts){NULL, 0});
}
