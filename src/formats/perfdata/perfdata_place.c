/* SPDX-License-Identifier: Apache-2.0 */
/* What is mapped where, and the places of the profile that addresses are. docs/formats/perfdata.md
 * §7. */
#include "formats/perfdata/perfdata.h"

/* A place of code that a process made: VERSION is that of its space; no place: no name, either. */
struct pd_made {
	uint64_t pc;
	uint32_t version;
	as_place place;
};

/* The LEN addresses from START on, of a space of that version: their spots are BIAS more. */
struct pd_near {
	uint64_t start, len, bias;
	uint64_t version;
};

enum { MADE = 1 << 12, KNOWN_BITS = 10, NEAR_BITS = 11, PAGE_BITS = 16, WINDOW_BITS = 32 };

/* Whatever place is known of a spot with this bit, the process may have a name for it by now;
 * nothing is mapped at the spot that is this alone. */
#define ASKS (UINT64_C(1) << 63)
#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

#define KERNEL_NAME "[kernel.kallsyms]"
/* Where the recorder has such mappings. */
#define TRUNCATED_AT UINT64_C(0x1fffffff0000)
#define UNKNOWN_AT UINT64_C(0x1fffffff4000)

/* ---- images ---- */

static uint64_t perfdata_place_hash(const struct pd_image *im)
{
	return as_hash_mix(as_hash_mix(as_hash_bytes(im->path.p, im->path.len),
				   as_hash_bytes(im->name.p, im->name.len)),
		as_hash_bytes(im->id.p, im->id.len) + im->kind);
}

static enum as_code place_image(struct as_pd *pd, struct pd_image im, uint32_t *row)
{
	uint64_t hash = perfdata_place_hash(&im), at = AS_INDEX_START;

	while (as_index_find(&pd->images, hash, &at, row)) {
		const struct pd_image *have = &pd->image.p[*row];

		if (have->kind == im.kind && as_slice_eq(have->path, im.path) &&
			as_slice_eq(have->id, im.id) && as_slice_eq(have->name, im.name))
			return AS_OK;
	}
	im.path = as_arena_dup(&pd->arena, im.path);
	im.id = as_arena_dup(&pd->arena, im.id);
	im.name = as_arena_dup(&pd->arena, im.name);
	im.offsets =
		im.kind == PD_FILE && (as_path_is_file(im.path) || as_slice_is(im.path, "[vdso]"));
	*row = (uint32_t)pd->image.n;
	if (as_arena_code(&pd->arena) != AS_OK || !as_vec_push(pd->al, &pd->image, im) ||
		!as_index_add(&pd->images, hash, *row))
		return as_err_no_memory(pd->rd->err);
	return AS_OK;
}

static enum as_code perfdata_place_object(struct as_pd *pd, uint32_t row, as_object *out)
{
	struct pd_image *im = &pd->image.p[row];

	as_assert(row < pd->image.n);
	if (!im->object.i) {
		AS_TRY(as_build_object(pd->rd->out, im->path, im->id, &im->object));
		pd->rd->out->prof->object.p[im->object.i].addr_kind =
			im->offsets ? AS_ADDR_FILE_OFFSET : AS_ADDR_ABSOLUTE;
	}
	if (im->kind != PD_FILE && !pd->kernel_object.i && as_slice_is(im->path, KERNEL_NAME))
		pd->kernel_object = im->object;
	*out = im->object;
	return AS_OK;
}

/* ---- mappings ---- */

/* The build id that the header has for PATH; of the kernel, whatever its name is there. */
static struct as_slice place_known_id(const struct as_pd *pd, struct as_slice path, bool kernel)
{
	bool itself = kernel && as_slice_starts(path, "[kernel");

	for (size_t i = 0; i < pd->build_id.n; i++) {
		const struct pd_build_id *id = &pd->build_id.p[i];

		if (itself ? id->kernel && (as_slice_starts(id->path, "[kernel") ||
						   as_slice_find_text(id->path, "vmlinux") <
							   id->path.len)
			   : as_slice_eq(id->path, path))
			return id->id;
	}
	return (struct as_slice){"", 0};
}

