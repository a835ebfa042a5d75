/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbol_job.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/sort.h"
#include "symbols/names/symbol_text.h"
#include "symbols/symbol_file.h"

/* ---- the question ---- */

static int cmp_vaddr(const void *a, const void *b)
{
	const struct as_symaddr *x = a, *y = b;

	int cmp = as_cmp_u64(x->vaddr, y->vaddr);

	return cmp ? cmp : as_cmp_u64(x->addr, y->addr);
}

/*
 * Whether the addresses are offsets in the file. Formats that do not say have addresses as the
 * linker laid them out, but what was converted into them may not: where one of the two readings
 * is impossible, it is the other.
 */
static bool sym_job_are_offsets(const struct as_symjob *job, struct as_elf *elf)
{
	enum as_addr_kind kind = job->prof->object.p[job->report.object.i].addr_kind;
	bool virtual = true, offset = true;
	uint64_t vaddr;

	for (size_t i = 0; kind == AS_ADDR_UNKNOWN && i < job->n; i++) {
		virtual = virtual && as_elf_code(elf, job->addr[i].addr, 1);
		offset = offset && as_elf_vaddr(elf, job->addr[i].addr, &vaddr);
	}
	return kind == AS_ADDR_FILE_OFFSET || (offset && !virtual);
}

/* What is to be added to the addresses of a profile that has those of the image. */
static uint64_t sym_job_base(const struct as_symjob *job, const struct as_elf *elf)
{
	uint64_t base = UINT64_MAX;
	struct as_elf_segment seg;

	if (job->prof->object.p[job->report.object.i].addr_kind != AS_ADDR_IMAGE)
		return 0;
	for (size_t i = 0; as_elf_segment_nth(elf, i, &seg); i++)
		base = seg.vaddr < base ? seg.vaddr : base;
	return base == UINT64_MAX ? 0 : base;
}

