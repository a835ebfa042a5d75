/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing: the costs of one event in one image, by address, as chunks and footer. Canonical: the
 * same costs give the same bytes, whatever order they came in. Counts four bytes apart share a
 * chunk, across gaps of up to two addresses without samples, which take no more space than a new
 * chunk would; of a machine whose instructions have other lengths, every address is a chunk of
 * its own, which means the same to every reader whatever stride it has in mind.
 */
#include "base/sort.h"
#include "formats/dcpi/dcpi.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
	GAP_MAX = 2,
	GROUP = 16, /* counts that are handled side by side */
};

/* What there is to write, known before the first byte is. */
struct survey {
	uint64_t lowest, highest; /* addresses */
	uint64_t last;            /* address met last */
	uint64_t any_low;         /* the low bits that differ between addresses */
	uint64_t n;
	bool ascending;
};

struct chunks {
	struct as_wr *wr;
	const struct as_alloc *al;
	uint64_t text_start;
	bool dense;
	AS_VEC(uint32_t) count; /* of the chunk that is being made, its last zeros left out */
	uint64_t first, next;   /* offset of its first count, and behind its last */
	uint64_t rows;
	uint64_t sum;
	enum as_code rc;
};

struct writer {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct dcpi_piece piece;
	struct survey sv;
	struct chunks chunks;
	as_val *v; /* a row's values */
	/* when the addresses are not in order */
	AS_VEC(uint64_t) addr;
	AS_VEC(as_val) cost;
	AS_VEC(uint32_t) order;
};

/* ---- chunks ---- */

static void dcpi_write_put_words(struct as_out *out, const uint32_t *v, size_t n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	as_out_bytes(out, v, n * sizeof(*v));
#else
	while (n) {
		size_t k = n < 512 ? n : 512;
		char *p = as_out_room(out, k * DCPI_WORD);

		for (size_t i = 0; i < k; i++, p += DCPI_WORD) {
			p[0] = (char)v[i];
			p[1] = (char)(v[i] >> 8);
			p[2] = (char)(v[i] >> 16);
			p[3] = (char)(v[i] >> 24);
		}
		out->n += k * DCPI_WORD;
		v += k;
		n -= k;
	}
#endif
}

static void flush_chunk(struct chunks *c)
{
	uint32_t head[2] = {(uint32_t)c->first, (uint32_t)c->count.n};

	if (!c->count.n)
		return;
	dcpi_write_put_words(c->wr->out, head, 2);
	dcpi_write_put_words(c->wr->out, c->count.p, c->count.n);
	c->count.n = 0;
}

/* OFFSET can be written, and a count there belongs into the chunk; open another one if not. */
static bool place_at(struct chunks *c, uint64_t offset)
{
	uint64_t gap = offset - c->next;

	if (offset > UINT32_MAX)
		return false;
	if (!c->count.n || !c->dense || gap > GAP_MAX * DCPI_STRIDE) {
		flush_chunk(c);
		c->first = c->next = offset;
		return true;
	}
	for (; c->next < offset; c->next += DCPI_STRIDE)
		c->count.p[c->count.n++] = 0;
	return true;
}

static enum as_code refuse_offset(struct chunks *c, uint64_t offset)
{
	return as_err_set(c->wr->err, AS_E_LIMIT,
		"address 0x%" PRIx64 " is too far from the start of the text, 0x%" PRIx64
		": an offset has 32 bits",
		c->text_start + offset, c->text_start);
}

static enum as_code dcpi_write_refuse_count(struct chunks *c, uint64_t offset, as_val v)
{
	char text[AS_VAL_TEXT];

	if (v < 0)
		return as_err_set(c->wr->err, AS_E_LIMIT,
			"address 0x%" PRIx64 " has the cost %s: a count cannot be negative",
			c->text_start + offset, as_val_text(v, text));
	return as_err_set(c->wr->err, AS_E_LIMIT,
		"address 0x%" PRIx64 " has the cost %s: a count has 32 bits",
		c->text_start + offset, as_val_text(v, text));
}

/* COUNT at OFFSET, which lies behind all offsets before. */
static enum as_code dcpi_write_put_count(struct chunks *c, uint64_t offset, as_val v)
{
	if (v == 0)
		return AS_OK;
	if (v < 0 || v > UINT32_MAX)
		return dcpi_write_refuse_count(c, offset, v);
	if (!as_vec_reserve(c->al, &c->count, c->count.n + GAP_MAX + 1))
		return as_err_no_memory(c->wr->err);
	if (!place_at(c, offset))
		return refuse_offset(c, offset);
	c->count.p[c->count.n++] = (uint32_t)v;
	c->next += DCPI_STRIDE;
	c->rows++;
	c->sum += (uint64_t)v;
	return AS_OK;
}