/* "[nf_tables]" of "/lib/modules/6.1/kernel/net/netfilter/nf_tables.ko.xz", as perf has it. */
static struct as_slice place_module(struct as_pd *pd, struct as_slice path)
{
	struct as_slice base = as_base_name(path);
	size_t end = as_slice_find_text(base, ".ko");

	if (as_slice_starts(path, "["))
		return path;
	base.len = end < base.len ? end : base.len;
	return as_arena_printf(&pd->arena, "[%.*s]", AS_SLICE_FMT(base));
}

/* The kernel and its modules. */
static enum as_code place_map_kernel(
	struct as_pd *pd, const struct as_perf_rec *rec, struct as_slice id)
{
	struct pd_image im = {.kind = PD_KERNEL, .id = id};
	struct as_perf_mapping m = {.range = {.start = rec->addr,
					    .limit = rec->addr + rec->len,
					    .offset = rec->offset,
					    .exec = true}};
	bool replaced = false;

	if (!id.len)
		im.id = place_known_id(pd, rec->text, true);
	im.path = as_slice_starts(rec->text, "[kernel") ? as_slice_of(KERNEL_NAME)
							: place_module(pd, rec->text);
	AS_TRY(as_err_memory(pd->rd->err, im.path.p));
	if (m.range.limit <= m.range.start)
		m.range.limit = UINT64_MAX;
	if (m.range.limit == m.range.start)
		return AS_OK;
	AS_TRY(place_image(pd, im, &m.image));
	m.range.path = pd->image.p[m.image].path;
	if (as_slice_is(m.range.path, KERNEL_NAME) && rec->addr)
		pd->kernel_start = rec->addr;
	pd->kernel_version = ++pd->n_versions;
	return as_err_memory(pd->rd->err, as_perf_space_put(pd->al, &pd->kernel, &m, &replaced));
}

/* A file that lost its name keeps it where a build id tells which it was. */
static struct as_slice perfdata_place_path(struct as_slice path, struct as_slice id)
{
	static const char deleted[] = " (deleted)";

	if (!path.len)
		return as_slice_of("//anon");
	if (id.len && as_slice_ends(path, deleted))
		path.len -= sizeof(deleted) - 1;
	return path;
}

static enum as_code place_map_user(
	struct as_pd *pd, const struct as_perf_rec *rec, struct as_slice id)
{
	struct pd_image im = {.kind = PD_FILE};
	struct as_perf_mapping m = {.range = {.start = rec->addr,
					    .limit = rec->addr + rec->len,
					    .offset = rec->offset,
					    .exec = true}};
	struct pd_proc *proc;
	uint32_t row;

	if (rec->len == 0 || rec->addr > UINT64_MAX - rec->len)
		return AS_OK;
	AS_TRY(as_pd_need_thread(pd, rec->pid, rec->tid, &row));
	proc = &pd->proc.p[pd->thread.p[row].proc];
	im.id = id.len ? id : place_known_id(pd, rec->text, false);
	im.path = perfdata_place_path(rec->text, im.id);
	AS_TRY(place_image(pd, im, &m.image));
	m.range.path = pd->image.p[m.image].path;
	if (!as_perf_space_put(pd->al, &proc->space, &m, &proc->replaced))
		return as_err_no_memory(pd->rd->err);
	proc->version = ++pd->n_versions;
	proc->listed = false;
	return as_pd_made_mapped(pd, proc, rec->text);
}

enum as_code as_pd_take_mmap(struct as_pd *pd, const struct as_perf_rec *rec)
{
	char text[2 * AS_PERF_BUILD_ID_MAX + 1];
	struct as_slice id = as_perf_hex_id(rec->build_id, rec->n_build_id, text);
	unsigned mode = rec->misc & AS_PERF_MODE_MASK;

	if (rec->misc & AS_PERF_MISC_DATA)
		return AS_OK;
	if (mode == AS_PERF_MODE_GUEST_KERNEL || mode == AS_PERF_MODE_GUEST_USER)
		return AS_OK;
	if (rec->pid == UINT32_MAX || mode == AS_PERF_MODE_KERNEL)
		return place_map_kernel(pd, rec, id);
	return place_map_user(pd, rec, id);
}