/* Addresses that no segment holds go: nothing is known of them. */
static bool to_vaddr(struct as_symjob *job, struct as_elf *elf)
{
	bool offsets = sym_job_are_offsets(job, elf);
	uint64_t base = sym_job_base(job, elf);
	size_t n = 0;

	for (size_t i = 0; i < job->n; i++) {
		struct as_symaddr a = job->addr[i];

		a.vaddr = a.addr + base;
		if (!offsets || as_elf_vaddr(elf, a.addr, &a.vaddr))
			job->addr[n++] = a;
	}
	job->n = n;
	if (n)
		qsort(job->addr, n, sizeof(*job->addr), cmp_vaddr);
	if (!as_arena_array(&job->arena, &job->vaddr, n) ||
		!as_arena_array(&job->arena, &job->known, n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!i || job->addr[i].vaddr != job->addr[i - 1].vaddr)
			job->vaddr[job->n_vaddr++] = job->addr[i].vaddr;
	return true;
}

/* ---- asking ---- */

/*
 * What the answers depend on besides the object: where the debug information came from. The file
 * itself, too: stripped or not, it has the same build id.
 */
static enum as_code cache_key(
	struct as_symjob *job, struct as_elf *elf, struct as_symcache_key *key)
{
	struct as_slice debug = as_elf_debug_path(elf);
	struct as_file_facts facts = {0, 0}, own = {0, 0};

	*key = (struct as_symcache_key){
		.build_id = as_elf_facts(elf)->build_id, .inlines = !job->opts->no_inlines};
	debug = as_arena_dup(&job->arena, debug);
	AS_TRY(as_memory(debug.p));
	if (debug.len)
		as_file_facts(debug.p, &facts);
	if (job->report.file.len)
		as_file_facts(job->report.file.p, &own);
	key->debug_file = as_arena_printf(&job->arena, "%s %" PRIu64 " %" PRIu64 " %" PRIu64,
		debug.p, facts.mtime, facts.size, own.size);
	return key->debug_file.p ? AS_OK : AS_E_NOMEM;
}

/* The answers of the file, with readable names: SET is new. */
static enum as_code sym_job_read(struct as_symjob *job, struct as_elf *elf, const uint64_t *list,
	size_t n, struct as_symset *set, struct as_err *err)
{
	struct as_symset found;
	enum as_code rc = AS_E_NOMEM;

	if (as_symset_init(&found, job->prof->al))
		rc = as_elf_lookup(elf, list, n, !job->opts->no_inlines, &found, err);
	if (rc == AS_OK && !as_symset_readable(set, &found))
		rc = AS_E_NOMEM;
	as_symset_release(&found);
	return rc;
}

/* What the file cannot tell costs its names. */
static enum as_code sym_job_lookup(struct as_symjob *job, struct as_elf *elf, const uint64_t *list,
	size_t n, struct as_symset *set)
{
	struct as_err err = AS_ERR_NONE;
	enum as_code rc = sym_job_read(job, elf, list, n, set, &err);

	if (rc == AS_OK || rc == AS_E_NOMEM || rc == AS_E_UNSUPPORTED)
		return rc;
	job->report.state = AS_OBJECT_DAMAGED;
	job->report.note = as_arena_dup(&job->arena, as_slice_of(err.msg));
	job->n = 0;
	return job->report.note.p ? AS_OK : AS_E_NOMEM;
}

static enum as_code sym_job_ask(struct as_symjob *job, struct as_elf *elf)
{
	const struct as_symcache *cache = &job->opts->cache;
	struct as_symcache_key key;
	uint64_t *list; /* of the addresses, those that the cache does not know */
	size_t n = 0;

	AS_TRY(cache_key(job, elf, &key));
	AS_TRY(as_symcache_get(cache, &key, job->vaddr, job->n_vaddr, &job->own[0], job->known));
	AS_TRY(as_memory(as_arena_array(&job->arena, &list, job->n_vaddr)));
	for (size_t i = 0; i < job->n_vaddr; i++)
		if (!job->known[i])
			list[n++] = job->vaddr[i];
	if (!n)
		return AS_OK;
	AS_TRY(sym_job_lookup(job, elf, list, n, &job->own[1]));
	if (!job->n || as_elf_facts(elf)->complaint.len)
		return AS_OK; /* a part is missing that may be there the next time */
	return as_symcache_put(cache, &key, list, n, &job->own[1]);
}

/* ---- asking what is kept ---- */

/* The answers of the cache on disk for the first addresses of the object; *N of LIST are left. */
static enum as_code sym_job_ask_cache(
	struct as_symjob *job, struct as_elf *elf, uint64_t *list, size_t *n)
{
	struct as_kept_object *ob = job->kept;
	struct as_symcache_key key;
	size_t left = 0;

	AS_TRY(cache_key(job, elf, &key));
	ob->cache = job->opts->cache;
	ob->key = key;
	ob->key.debug_file = as_arena_dup(&ob->arena, key.debug_file);
	ob->asked = true;
	AS_TRY(as_memory(ob->key.debug_file.p));
	AS_TRY(as_symcache_get(&ob->cache, &key, list, *n, &job->own[0], job->known));
	AS_TRY(as_memory(as_kept_put(ob, list, *n, &job->own[0], job->known, false)));
	for (size_t i = 0; i < *n; i++)
		if (!job->known[i])
			list[left++] = list[i];
	*n = left;
	return AS_OK;
}

static enum as_code sym_job_ask_new(struct as_symjob *job, struct as_elf *elf)
{
	struct as_kept_object *ob = job->kept;
	uint64_t *list; /* of the addresses, those whose answers are not kept */
	size_t n = 0;

	AS_TRY(as_memory(as_arena_array(&job->arena, &list, job->n_vaddr)));
	for (size_t i = 0; i < job->n_vaddr; i++)
		if (job->row[i] == UINT32_MAX)
			list[n++] = job->vaddr[i];
	if (n && !ob->asked)
		AS_TRY(sym_job_ask_cache(job, elf, list, &n));
	if (!n)
		return AS_OK;
	AS_TRY(sym_job_lookup(job, elf, list, n, &job->own[1]));
	if (!job->n)
		return AS_OK;
	return as_memory(
		as_kept_put(ob, list, n, &job->own[1], NULL, !as_elf_facts(elf)->complaint.len));
}

static enum as_code sym_job_ask_kept(struct as_symjob *job, struct as_elf *elf)
{
	AS_TRY(as_memory(as_arena_array(&job->arena, &job->row, job->n_vaddr)));
	as_kept_rows(job->kept, job->vaddr, job->n_vaddr, job->row);
	AS_TRY(sym_job_ask_new(job, elf));
	as_kept_rows(job->kept, job->vaddr, job->n_vaddr, job->row);
	job->set[0] = &job->kept->set;
	return AS_OK;
}

static enum as_code ask_elf(struct as_symjob *job, struct as_elf *elf)
{
	AS_TRY(as_memory(to_vaddr(job, elf)));
	AS_TRY(job->kept ? sym_job_ask_kept(job, elf) : sym_job_ask(job, elf));
	job->report.lacks = as_arena_dup(&job->arena, as_elf_facts(elf)->complaint);
	job->report.debug = as_arena_dup(&job->arena, as_elf_debug_path(elf));
	if (as_elf_facts(elf)->warning.len)
		job->report.note = as_arena_printf(&job->arena, "%.*s%s%.*s",
			AS_SLICE_FMT(job->report.note), job->report.note.len ? "; " : "",
			AS_SLICE_FMT(as_elf_facts(elf)->warning));
	return as_memory(job->report.lacks.p && job->report.debug.p && job->report.note.p);
}

/* ---- where the code is ---- */

enum { PAGE = 4096 };

/* What is mapped beside the segment, to fill its pages. */
static struct as_segment whole_pages(struct as_segment s)
{
	uint64_t before = s.from % PAGE, behind = (PAGE - s.limit % PAGE) % PAGE;

	if (before <= s.to && s.limit + behind >= s.limit) {
		s.from -= before;
		s.to -= before;
		s.limit += behind;
	}
	return s;
}

static bool add_segments(struct as_symjob *job, const struct as_elf *elf, bool pages)
{
	struct as_elf_segment seg;

	for (size_t i = 0; as_elf_segment_nth(elf, i, &seg); i++) {
		struct as_segment s = {
			job->report.object, seg.offset, seg.offset + seg.size, seg.vaddr};

		if (s.limit < s.from || (pages && !seg.exec))
			continue;
		if (pages)
			s = whole_pages(s);
		if (!as_vec_push(job->prof->al, &job->segment, s))
			return false;
	}
	return true;
}

/* An address may lie beside its segment, on the same page. */
static bool find_segments(struct as_symjob *job, const struct as_elf *elf)
{
	if (job->prof->object.p[job->report.object.i].addr_kind != AS_ADDR_FILE_OFFSET)
		return true;
	return add_segments(job, elf, false) && add_segments(job, elf, true);
}

/* ---- which file ---- */

static enum as_code ask_vdso(struct as_symjob *job)
{
	struct as_elf *elf;
	enum as_code rc;
	int fd;

	job->n = 0;
	rc = as_vdso_open(job->prof->al, &job->opts->elf, &elf, &fd);
	if (rc == AS_OK && elf) {
		job->n = (size_t)job->report.n_addrs;
		job->report.state = AS_OBJECT_NAMED;
		job->report.note = as_slice_of("named as the vdso of the kernel that runs here");
		rc = ask_elf(job, elf);
	}
	as_elf_close(elf);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* The object's file, which stays open if it is kept. */
static enum as_code sym_job_find(struct as_symjob *job, struct as_symfile *file)
{
	struct as_kept_names *kept = job->opts->kept;
	as_object o = job->report.object;
	enum as_code rc;

	job->kept = kept ? as_kept_find(kept, job->prof, o) : NULL;
	if (job->kept) {
		*file = job->kept->file;
		return AS_OK;
	}
	AS_TRY(as_symfile_find(job->prof, o, job->opts, &job->arena, file));
	if (!kept || !file->elf)
		return AS_OK;
	rc = as_kept_add(kept, job->prof, o, file, &job->kept);
	if (rc != AS_OK) {
		as_elf_close(file->elf);
		file->elf = NULL;
	}
	return rc;
}

static void sym_job_close(struct as_symjob *job)
{
	if (!job->kept)
		as_elf_close(job->file.elf);
	job->file.elf = NULL;
}

void as_symjob_find(struct as_symjob *job)
{
	struct as_object_report *r = &job->report;

	as_arena_init(&job->arena, job->prof->al);
	job->found = true;
	job->rc = sym_job_find(job, &job->file);
	if (job->rc != AS_OK)
		return;
	r->state = job->file.state;
	r->file = job->file.path;
	r->note = job->file.note;
	r->unproven = job->file.unproven;
}

/* What is no file may be in a list of names. */
bool as_symjob_asks(const struct as_symjob *job)
{
	return !job->found || job->file.elf || job->report.state == AS_OBJECT_NOT_A_FILE;
}

static enum as_code sym_job_run(struct as_symjob *job)
{
	enum as_code rc;

	for (int i = 0; i < 2; i++) {
		AS_TRY(as_memory(as_symset_init(&job->own[i], job->prof->al)));
		job->set[i] = &job->own[i];
	}
	if (job->file.elf) {
		rc = find_segments(job, job->file.elf) ? ask_elf(job, job->file.elf) : AS_E_NOMEM;
		sym_job_close(job);
		return rc;
	}
	if (as_slice_is(as_object_path(job->prof, job->report.object), "[vdso]"))
		return ask_vdso(job);
	job->n = 0;
	return AS_OK;
}

void as_symjob_run(struct as_symjob *job)
{
	if (!job->found)
		as_symjob_find(job);
	if (job->rc == AS_OK)
		job->rc = sym_job_run(job);
}

void as_symjob_release(struct as_symjob *job)
{
	for (int i = 0; i < 2; i++)
		if (job->own[i].al)
			as_symset_release(&job->own[i]);
	if (!job->arena.al)
		return;
	sym_job_close(job);
	as_vec_free(job->prof->al, &job->segment);
	as_arena_release(&job->arena);
}
