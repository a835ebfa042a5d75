/* SPDX-License-Identifier: Apache-2.0 */
/* A file of version 0.x holds one event of one image; a profile may need many files. */
#include "base/sort.h"
#include "formats/dcpi/dcpi.h"
#include "model/labels.h"

enum { STEM = 200, IMAGE_PART = 120 };

struct pieces {
	const struct as_profile *prof;
	struct as_order object; /* by path and id */
	size_t n_objects, n_events;
	bool *has; /* n_objects * n_events: the image has samples of the event at some address */
};

static void dcpi_pieces_mark(struct pieces *ps, as_func func, uint64_t addr, const as_val *v)
{
	bool *has = ps->has + ps->prof->func.object.p[func.i].i * ps->n_events;

	if (!as_row_addr(ps->prof, func, addr, &addr))
		return;
	for (size_t k = 0; k < ps->n_events; k++)
		has[k] |= v[k] != 0;
}

/* Every event of the image of FUNC is known to have samples: more cannot be learnt. */
static bool is_marked(const struct pieces *ps, as_func func)
{
	const bool *has = ps->has + ps->prof->func.object.p[func.i].i * ps->n_events;

	return !memchr(has, false, ps->n_events);
}

static void mark_run(struct pieces *ps, const struct as_run *run, as_val *v)
{
	struct as_rows_view view;
	struct as_rows_cur cur;

	as_rows_begin(&cur, &ps->prof->self, run, v);
	while (!is_marked(ps, run->func) && as_rows_next_view(&cur, &view)) {
		if (view.n) {
			memset(v, 0, ps->n_events * sizeof(*v));
			v[0] = 1;
		}
		dcpi_pieces_mark(ps, run->func, cur.addr, v);
	}
}

static bool mark_rows(struct pieces *ps)
{
	const struct as_profile *prof = ps->prof;
	size_t size = ps->n_events * sizeof(as_val) + 1;
	as_val *v = as_alloc_new(prof->al, size);

	if (!v)
		return false;
	for (size_t r = 0; r < prof->self.run.n; r++)
		mark_run(ps, &prof->self.run.p[r], v);
	as_alloc_free(prof->al, v, size);
	return true;
}

static void mark_samples(struct pieces *ps)
{
	const struct as_profile *prof = ps->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_place place = prof->node.place.p[prof->sample.node.p[i].i];
		struct as_pos pos = as_place_pos(prof, place);

		dcpi_pieces_mark(ps, pos.func, pos.addr, prof->sample.cost.p + i * ps->n_events);
	}
}

static bool pieces_init(struct pieces *ps, const struct as_profile *prof)
{
	*ps = (struct pieces){.prof = prof, .n_objects = prof->object.n, .n_events = prof->event.n};
	ps->has = as_alloc_new(prof->al, ps->n_objects * ps->n_events + 1);
	if (!ps->has || !as_order_init(&ps->object, prof->al, ps->n_objects, as_object_cmp, prof) ||
		!mark_rows(ps))
		return false;
	mark_samples(ps);
	return true;
}

static void pieces_release(struct pieces *ps)
{
	as_order_release(&ps->object, ps->prof->al);
	as_alloc_free(ps->prof->al, ps->has, ps->n_objects * ps->n_events + 1);
}

/* The next piece from number *AT of the grid of images and events on; false at its end. */
static bool dcpi_pieces_next_piece(const struct pieces *ps, size_t *at, struct dcpi_piece *piece)
{
	for (; *at < ps->n_objects * ps->n_events; (*at)++) {
		uint32_t object = ps->object.at[*at / ps->n_events];
		size_t event = *at % ps->n_events;

		if (!ps->has[object * ps->n_events + event])
			continue;
		*piece = (struct dcpi_piece){{object}, (uint32_t)event};
		(*at)++;
		return true;
	}
	return false;
}

/* Without samples at any address there is still one file to write, of the first image. */
static struct dcpi_piece empty_piece(const struct pieces *ps)
{
	return (struct dcpi_piece){{ps->n_objects > 1 ? ps->object.at[1] : 0}, 0};
}

bool as_dcpi_piece(const struct as_profile *prof, uint32_t number, struct dcpi_piece *piece)
{
	struct pieces ps;
	bool ok = pieces_init(&ps, prof);
	size_t at = 0;

	if (ok) {
		*piece = empty_piece(&ps);
		for (uint32_t i = 0; i <= number && dcpi_pieces_next_piece(&ps, &at, piece);)
			i++;
	}
	pieces_release(&ps);
	return ok;
}

uint32_t as_dcpi_pieces(const struct as_profile *prof)
{
	struct dcpi_piece piece;
	struct pieces ps;
	bool ok = pieces_init(&ps, prof);
	uint32_t n = 0;
	size_t at = 0;

	while (ok && n < UINT32_MAX && dcpi_pieces_next_piece(&ps, &at, &piece))
		n++;
	pieces_release(&ps);
	return ok && !n ? 1 : n;
}

/* Letters, digits and "._+-" stand, everything else becomes '_'; so does a '.' in front. */
static size_t put_safe(char *name, size_t size, struct as_slice text)
{
	size_t n = 0;

	for (; n < text.len && n + 1 < size; n++) {
		char c = text.p[n];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		bool safe = letter || (c >= '0' && c <= '9') || (c && strchr("._+-", c));

		if (!safe || (n == 0 && (c == '.' || c == '-')))
			c = '_';
		name[n] = c;
	}
	return n;
}

static void stem_of(const struct as_profile *prof, struct dcpi_piece piece, char stem[STEM])
{
	struct as_slice image = as_base_name(as_object_path(prof, piece.object));
	size_t n = put_safe(stem, IMAGE_PART, image.len ? image : as_slice_of("unknown"));

	if (piece.event < prof->event.n) {
		stem[n++] = '-';
		n += put_safe(
			stem + n, STEM - n, as_str_get(prof, prof->event.p[piece.event].name));
	}
	stem[n] = 0;
}

void as_dcpi_piece_name(const struct as_profile *prof, uint32_t number, char *name, size_t size)
{
	char stem[STEM] = "profile", other[STEM];
	struct dcpi_piece piece = {{0}, 0}, other_piece;
	struct pieces ps;
	bool unique = true;
	size_t at = 0;

	if (pieces_init(&ps, prof)) {
		piece = empty_piece(&ps);
		for (uint32_t i = 0; i <= number && dcpi_pieces_next_piece(&ps, &at, &piece);)
			i++;
		stem_of(prof, piece, stem);
		for (at = 0; dcpi_pieces_next_piece(&ps, &at, &other_piece);) {
			stem_of(prof, other_piece, other);
			unique &= strcmp(stem, other) != 0 ||
				  (other_piece.object.i == piece.object.i &&
					  other_piece.event == piece.event);
		}
	}
	pieces_release(&ps);
	/* No stem holds a '~', so a number behind one cannot make a name that there is already. */
	if (unique)
		snprintf(name, size, "%s.dcpi", stem);
	else
		snprintf(name, size, "%s~%" PRIu32 ".dcpi", stem, number + 1);
}
