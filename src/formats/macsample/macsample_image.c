/* SPDX-License-Identifier: Apache-2.0 */
/* Binaries, with their paths and UUIDs. docs/formats/macsample.md §5. */
#include "formats/macsample/macsample.h"

static struct ms_image *macsample_image_find(struct as_ms *ms, struct as_slice name)
{
	uint64_t hash = as_hash_bytes(name.p, name.len), at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&ms->images, hash, &at, &row))
		if (as_slice_eq(ms->image.p[row].name, name))
			return &ms->image.p[row];
	return NULL;
}

/* Without its dashes; "" if it is none. */
static bool macsample_image_id(struct as_ms *ms, struct as_slice uuid, struct as_slice *out)
{
	char id[64];
	size_t n = 0;

	for (size_t i = 0; i < uuid.len && n < sizeof(id); i++)
		if (uuid.p[i] != '-')
			id[n++] = uuid.p[i];
	*out = as_slice_is_hex((struct as_slice){id, n})
		       ? as_arena_dup(&ms->arena, (struct as_slice){id, n})
		       : as_slice_of("");
	return out->p;
}

/* "  0x103746000 -  0x103a8bfff +demo (0) <DE46DD52-...> /tmp/a demo" */
static bool macsample_image_line(struct as_slice line, struct ms_image *image)
{
	size_t end = as_slice_find_text(line, "> /"), from;
	struct as_slice word, rest = line;

	if (!as_slice_word(&rest, &word) || !as_slice_num(word, &image->start) || end == line.len)
		return false;
	if (!as_slice_word(&rest, &word) || !as_slice_is(word, "-") ||
		!as_slice_word(&rest, &word) || !as_slice_num(word, &image->last))
		image->last = 0;
	from = as_slice_up_to_last((struct as_slice){line.p, end}, '<');
	image->id = (struct as_slice){line.p + from, end - from};
	image->path = as_slice_skip(line, end + 2);
	return from > 0;
}

enum as_code as_ms_image(struct as_ms *ms, struct as_slice line)
{
	struct ms_image one = {.twice = false}, *same;
	uint32_t row = (uint32_t)ms->image.n;

	if (!macsample_image_line(line, &one))
		return AS_OK;
	one.path = as_arena_dup(&ms->arena, one.path);
	AS_TRY(as_err_memory(ms->rd->err, one.path.p && macsample_image_id(ms, one.id, &one.id)));
	one.name = as_base_name(one.path);
	same = macsample_image_find(ms, one.name);
	if (same) {
		same->twice = true;
		return AS_OK;
	}
	return as_err_memory(ms->rd->err,
		as_vec_push(ms->al, &ms->image, one) &&
			as_index_add(&ms->images, as_hash_bytes(one.name.p, one.name.len), row));
}

/* Where it was: from its first byte, which is the first of the file, to its last. */
static enum as_code macsample_image_map(
	struct as_ms *ms, const struct ms_image *image, uint32_t object)
{
	struct as_map map = {
		.object = {object}, .start = image->start, .limit = image->last + 1, .exec = true};

	if (image->last <= image->start || image->last == UINT64_MAX)
		return AS_OK;
	return as_build_map(ms->rd->out, &map);
}

enum as_code as_ms_put_images(struct as_ms *ms)
{
	struct as_build *b = ms->rd->out;

	for (uint32_t i = 1; i < b->prof->object.n; i++) {
		struct as_object_row *object = &b->prof->object.p[i];
		const struct ms_image *image =
			macsample_image_find(ms, as_str_get(b->prof, object->path));

		if (!image || image->twice)
			continue;
		AS_TRY(as_build_str(b, image->path, &object->path));
		AS_TRY(as_build_str(b, image->id, &object->id));
		AS_TRY(macsample_image_map(ms, image, i));
	}
	return AS_OK;
}