#if defined(__SSE2__)

/* N bytes as 32-bit numbers, in groups of GROUP, which OUT has room for. Returns their sum. */
static uint64_t widen_bytes(uint32_t *out, const uint8_t *p, uint32_t n)
{
	static const uint8_t keep[2 * GROUP] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
	const __m128i zero = _mm_setzero_si128();
	__m128i sum = zero;

	for (uint32_t i = 0; i < n; i += GROUP, out += GROUP) {
		const uint8_t *mask = keep + (n - i < GROUP ? GROUP - (n - i) : 0);
		__m128i v = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(p + i)),
			_mm_loadu_si128((const __m128i *)(const void *)mask));
		__m128i low = _mm_unpacklo_epi8(v, zero), high = _mm_unpackhi_epi8(v, zero);
		__m128i *to = (__m128i *)(void *)out;

		sum = _mm_add_epi64(sum, _mm_sad_epu8(v, zero));
		_mm_storeu_si128(to, _mm_unpacklo_epi16(low, zero));
		_mm_storeu_si128(to + 1, _mm_unpackhi_epi16(low, zero));
		_mm_storeu_si128(to + 2, _mm_unpacklo_epi16(high, zero));
		_mm_storeu_si128(to + 3, _mm_unpackhi_epi16(high, zero));
	}
	sum = _mm_add_epi64(sum, _mm_srli_si128(sum, 8));
	return (uint32_t)_mm_cvtsi128_si32(sum);
}

#else

static uint64_t widen_bytes(uint32_t *out, const uint8_t *p, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += out[i] = p[i];
	return sum;
}

#endif

/* The values of VIEW as 32-bit numbers, in whole groups. Returns their sum. */
static uint64_t dcpi_write_widen(uint32_t *out, const struct as_rows_view *view)
{
	uint64_t sum = 0;

	if (view->size == 1)
		return widen_bytes(out, view->p, view->n);
	for (uint32_t i = 0; i < view->n; i++)
		sum += out[i] = as_view_value(view, i);
	return sum;
}

/* Most zeros that follow one another, those at the end left out. */
static uint32_t longest_gap(const uint32_t *v, uint32_t n)
{
	uint32_t zeros = 0, most = 0;

	for (uint32_t i = 0; i < n; i++) {
		zeros = v[i] ? 0 : zeros + 1;
		most = zeros > most ? zeros : most;
	}
	return most;
}

/* A stretch with gaps that end a chunk, one by one. */
static enum as_code put_gappy_view(
	struct chunks *c, uint64_t offset, const struct as_rows_view *view)
{
	for (uint32_t i = 0; i < view->n; i++)
		AS_TRY(dcpi_write_put_count(
			c, offset + i * (uint64_t)DCPI_STRIDE, as_view_value(view, i)));
	return AS_OK;
}

/* The counts of a stretch of addresses four bytes apart, the last not zero. */
static enum as_code put_view(struct chunks *c, uint64_t offset, const struct as_rows_view *view)
{
	uint64_t last = offset + (view->n - 1) * (uint64_t)DCPI_STRIDE;
	uint64_t sum;
	uint32_t *v;

	if (!as_vec_reserve(c->al, &c->count, c->count.n + GAP_MAX + view->n + GROUP))
		return as_err_no_memory(c->wr->err);
	if (last > UINT32_MAX || last < offset)
		return refuse_offset(c, last);
	/* Behind what is there, and behind the zeros that may have to go before it. */
	v = c->count.p + c->count.n + GAP_MAX;
	sum = dcpi_write_widen(v, view);
	if (AS_UNLIKELY(
		    !v[0] || (view->n - view->rows > GAP_MAX && longest_gap(v, view->n) > GAP_MAX)))
		return put_gappy_view(c, offset, view);
	if (!place_at(c, offset))
		return refuse_offset(c, offset);
	memmove(c->count.p + c->count.n, v, view->n * sizeof(*v));
	c->count.n += view->n;
	c->next = last + DCPI_STRIDE;
	c->rows += view->rows;
	c->sum += sum;
	return AS_OK;
}

static enum as_code put_footer(struct chunks *c)
{
	uint32_t foot[2] = {(uint32_t)c->rows, (uint32_t)c->sum};

	flush_chunk(c);
	if (c->sum > UINT32_MAX || c->rows > UINT32_MAX)
		return as_err_set(c->wr->err, AS_E_LIMIT,
			"there are %" PRIu64 " samples: the total has 32 bits", c->sum);
	dcpi_write_put_words(c->wr->out, foot, 2);
	return c->wr->out->rc;
}

/* ---- the facts of a piece ---- */

/* Calls TAKE for what the piece holds at known addresses, in the order of the profile: a stretch
 * of addresses, or a single one with VIEW == NULL. */