/* A function of the kernel's that came or went: of BPF programs, mostly. */
enum as_code as_pd_take_ksymbol(struct as_pd *pd, const struct as_perf_rec *rec)
{
	struct pd_image im = {.kind = PD_SYMBOL, .name = rec->text, .id = as_slice_of("")};
	struct as_perf_mapping m = {
		.range = {.start = rec->addr, .limit = rec->addr + rec->len, .exec = true}};
	bool replaced = false;

	if (rec->len == 0 || rec->addr > UINT64_MAX - rec->len)
		return AS_OK;
	im.path = as_slice_of(as_slice_starts(rec->text, "bpf_") ? "[bpf]" : KERNEL_NAME);
	if (rec->off || !rec->text.len)
		im = (struct pd_image){.kind = PD_KERNEL,
			.path = as_slice_of(KERNEL_NAME),
			.id = place_known_id(pd, as_slice_of(KERNEL_NAME), true)};
	AS_TRY(place_image(pd, im, &m.image));
	m.range.path = pd->image.p[m.image].path;
	pd->kernel_version = ++pd->n_versions;
	return as_err_memory(pd->rd->err, as_perf_space_put(pd->al, &pd->kernel, &m, &replaced));
}

/* The kernel itself is the same in all processes. */
static enum as_code place_list_kernel(struct as_pd *pd, struct pd_proc *proc)
{
	struct as_map map = {.start = pd->kernel_start,
		.part = proc->part,
		.object = pd->kernel_object,
		.exec = true};

	if (!pd->kernel_object.i || !pd->kernel_start || proc->kernel_part == proc->part)
		return AS_OK;
	proc->kernel_part = proc->part;
	map.offset = map.start;
	map.limit = UINT64_MAX;
	return as_build_map(pd->rd->out, &map);
}

enum as_code as_pd_list(struct as_pd *pd, struct pd_proc *proc)
{
	for (size_t i = 0; !proc->listed && i < proc->space.n; i++) {
		struct as_perf_mapping *m = &proc->space.p[i];
		struct as_map map = {.start = m->range.start,
			.limit = m->range.limit,
			.offset = m->range.offset,
			.part = proc->part,
			.exec = true};

		if (m->listed)
			continue;
		AS_TRY(perfdata_place_object(pd, m->image, &map.object));
		AS_TRY(as_build_map(pd->rd->out, &map));
		m->listed = true;
	}
	proc->listed = true;
	return place_list_kernel(pd, proc);
}

/* ---- places ---- */

/* What stands for code that is not known is at AT, where no program has any. */
static enum as_code place_pseudo(
	struct as_pd *pd, struct as_slice name, uint64_t at, as_place *place, as_place *out)
{
	struct as_map map = {.start = at, .limit = at + 0x1000, .exec = true};
	struct as_pos pos = {.addr = at + 0x10};
	const struct as_slice none = {NULL, 0};
	struct as_build *b = pd->rd->out;

	if (!place->i) {
		AS_TRY(as_build_object(b, name, none, &map.object));
		b->prof->object.p[map.object.i].addr_kind = AS_ADDR_ABSOLUTE;
		AS_TRY(as_build_map(b, &map));
		AS_TRY(as_build_func(b, name, map.object, (as_file){0}, 0, &pos.func));
		AS_TRY(as_build_place(b, &pos, place));
	}
	*out = *place;
	return AS_OK;
}

static enum as_code place_code(
	struct as_pd *pd, as_object object, struct as_slice name, uint64_t addr, as_place *out)
{
	struct as_pos pos = {.addr = addr};

	AS_TRY(as_build_func(
		pd->rd->out, name, object, (as_file){0}, name.len ? 0 : addr, &pos.func));
	return as_build_place(pd->rd->out, &pos, out);
}

/* ---- spots ---- */

/* The spot that is ADDR of IMAGE: a window of the image, and how far behind its beginning. */
static enum as_code place_spot_of(struct as_pd *pd, uint32_t image, uint64_t addr, uint64_t *spot)
{
	struct pd_window one = {.base = addr >> WINDOW_BITS << WINDOW_BITS, .image = image};
	uint64_t hash = as_hash_mix(image, one.base), at = AS_INDEX_START;
	uint32_t row;

