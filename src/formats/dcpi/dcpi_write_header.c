/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header that is written. A profile that was read from a file of the same image and event
 * brings its lines along: they are written again as they were, in their order, and only a line
 * that no longer says what the profile says is changed. Required lines that are missing follow.
 */
#include "base/date.h"
#include "formats/dcpi/dcpi.h"
#include "formats/run_lines.h"

#define EPOCH_UNKNOWN "7001010000"

/* The values that the profile asks for; p == NULL: no such line. */
struct wanted {
	struct as_slice value[DCPI_KEYS];
	char number[DCPI_KEYS][24];
};

struct lines {
	const struct dcpi_head *hd;
	struct as_out *out;
	struct wanted want;
	uint64_t start;   /* where in the output the header begins */
	uint32_t seen;    /* bit per key that was written */
	bool cut_seconds; /* of the epoch, if it is not written as it was */
};

static enum as_code dcpi_header_refuse(
	const struct lines *ls, struct as_slice key, struct as_slice text)
{
	return as_err_set(ls->hd->wr->err, AS_E_UNSUPPORTED,
		"a header line cannot be '%.*s' '%.*s'", AS_SLICE_FMT(key), AS_SLICE_FMT(text));
}

static bool dcpi_header_is_word(struct as_slice s)
{
	return s.len && !as_slice_has(s, ' ') && !as_slice_has(s, '\t') && !as_slice_has(s, '\n') &&
	       !as_slice_has(s, 0);
}

/* TEXT begins with blanks if they are not the ones of a canonical header. */
static enum as_code dcpi_header_put_line(
	struct lines *ls, struct as_slice key, struct as_slice text)
{
	struct as_slice value = as_slice_ltrim(text);

	if (!dcpi_header_is_word(key) || !value.len || as_slice_has(text, '\n') ||
		as_slice_has(text, 0))
		return dcpi_header_refuse(ls, key, text);
	as_out_slice(ls->out, key);
	if (value.len == text.len) {
		as_out_char(ls->out, ' ');
		for (size_t n = key.len + 1; n < DCPI_COLUMN; n++)
			as_out_char(ls->out, ' ');
	}
	as_out_slice(ls->out, text);
	as_out_char(ls->out, '\n');
	return AS_OK;
}

/* A line that the reader found malformed and kept. */
static enum as_code put_raw(struct lines *ls, struct as_slice text)
{
	if (as_slice_has(text, '\n') || as_dcpi_is_end(text))
		return dcpi_header_refuse(ls, text, (struct as_slice){NULL, 0});
	as_out_slice(ls->out, text);
	as_out_char(ls->out, '\n');
	return AS_OK;
}

static enum as_code put_wanted(struct lines *ls, enum dcpi_key key)
{
	struct as_slice name = as_slice_of(as_dcpi_key_name(key)), value = ls->want.value[key];

	if (as_slice_ltrim(value).len != value.len)
		return dcpi_header_refuse(ls, name, value);
	ls->seen |= 1u << key;
	if (key == DCPI_EPOCH && ls->cut_seconds)
		as_losses_add(ls->hd->wr->losses, "epoch", 1, "second{|s} of a start time");
	return dcpi_header_put_line(ls, name, value);
}

static void want_dec(struct wanted *w, enum dcpi_key key, uint64_t v)
{
	snprintf(w->number[key], sizeof(w->number[key]), "%" PRIu64, v);
	w->value[key] = as_slice_of(w->number[key]);
}

static void want_hex(struct wanted *w, enum dcpi_key key, uint64_t v)
{
	snprintf(w->number[key], sizeof(w->number[key]), "%" PRIx64, v);
	w->value[key] = as_slice_of(w->number[key]);
}

/* Ten digits reach from 1969 to 2068. */
static enum as_code want_epoch(struct lines *ls)
{
	struct as_slice iso = as_str_get(ls->hd->prof, ls->hd->prof->epoch);
	struct as_losses *losses = ls->hd->wr->losses;
	struct wanted *w = &ls->want;
	struct as_date d;

	if (!as_date_from_iso(iso, &d)) {
		as_losses_add(losses, "epoch", iso.len > 0, "start time{|s}");
		w->value[DCPI_EPOCH] = as_slice_of(EPOCH_UNKNOWN);
		w->value[DCPI_EPOCH_UNKNOWN] = as_slice_of("yes");
		return AS_OK;
	}
	if (d.year < 1969 || d.year > 2068)
		return as_err_set(ls->hd->wr->err, AS_E_LIMIT,
			"the year %u has no two digits: an epoch is from 1969 to 2068", d.year);
	as_date_digits(&d, w->number[DCPI_EPOCH]);
	w->value[DCPI_EPOCH] = as_slice_skip(as_slice_of(w->number[DCPI_EPOCH]), 2);
	ls->cut_seconds = d.has_seconds && d.second;
	return AS_OK;
}