typedef enum as_code take_fn(
	struct writer *w, uint64_t addr, as_val cost, const struct as_rows_view *view);

static enum as_code take_view(
	struct writer *w, as_func func, const struct as_rows_view *view, take_fn *take)
{
	uint64_t addr;

	if (w->piece.event) /* a stretch holds the first event only */
		return AS_OK;
	if (view->addr)
		return take(w, view->addr, 0, view);
	/* The first address may be 0: then it is like that of a single row. */
	for (uint32_t i = 0; i < view->n; i++)
		if (as_row_addr(w->prof, func, view->addr + i * view->stride, &addr))
			AS_TRY(take(w, addr, as_view_value(view, i), NULL));
	return AS_OK;
}

static enum as_code walk_run(struct writer *w, const struct as_run *run, take_fn *take)
{
	const as_val *cost = &w->v[w->piece.event];
	struct as_rows_view view;
	struct as_rows_cur cur;
	uint64_t addr;

	as_rows_begin(&cur, &w->prof->self, run, w->v);
	while (as_rows_next_view(&cur, &view)) {
		if (view.n)
			AS_TRY(take_view(w, run->func, &view, take));
		else if (*cost && as_row_addr(w->prof, run->func, cur.addr, &addr))
			AS_TRY(take(w, addr, *cost, NULL));
	}
	return AS_OK;
}

static enum as_code dcpi_write_walk(struct writer *w, take_fn *take)
{
	const struct as_profile *prof = w->prof;
	size_t e = prof->event.n;
	uint64_t addr;

	if (w->piece.event >= e)
		return AS_OK;
	for (size_t r = 0; r < prof->self.run.n; r++) {
		const struct as_run *run = &prof->self.run.p[r];

		if (prof->func.object.p[run->func.i].i == w->piece.object.i)
			AS_TRY(walk_run(w, run, take));
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct as_pos pos =
			as_place_pos(prof, prof->node.place.p[prof->sample.node.p[i].i]);
		as_val cost = prof->sample.cost.p[i * e + w->piece.event];

		if (cost && prof->func.object.p[pos.func.i].i == w->piece.object.i &&
			as_row_addr(prof, pos.func, pos.addr, &addr))
			AS_TRY(take(w, addr, cost, NULL));
	}
	return AS_OK;
}

static enum as_code dcpi_write_survey(
	struct writer *w, uint64_t addr, as_val cost, const struct as_rows_view *view)
{
	struct survey *sv = &w->sv;
	uint64_t last = view ? addr + (view->n - 1) * view->stride : addr;

	(void)cost;
	sv->ascending &= last >= addr && (!sv->n || addr > sv->last);
	sv->last = last;
	sv->any_low |= (addr ^ sv->lowest) | (view ? view->stride : 0);
	if (!sv->n)
		sv->any_low = view ? view->stride : 0;
	if (addr < sv->lowest || !sv->n)
		sv->lowest = addr;
	if (last > sv->highest || !sv->n)
		sv->highest = last;
	sv->n++;
	return AS_OK;
}

static enum as_code write_one(
	struct writer *w, uint64_t addr, as_val cost, const struct as_rows_view *view)
{
	struct chunks *c = &w->chunks;

	if (!view)
		return dcpi_write_put_count(c, addr - c->text_start, cost);
	if (c->dense && view->stride == DCPI_STRIDE)
		return put_view(c, addr - c->text_start, view);
	for (uint32_t i = 0; i < view->n; i++)
		AS_TRY(dcpi_write_put_count(
			c, addr + i * view->stride - c->text_start, as_view_value(view, i)));
	return AS_OK;
}

static enum as_code dcpi_write_gather(
	struct writer *w, uint64_t addr, as_val cost, const struct as_rows_view *view)
{
	const struct as_alloc *al = w->al;

	for (uint32_t i = 0; i < (view ? view->n : 1); i++) {
		if (view)
			cost = as_view_value(view, i);
		if (!cost)
			continue;
		if (w->addr.n >= UINT32_MAX - 1)
			return as_err_set(w->wr->err, AS_E_LIMIT, "more than 2^32 addresses");
		if (!as_vec_push(al, &w->order, (uint32_t)w->addr.n) ||
			!as_vec_push(al, &w->addr, addr + (view ? i * view->stride : 0)) ||
			!as_vec_push(al, &w->cost, cost))
			return as_err_no_memory(w->wr->err);
	}
	return AS_OK;
}

/* Addresses out of order, or several times. */
static enum as_code write_sorted(struct writer *w)
{
	const struct as_alloc *al = w->al;
	size_t n;