	*spot = addr - one.base;
	while (as_index_find(&pd->windows, hash, &at, &row))
		if (pd->window.p[row].base == one.base && pd->window.p[row].image == image) {
			*spot += (uint64_t)row << WINDOW_BITS;
			return AS_OK;
		}
	if (!pd->window.n && !as_vec_push(pd->al, &pd->window, (struct pd_window){0}))
		return as_err_no_memory(pd->rd->err);
	row = (uint32_t)pd->window.n;
	if (row >= ASKS >> WINDOW_BITS || !as_vec_push(pd->al, &pd->window, one) ||
		!as_index_add(&pd->windows, hash, row))
		return as_err_no_memory(pd->rd->err);
	*spot += (uint64_t)row << WINDOW_BITS;
	return AS_OK;
}

static const struct pd_window *place_window(const struct as_pd *pd, uint64_t spot)
{
	return &pd->window.p[(spot & ~ASKS) >> WINDOW_BITS];
}

/* The one that is known of SPOT, or where that will stand: its spot is 0. */
static inline struct pd_known *place_known_slot(
	struct pd_known *known, unsigned shift, uint64_t spot)
{
	size_t i = (size_t)(spot * SPREAD >> shift);

	while (AS_UNLIKELY(known[i].spot != spot) && known[i].spot)
		i = (i + 1) & (size_t)(UINT64_MAX >> shift);
	return &known[i];
}

static bool place_known_grow(struct as_pd *pd)
{
	struct pd_known *old = pd->known;
	size_t n = old ? (size_t)1 << (64 - pd->known_shift) : 0;

	pd->known_shift = old ? pd->known_shift - 1 : 64 - KNOWN_BITS;
	if (!as_alloc_array(pd->al, &pd->known, (size_t)1 << (64 - pd->known_shift)))
		return false;
	for (size_t i = 0; i < n; i++)
		if (old[i].spot)
			*place_known_slot(pd->known, pd->known_shift, old[i].spot) = old[i];
	as_alloc_free(pd->al, old, n * sizeof(*old) + 1);
	return true;
}

/* The place at SPOT. */
static enum as_code place_at_spot(struct as_pd *pd, uint64_t spot, as_place *out)
{
	const struct pd_window *window = place_window(pd, spot);
	struct pd_known *slot;
	as_object object;

	if (pd->n_known >> (63 - pd->known_shift) && !place_known_grow(pd))
		return as_err_no_memory(pd->rd->err);
	slot = place_known_slot(pd->known, pd->known_shift, spot);
	if (!slot->spot) {
		AS_TRY(perfdata_place_object(pd, window->image, &object));
		AS_TRY(place_code(pd, object, pd->image.p[window->image].name,
			window->base + (uint32_t)spot, out));
		*slot = (struct pd_known){.spot = spot, .place = *out};
		pd->n_known++;
	}
	*out = slot->place;
	return AS_OK;
}

/* ---- places that stand for others ---- */

/* Of a part of the system that has no mappings: all its code is one object. */
static enum as_code place_other(struct as_pd *pd, const struct pd_frame *f, as_place *out)
{
	static const char *const name[AS_PERF_MODES] = {[AS_PERF_MODE_HYPERVISOR] = "[hypervisor]",
		[AS_PERF_MODE_GUEST_KERNEL] = "[guest.kernel.kallsyms]",
		[AS_PERF_MODE_GUEST_USER] = "[guest]"};
	const struct as_slice none = {NULL, 0};
	as_object object;

	AS_TRY(as_build_object(pd->rd->out, as_slice_of(name[f->mode]), none, &object));
	pd->rd->out->prof->object.p[object.i].addr_kind = AS_ADDR_ABSOLUTE;
	return place_code(pd, object, none, f->pc, out);
}

/* Code of the kernel that nobody has mapped. */
static enum as_code place_kernel(struct as_pd *pd, uint64_t pc, as_place *out)
{
	struct pd_image im = {.kind = PD_KERNEL, .path = as_slice_of(KERNEL_NAME)};
	uint64_t spot;