static void want_event(struct lines *ls)
{
	const struct as_profile *prof = ls->hd->prof;
	struct as_slice unit, period_unit;
	struct wanted *w = &ls->want;
	const struct as_event *ev;

	w->value[DCPI_EVENT] = as_slice_of("unknown");
	w->value[DCPI_PERIOD] = as_slice_of("0");
	if (ls->hd->piece.event >= prof->event.n)
		return;
	ev = &prof->event.p[ls->hd->piece.event];
	if (ev->name.i)
		w->value[DCPI_EVENT] = as_str_get(prof, ev->name);
	want_dec(w, DCPI_PERIOD, ev->period);
	if (ev->active)
		want_dec(w, DCPI_ACTIVE, ev->active);
	unit = as_str_get(prof, ev->unit);
	if (unit.len && !as_slice_is(unit, "samples"))
		w->value[DCPI_EVENT_UNIT] = unit;
	period_unit = as_str_get(prof, ev->period_unit);
	if (period_unit.len && ev->period && !as_slice_is(period_unit, "events"))
		w->value[DCPI_PERIOD_UNIT] = period_unit;
}

static void want_image(struct lines *ls)
{
	const struct as_profile *prof = ls->hd->prof;
	const struct as_object_row *o = &prof->object.p[ls->hd->piece.object.i];
	struct as_slice id = as_str_get(prof, o->id), path = as_str_get(prof, o->path);
	struct wanted *w = &ls->want;

	w->value[DCPI_IMAGE] = as_slice_is_hex(id) ? id : as_slice_of("0");
	if (id.len && !as_slice_is_hex(id))
		as_losses_add(ls->hd->wr->losses, "build-ids", 1, "build id{|s}");
	if (path.len && !as_slice_eq(path, id))
		w->value[DCPI_PATH] = path;
	if (o->addr_kind == AS_ADDR_FILE_OFFSET)
		w->value[DCPI_ADDRESSES] = as_slice_of("file");
	else if (o->addr_kind == AS_ADDR_ABSOLUTE)
		w->value[DCPI_ADDRESSES] = as_slice_of("absolute");
	want_hex(w, DCPI_TSTART, ls->hd->text_start);
	want_dec(w, DCPI_TSIZE, ls->hd->text_size);
}

static enum as_code collect_wanted(struct lines *ls)
{
	const struct as_profile *prof = ls->hd->prof;
	struct as_slice platform = as_slice_trim(as_meta_get(prof, 0, "platform"));

	ls->want.value[DCPI_VERSION] = as_slice_of("pdb-0.07");
	ls->want.value[DCPI_PLATFORM] = platform.len ? platform : as_slice_of("unknown");
	ls->want.value[DCPI_CPUSPEED] = as_slice_of("0");
	if (!ls->hd->dense)
		ls->want.value[DCPI_STRIDE_KEY] = as_slice_of("1");
	want_image(ls);
	want_event(ls);
	return want_epoch(ls);
}

static bool says_epoch(const struct lines *ls, struct as_slice value)
{
	struct as_slice epoch = as_str_get(ls->hd->prof, ls->hd->prof->epoch);
	char iso[AS_DATE_ISO];
	struct as_date d;
	bool is_date = as_date_from_digits(value, &d);

	if (!epoch.len)
		return !is_date || as_slice_is(value, EPOCH_UNKNOWN);
	return is_date && as_slice_is(epoch, as_date_iso(&d, iso));
}

/* Whether a line of the source says what is wanted, in words of its own. */
static bool dcpi_header_says(const struct lines *ls, enum dcpi_key key, struct as_slice value)
{
	struct as_slice want = ls->want.value[key];
	uint64_t a, b;

	switch (key) {
	case DCPI_VERSION:
		return as_dcpi_version(value, &a, &b) && a == 0 && (b == 6 || b == 7);
	case DCPI_EPOCH:
		return says_epoch(ls, value);
	case DCPI_TSTART:
		return as_slice_hex(value, &a) && a == ls->hd->text_start;
	case DCPI_TSIZE:
	case DCPI_PERIOD:
		return as_slice_dec(value, &a) && as_slice_dec(want, &b) && a == b;
	case DCPI_ACTIVE:
		if (!as_slice_dec(value, &a))
			return !want.p;
		return want.p ? as_slice_dec(want, &b) && a == b : !a || a >= DCPI_ACTIVE_ALL;
	case DCPI_IMAGE:
		return as_slice_eq(value, want) ||
		       (as_slice_is_zero(value) && as_slice_is_zero(want));
	case DCPI_EVENT:
	case DCPI_PATH:
	case DCPI_EVENT_UNIT:
	case DCPI_PERIOD_UNIT:
	case DCPI_ADDRESSES:
		return as_slice_eq(value, want);
	case DCPI_EPOCH_UNKNOWN:
		return want.p != NULL;
	default:
		return true; /* nothing but these lines knows */
	}
}