	AS_TRY(dcpi_write_walk(w, dcpi_write_gather));
	n = w->addr.n;
	AS_TRY(as_err_memory(w->wr->err, as_sort_keys(al, w->addr.p, w->order.p, n)));
	for (size_t i = 0; i < n;) {
		uint64_t addr = w->addr.p[i];
		as_val sum = 0;

		for (; i < n && w->addr.p[i] == addr; i++)
			sum += w->cost.p[w->order.p[i]];
		AS_TRY(dcpi_write_put_count(&w->chunks, addr - w->chunks.text_start, sum));
	}
	return AS_OK;
}

/* ---- what to say of the text ---- */

/* The source says that its instructions are not four bytes long. */
static bool has_other_stride(const struct as_profile *prof, uint32_t part)
{
	struct as_slice text = as_meta_get(prof, part, "stride");
	uint64_t stride;

	return text.p && as_slice_dec(as_slice_ltrim(text), &stride) && stride != DCPI_STRIDE;
}

static void choose_text(struct writer *w, struct dcpi_head *hd)
{
	const struct as_object_row *o = &w->prof->object.p[w->piece.object.i];
	const struct survey *sv = &w->sv;
	uint64_t end;

	hd->text_start = o->text_start;
	if (sv->n && (sv->lowest < o->text_start || (!o->text_start && sv->highest > UINT32_MAX)))
		hd->text_start = sv->lowest & ~UINT64_C(0xfff);
	hd->dense = hd->part != UINT32_MAX && !has_other_stride(w->prof, hd->part) &&
		    sv->any_low % DCPI_STRIDE == 0;
	hd->text_size = o->text_size;
	if (hd->text_start < o->text_start)
		hd->text_size += o->text_start - hd->text_start;
	/* A size that the source gives stands, also where there are samples beyond it. */
	end = sv->n ? sv->highest - hd->text_start + 1 : 0;
	if (hd->part == UINT32_MAX && hd->text_size < end)
		hd->text_size = end;
}

/* Add to LOST, a value per event, the self costs at no address. */
static void add_unaddressed_rows(struct writer *w, as_val *lost)
{
	const struct as_profile *prof = w->prof;
	struct as_rows_view view;
	struct as_rows_cur cur;
	uint64_t addr;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		const struct as_run *run = &prof->self.run.p[r];

		if (as_row_addr(prof, run->func, 0, &addr))
			continue;
		as_rows_begin(&cur, &prof->self, run, w->v);
		while (as_rows_next_view(&cur, &view)) {
			uint64_t at = view.n ? view.addr : cur.addr;

			if (at)
				continue;
			if (view.n)
				lost[0] += as_view_value(&view, 0);
			else
				as_vals_add(lost, w->v, prof->event.n);
		}
	}
}

/* Costs at no address cannot be written: what they amount to is told with the first file. */
static enum as_code tell_unaddressed(struct writer *w)
{
	const struct as_profile *prof = w->prof;
	size_t e = prof->event.n;
	as_val *lost = as_alloc_new(w->al, e * sizeof(*lost) + 1);
	uint64_t addr;

	AS_TRY(as_err_memory(w->wr->err, lost));
	add_unaddressed_rows(w, lost);
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct as_pos pos =
			as_place_pos(prof, prof->node.place.p[prof->sample.node.p[i].i]);

		if (as_row_addr(prof, pos.func, pos.addr, &addr))
			continue;
		as_vals_add(lost, prof->sample.cost.p + i * e, e);
	}
	for (size_t k = 0; k < e; k++)
		as_losses_add_cost(w->wr->losses, "unaddressed",
			as_str_get(prof, prof->event.p[k].name), lost[k], "at no address");
	return AS_OK;
}

static enum as_code write_piece(struct writer *w)
{
	struct dcpi_head hd = {.wr = w->wr, .prof = w->prof, .piece = w->piece};

	if (w->wr->piece == 0)
		AS_TRY(tell_unaddressed(w));
	AS_TRY(dcpi_write_walk(w, dcpi_write_survey));
	hd.part = as_dcpi_header_part(w->prof, w->piece);
	choose_text(w, &hd);
	AS_TRY(as_dcpi_write_header(&hd));
	w->chunks.text_start = hd.text_start;
	w->chunks.dense = hd.dense;
	if (w->sv.ascending)
		AS_TRY(dcpi_write_walk(w, write_one));
	else
		AS_TRY(write_sorted(w));
	return put_footer(&w->chunks);
}

enum as_code as_dcpi_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct writer w = {.wr = wr,
		.prof = prof,
		.al = wr->al,
		.sv = {.ascending = true},
		.chunks = {.wr = wr, .al = wr->al}};

	if (!as_alloc_array(w.al, &w.v, prof->event.n) || !as_dcpi_piece(prof, wr->piece, &w.piece))
		return as_err_no_memory(wr->err);
	return write_piece(&w);
}