	if (pd->kernel_image == PD_NONE) {
		im.id = place_known_id(pd, im.path, true);
		AS_TRY(place_image(pd, im, &pd->kernel_image));
	}
	AS_TRY(place_spot_of(pd, pd->kernel_image, pc, &spot));
	return place_at_spot(pd, spot, out);
}

/* Code that the process itself made, and told of. */
static enum as_code place_name_made(
	struct as_pd *pd, struct pd_proc *proc, uint32_t image, uint64_t pc, as_place *out)
{
	struct pd_image anon = {.kind = PD_FILE, .path = as_slice_of("//anon"), .id = {"", 0}};
	struct as_build *b = pd->rd->out;
	struct as_pos pos = {.addr = pc};
	struct as_made_code code;
	as_object object;

	out->i = 0;
	AS_TRY(as_pd_made_find(pd, proc, pc, &code));
	if (!code.name.len)
		return AS_OK;
	if (image == PD_NONE)
		AS_TRY(place_image(pd, anon, &image));
	AS_TRY(perfdata_place_object(pd, image, &object));
	if (code.file.len)
		AS_TRY(as_build_file(b, code.file, &pos.file));
	pos.line = code.line;
	AS_TRY(as_build_func(b, code.name, object, pos.file, 0, &pos.func));
	return as_build_place(b, &pos, out);
}

/* No place: nobody knows what it is called. */
static enum as_code place_made(struct as_pd *pd, struct pd_proc *proc, uint64_t spot,
	const struct pd_frame *frame, as_place *out)
{
	uint32_t image = spot == ASKS ? PD_NONE : place_window(pd, spot)->image;
	struct pd_made *slot;

	if (!pd->made && !as_alloc_array(pd->al, &pd->made, MADE))
		return as_err_no_memory(pd->rd->err);
	slot = &pd->made[as_hash_mix(frame->pc, proc->version) % MADE];
	if (slot->pc != frame->pc || slot->version != proc->version) {
		AS_TRY(place_name_made(pd, proc, image, frame->pc, out));
		*slot = (struct pd_made){frame->pc, proc->version, *out};
	}
	*out = slot->place;
	return AS_OK;
}

static enum as_code place_unmapped(struct as_pd *pd, const struct pd_frame *frame, as_place *out)
{
	switch (frame->mode) {
	case AS_PERF_MODE_KERNEL:
		return place_kernel(pd, frame->pc, out);
	case AS_PERF_MODE_HYPERVISOR:
	case AS_PERF_MODE_GUEST_KERNEL:
	case AS_PERF_MODE_GUEST_USER:
		return place_other(pd, frame, out);
	case PD_TRUNCATED:
		return place_pseudo(
			pd, as_slice_of("[truncated]"), TRUNCATED_AT, &pd->truncated, out);
	default:
		return place_pseudo(pd, as_slice_of("[unknown]"), UNKNOWN_AT, &pd->unknown, out);
	}
}

/* ---- those of a stack ---- */

/* What frames of one part of the system are in. */
struct place_map {
	const struct as_perf_space *space;
	uint64_t version;
	uint64_t asks; /* ASKS where code that a process made may have a name */
};

/* The spot of PC, and into NEAR what is mapped there. */
static AS_NOINLINE enum as_code place_look_near(struct as_pd *pd, const struct place_map *map,
	uint64_t pc, struct pd_near *near, uint64_t *spot)
{
	const struct as_perf_mapping *m = as_perf_space_find(map->space, pc);
	uint64_t addr = pc, asks = map->asks, below, above;

	*spot = ASKS;
	if (!m)
		return AS_OK;
	if (pd->image.p[m->image].offsets) {
		addr -= m->range.start - m->range.offset;
		asks = 0;
	}
	AS_TRY(place_spot_of(pd, m->image, addr, spot));
	*spot |= asks;
	below = (uint32_t)addr;
	above = (UINT64_C(1) << WINDOW_BITS) - below;
	below = below < pc - m->range.start ? below : pc - m->range.start;
	above = above < m->range.limit - pc ? above : m->range.limit - pc;
	*near = (struct pd_near){pc - below, below + above, *spot - pc, map->version};
	return AS_OK;
}