/* One line of the source. */
static enum as_code dcpi_header_put_kept(struct lines *ls, const struct as_meta *m)
{
	const struct as_profile *prof = ls->hd->prof;
	struct as_slice name = as_str_get(prof, m->key), text = as_str_get(prof, m->text);
	enum dcpi_key key = as_dcpi_key(name);
	bool again = key < DCPI_KEYS && ls->seen >> key & 1;

	if (as_run_is_key(name)) /* what a recorder says of all files together: lost */
		return AS_OK;
	if (!name.len)
		return put_raw(ls, text);
	if (as_slice_is(name, "samples"))
		return dcpi_header_refuse(ls, name, text);
	if (key == DCPI_KEYS || (again && key == DCPI_PATH))
		return dcpi_header_put_line(ls, name, text);
	if (again) /* of a key that must stand once, the first holds */
		return AS_OK;
	if (dcpi_header_says(ls, key, as_slice_ltrim(text))) {
		/* An epoch that is no date is not known, and says so by itself. */
		if (key == DCPI_EPOCH && !as_slice_is(as_slice_ltrim(text), EPOCH_UNKNOWN))
			ls->want.value[DCPI_EPOCH_UNKNOWN].p = NULL;
		ls->seen |= 1u << key;
		return dcpi_header_put_line(ls, name, text);
	}
	return ls->want.value[key].p ? put_wanted(ls, key) : AS_OK;
}

/* Blanks behind "samples" make the header a multiple of four bytes long. */
static void put_end(struct lines *ls)
{
	uint64_t n = ls->out->off + ls->out->n - ls->start + strlen("samples\n");

	as_out_text(ls->out, "samples");
	for (; n % DCPI_WORD; n++)
		as_out_char(ls->out, ' ');
	as_out_char(ls->out, '\n');
}

/* The version first, if the source does not say where it belongs. */
static bool has_version(const struct dcpi_head *hd)
{
	return hd->part != UINT32_MAX && as_meta_get(hd->prof, hd->part, "version").p;
}

enum as_code as_dcpi_write_header(const struct dcpi_head *hd)
{
	struct lines ls = {.hd = hd, .out = hd->wr->out};

	ls.start = ls.out->off + ls.out->n;
	AS_TRY(collect_wanted(&ls));
	if (!has_version(hd))
		AS_TRY(put_wanted(&ls, DCPI_VERSION));
	for (size_t i = 0; hd->part != UINT32_MAX && i < hd->prof->meta.n; i++)
		if (hd->prof->meta.p[i].part == hd->part)
			AS_TRY(dcpi_header_put_kept(&ls, &hd->prof->meta.p[i]));
	for (int key = 0; key < DCPI_KEYS; key++)
		if (!(ls.seen >> key & 1) && ls.want.value[key].p)
			AS_TRY(put_wanted(&ls, (enum dcpi_key)key));
	if (ls.out->off + ls.out->n - ls.start > DCPI_HEADER_MAX)
		return as_err_set(hd->wr->err, AS_E_LIMIT, "the header is longer than %d bytes",
			DCPI_HEADER_MAX);
	put_end(&ls);
	return AS_OK;
}

static bool meta_is(
	const struct as_profile *prof, uint32_t part, enum dcpi_key key, struct as_slice want)
{
	struct as_slice text = as_meta_get(prof, part, as_dcpi_key_name(key));

	return as_slice_eq(as_slice_ltrim(text), want);
}

uint32_t as_dcpi_header_part(const struct as_profile *prof, struct dcpi_piece piece)
{
	struct as_slice id = as_str_get(prof, prof->object.p[piece.object.i].id), event;

	if (piece.event >= prof->event.n)
		return UINT32_MAX;
	event = as_str_get(prof, prof->event.p[piece.event].name);
	if (as_profile_is_from(prof, "dcpi") && prof->part.n == 1)
		return 0;
	for (uint32_t part = 0; part < prof->part.n; part++)
		if (as_meta_get(prof, part, "image").p && meta_is(prof, part, DCPI_IMAGE, id) &&
			meta_is(prof, part, DCPI_EVENT, event))
			return part;
	return UINT32_MAX;
}