/*
 * Where the frames from ROW on are that belong to the same part of the system; *ROW: the first
 * behind them. Frames of a stack alternate between objects: a search for each would take longer
 * than all else that is done for it. The memory that places are found in is on its way.
 */
static enum as_code place_spots(struct as_pd *pd, const struct place_map *map, size_t *row)
{
	const struct pd_frame *f = pd->frame.p + *row, *end = pd->frame.p + pd->frame.n;
	const struct pd_known *known = pd->known;
	const unsigned shift = pd->known_shift;
	const uint64_t version = map->version, mixed = version * SPREAD;
	const uint8_t mode = f->mode;
	struct pd_near *first = pd->near;
	uint64_t *spot = pd->spot.p + *row;

	for (; f < end && f->mode == mode; f++, spot++) {
		struct pd_near *near =
			&first[((f->pc >> PAGE_BITS) ^ mixed) * SPREAD >> (64 - NEAR_BITS)];

		if (AS_LIKELY(near->version == version && f->pc - near->start < near->len))
			*spot = f->pc + near->bias;
		else
			AS_TRY(place_look_near(pd, map, f->pc, near, spot));
		AS_PREFETCH(&known[*spot * SPREAD >> shift]);
	}
	*row = (size_t)(f - pd->frame.p);
	return AS_OK;
}

static enum as_code place_all_spots(struct as_pd *pd, const struct pd_proc *proc)
{
	const struct place_map user = {&proc->space, proc->version, pd->rd->made ? ASKS : 0};
	const struct place_map kernel = {&pd->kernel, pd->kernel_version, 0};

	for (size_t i = 0; i < pd->frame.n;) {
		if (pd->frame.p[i].mode == AS_PERF_MODE_USER)
			AS_TRY(place_spots(pd, &user, &i));
		else if (pd->frame.p[i].mode == AS_PERF_MODE_KERNEL)
			AS_TRY(place_spots(pd, &kernel, &i));
		else
			pd->spot.p[i++] = ASKS;
	}
	return AS_OK;
}

/* The place of FRAME, which is at SPOT, where it is not known, or may have another name by now. */
static AS_NOINLINE enum as_code place_of(struct as_pd *pd, struct pd_proc *proc, uint64_t spot,
	const struct pd_frame *frame, as_place *to)
{
	to->i = 0;
	if (spot & ASKS && pd->rd->made && frame->mode == AS_PERF_MODE_USER)
		AS_TRY(place_made(pd, proc, spot, frame, to));
	if (to->i)
		return AS_OK;
	return spot == ASKS ? place_unmapped(pd, frame, to) : place_at_spot(pd, spot & ~ASKS, to);
}

static enum as_code place_frames(struct as_pd *pd, struct pd_proc *proc)
{
	const uint64_t *first = pd->spot.p, *spot = first + pd->frame.n;
	struct pd_known *known = pd->known, *at;
	unsigned shift = pd->known_shift;
	as_place *to = pd->place.p;

	while (spot-- > first) {
		at = place_known_slot(known, shift, *spot);
		if (AS_LIKELY(at->spot)) {
			*to++ = at->place;
			continue;
		}
		AS_TRY(place_of(pd, proc, *spot, &pd->frame.p[spot - first], to));
		to += to == pd->place.p || to->i != pd->unknown.i || to[-1].i != to->i;
		known = pd->known;
		shift = pd->known_shift;
	}
	pd->place.n = (size_t)(to - pd->place.p);
	return AS_OK;
}

enum as_code as_pd_places(struct as_pd *pd, struct pd_proc *proc)
{
	size_t n = pd->frame.n;

	if (!as_vec_reserve(pd->al, &pd->place, n) || !as_vec_reserve(pd->al, &pd->spot, n) ||
		(!pd->known && !place_known_grow(pd)) ||
		(!pd->near && !as_alloc_array(pd->al, &pd->near, (size_t)1 << NEAR_BITS)))
		return as_err_no_memory(pd->rd->err);
	AS_TRY(place_all_spots(pd, proc));
	return place_frames(pd, proc);
}
