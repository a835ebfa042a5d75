/* SPDX-License-Identifier: Apache-2.0 */
/* The file of counted calls, and its memory. */
#include <cpuid.h>
#include <stdlib.h>

#include "preload/calls.h"
#include "preload/sampler.h"

enum { FRAMES = 1024, EDGES = 255, MAPS = 64 << 10, MAPS_MAX = 2048, THREADS = 256, NAMES = 1000 };
enum { MAIN_STACK = 8 << 20, STEADY = 1 << 8 };

extern void *__libc_stack_end; /* of ld.so: where the first thread's stack begins */

struct as_calls_process as_calls;
_Thread_local struct as_calls_thread *as_calls_mine;

static char calls_path[PATH_MAX];
static struct {
	uint64_t start, end, offset, inode;
	uint32_t line;
	bool seen;
} calls_known[MAPS_MAX];
static uint32_t n_calls_known, n_calls_lines;

static uint64_t calls_page(uint64_t n)
{
	return (n + AS_CALLS_PAGE - 1) / AS_CALLS_PAGE * AS_CALLS_PAGE;
}

/* N bytes more of the file, in memory; NULL: there is no room. */
static void *calls_extend(uint64_t n)
{
	struct as_calls_process *c = &as_calls;
	long did = as_raw(SYS_fallocate, c->fd, 0, (long)c->size, (long)n, 0, 0);
	long p;

	if (did == -EOPNOTSUPP)
		did = as_raw3(SYS_ftruncate, c->fd, (long)(c->size + n), 0);
	if (did < 0)
		return NULL;
	p = as_raw(SYS_mmap, 0, (long)n, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, (long)c->size);
	if (p < 0 && p > -AS_CALLS_PAGE)
		return NULL;
	c->size += n;
	return (void *)p;
}

/* A block for N bytes behind its head; the lock is held. */
static struct as_calls_block *calls_block(
	enum as_calls_kind kind, uint64_t n, const struct as_calls_thread *t)
{
	uint64_t bytes = calls_page(sizeof(struct as_calls_block) + n);
	struct as_calls_block *b = as_calls.head ? calls_extend(bytes) : NULL;

	if (!b) {
		if (as_calls.head)
			as_calls.head->flags |= AS_CALLS_FULL;
		return NULL;
	}
	b->bytes = bytes;
	b->base = (uint64_t)(uintptr_t)b;
	b->thread = (uint64_t)(uintptr_t)t;
	b->kind = kind;
	if (kind == AS_CALLS_EDGES) {
		b->before = as_calls.edges;
		as_calls.edges = b;
	}
	return b;
}

static struct as_calls_block *calls_locked_block(
	enum as_calls_kind kind, uint64_t n, const struct as_calls_thread *t)
{
	struct as_calls_block *b;
	uint64_t mask;

	as_lock(&as_calls.lock, &mask);
	b = calls_block(kind, n, t);
	as_unlock(&as_calls.lock, &mask);
	return b;
}

bool as_calls_grow_stack(struct as_calls_thread *t)
{
	uint64_t n = t->base ? (uint64_t)(t->row.top - t->base) + 1 : 0;
	uint64_t room = t->base ? 2 * (uint64_t)(t->end - t->base) : FRAMES;
	struct as_calls_block *b;
	struct as_calls_frame *f;

	b = calls_locked_block(AS_CALLS_STACK, room * sizeof(*f), t);
	if (!b)
		return false;
	f = (struct as_calls_frame *)(b + 1);
	memcpy(f, t->base, n * sizeof(*f));
	t->base = f;
	t->end = f + room;
	t->row.top = f + (n ? n - 1 : 0);
	return true;
}

bool as_calls_more_edges(struct as_calls_thread *t)
{
	uint64_t n = t->n > EDGES ? t->n : EDGES;
	struct as_calls_block *b;

	b = calls_locked_block(AS_CALLS_EDGES, n * sizeof(*t->fresh), t);
	if (!b)
		return false;
	t->fresh = (struct as_calls_edge *)(b + 1);
	t->fresh_end = t->fresh + (b->bytes - sizeof(*b)) / sizeof(*t->fresh);
	as_calls_moment();
	return true;
}

void as_calls_moment(void)
{
	as_calls.head->last_ns = as_raw_clock(CLOCK_MONOTONIC);
	as_calls.head->last_tsc = __rdtsc();
}

/* ---- which code is where ---- */

static void calls_put_map(void *ctx, const struct as_map *map, const struct as_build_id *id)
{
	char line[PATH_MAX + 256];
	struct as_words w = {line, 0, sizeof(line)};
	struct as_calls_block *b = as_calls.maps;

	(void)ctx;
	for (uint32_t i = 0; i < n_calls_known; i++)
		if (calls_known[i].start == map->start && calls_known[i].end == map->end &&
			calls_known[i].offset == map->offset &&
			calls_known[i].inode == map->inode) {
			calls_known[i].seen = true;
			return;
		}
	if (!map->inode || !map->n_path || n_calls_known == MAPS_MAX)
		return;
	as_put_number(&w, map->start, 16, 1);
	as_puts(&w, " ");
	as_put_number(&w, map->end, 16, 1);
	as_puts(&w, " ");
	as_put_number(&w, map->offset, 16, 1);
	as_puts(&w, " ");
	for (unsigned i = 0; id && i < id->n; i++)
		as_put_number(&w, id->bytes[i], 16, 2);
	as_puts(&w, " ");
	as_put(&w, map->path, map->n_path);
	as_puts(&w, "\n");
	if (!b || w.n > b->bytes - sizeof(*b) - b->used)
		b = as_calls.maps = calls_block(AS_CALLS_MAPS, MAPS, NULL);
	if (!b)
		return;
	memcpy((char *)(b + 1) + b->used, w.p, w.n);
	b->used += w.n;
	calls_known[n_calls_known].start = map->start;
	calls_known[n_calls_known].end = map->end;
	calls_known[n_calls_known].offset = map->offset;
	calls_known[n_calls_known].inode = map->inode;
	calls_known[n_calls_known].seen = true;
	calls_known[n_calls_known++].line = n_calls_lines++;
}

static bool calls_is_known(uint64_t addr)
{
	for (uint32_t i = 0; i < n_calls_known; i++)
		if (addr - calls_known[i].start < calls_known[i].end - calls_known[i].start)
			return true;
	return false;
}

void as_calls_know(uint64_t addr)
{
	uint64_t mask;

	as_lock(&as_calls.lock, &mask);
	if (as_calls.head && !calls_is_known(addr))
		as_objects_refresh(&as_sampler.objects, calls_put_map, NULL);
	as_unlock(&as_calls.lock, &mask);
}

/* The address of code that is not there any more, as AS_CALLS_GONE has it; or as it is. */
static uint64_t calls_gone(uint64_t addr)
{
	for (uint32_t i = 0; i < n_calls_known; i++)
		if (!calls_known[i].seen &&
			addr - calls_known[i].start < calls_known[i].end - calls_known[i].start)
			return AS_CALLS_GONE | (uint64_t)calls_known[i].line << AS_CALLS_GONE_BITS |
			       (addr - calls_known[i].start);
	return addr;
}

/* In place, beside threads that count: none of them runs code of a library that was unloaded, so
 * none looks for these edges. */
static void calls_rename(void)
{
	for (struct as_calls_block *b = as_calls.edges; b; b = b->before) {
		struct as_calls_edge *e = (struct as_calls_edge *)(b + 1);
		uint64_t n = (b->bytes - sizeof(*b)) / sizeof(*e);

		for (; n; n--, e++) {
			e->fn = calls_gone(e->fn);
			e->caller = calls_gone(e->caller);
			e->site = calls_gone(e->site);
		}
	}
}

/* What comes to be where the library was is another one's. */
void as_calls_forget(void)
{
	uint32_t n = 0;
	uint64_t mask;

	if (atomic_load(&as_calls.state) != 1)
		return;
	as_lock(&as_calls.lock, &mask);
	for (uint32_t i = 0; i < n_calls_known; i++)
		calls_known[i].seen = false;
	as_objects_refresh(&as_sampler.objects, calls_put_map, NULL);
	calls_rename();
	for (uint32_t i = 0; i < n_calls_known; i++)
		if (calls_known[i].seen)
			calls_known[n++] = calls_known[i];
	n_calls_known = n;
	as_unlock(&as_calls.lock, &mask);
}

/* ---- the process ---- */

static bool calls_open(void)
{
	const char *base = getenv("ASSAY_CALLS");
	struct as_words w = {calls_path, 0, sizeof(calls_path) - 1};
	size_t n;

	if (!base || !*base)
		return false;
	as_puts(&w, base);
	as_puts(&w, "_");
	as_put_dec(&w, (uint64_t)as_raw_pid());
	n = w.n;
	as_calls.fd = -EEXIST;
	for (unsigned i = 1; i < NAMES && as_calls.fd == -EEXIST; i++) {
		w.n = n;
		if (i > 1) { /* what this process was before it became another program */
			as_puts(&w, ".");
			as_put_dec(&w, i);
		}
		calls_path[w.n] = '\0';
		as_calls.fd = as_raw_open(calls_path, O_RDWR | O_CREAT | O_EXCL, 0600);
	}
	if (as_calls.fd < 0)
		as_complain("calls are not counted: no file can be made: ", calls_path);
	return as_calls.fd >= 0;
}

/* Whether its counter runs at one rate. */
static bool calls_steady(void)
{
	unsigned a, b, c, d = 0;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & STEADY);
}

static void calls_put_command(struct as_calls_head *h)
{
	int fd = as_raw_open("/proc/self/cmdline", O_RDONLY, 0);
	long n = fd >= 0 ? as_raw_read(fd, h->command, sizeof(h->command)) : 0;

	if (fd >= 0)
		as_raw_close(fd);
	while (n > 0 && !h->command[n - 1])
		n--;
	for (long i = 0; i < n; i++)
		if (!h->command[i])
			h->command[i] = ' ';
	h->command_size = n > 0 ? (uint64_t)n : 0;
}

static bool calls_start(uint64_t flags)
{
	struct as_calls_process *c = &as_calls;

	c->size = 0;
	c->head = NULL;
	c->maps = NULL;
	c->all = NULL;
	c->edges = NULL;
	c->n_threads = n_calls_known = n_calls_lines = 0;
	if (!calls_open())
		return false;
	c->head = calls_extend(AS_CALLS_PAGE);
	if (!c->head)
		return false;
	c->head->magic = AS_CALLS_MAGIC;
	c->head->pid = (uint64_t)as_raw_pid();
	c->head->flags = flags | (calls_steady() ? 0 : AS_CALLS_UNSTEADY);
	calls_put_command(c->head);
	as_calls_moment();
	c->head->first_ns = c->head->last_ns;
	c->head->first_tsc = c->head->last_tsc;
	return true;
}

void as_calls_finish(void)
{
	if (atomic_load(&as_calls.state) != 1 || as_calls.head->pid != (uint64_t)as_raw_pid())
		return;
	for (struct as_calls_thread *t = as_calls.all; t; t = t->next)
		if (!t->ended)
			as_calls_name(t);
	as_calls_moment();
	as_calls.head->flags |= AS_CALLS_FINISHED;
}

/* ---- threads ---- */

void as_calls_name(struct as_calls_thread *t)
{
	char path[64];
	struct as_words w = {path, 0, sizeof(path) - 1};
	long n = 0;
	int fd;

	as_puts(&w, "/proc/self/task/");
	as_put_dec(&w, t->row.tid);
	as_puts(&w, "/comm");
	path[w.n] = '\0';
	fd = as_raw_open(path, O_RDONLY, 0);
	if (fd < 0)
		return;
	n = as_raw_read(fd, t->row.name, sizeof(t->row.name) - 1);
	as_raw_close(fd);
	if (n > 0 && t->row.name[n - 1] == '\n')
		t->row.name[n - 1] = '\0';
}

/* One that has ended: of so many threads several have one, and else one that comes to life again
 * in the destructors of what it had. */
static struct as_calls_thread *calls_ended(uint64_t tid)
{
	struct as_calls_thread *any = NULL;

	for (struct as_calls_thread *t = as_calls.all; t; t = t->next) {
		if (t->ended && t->row.tid == tid)
			return t;
		if (t->ended)
			any = t;
	}
	return as_calls.n_threads >= THREADS ? any : NULL;
}

static struct as_calls_thread *calls_take(uint64_t tid)
{
	struct as_calls_thread *t = calls_ended(tid);
	struct as_calls_block *b;

	if (t) {
		t->row.threads += t->row.tid != tid;
		return t;
	}
	b = calls_block(AS_CALLS_THREAD, sizeof(*t), NULL);
	if (!b)
		return NULL;
	t = (struct as_calls_thread *)(b + 1);
	b->thread = (uint64_t)(uintptr_t)t;
	t->row.threads = 1;
	t->next = as_calls.all;
	as_calls.all = t;
	as_calls.n_threads++;
	return t;
}

static void calls_bounds(struct as_calls_thread *t)
{
	uint64_t room = as_limit(RLIMIT_STACK), here = (uint64_t)(uintptr_t)&room;
	uint64_t first = (uint64_t)(uintptr_t)__libc_stack_end;

	room = room < MAIN_STACK ? room : MAIN_STACK;
	t->hi = here < first && first - here < room ? first : (uint64_t)pthread_self();
	if (here > t->hi || t->hi - here > room) /* a stack that somebody else made */
		t->hi = 0;
	t->lo = t->hi > room ? t->hi - room : 0;
}

static struct as_calls_thread *calls_new_thread(void)
{
	uint64_t tid = (uint64_t)as_raw_tid(), mask;
	struct as_calls_thread *t;

	as_lock(&as_calls.lock, &mask);
	t = calls_take(tid);
	if (t) {
		t->row.tid = tid;
		t->ended = false;
	}
	as_unlock(&as_calls.lock, &mask);
	if (!t || (!t->base && !as_calls_grow_stack(t)))
		return NULL;
	calls_bounds(t);
	t->base->edge = &t->root;
	t->base->sp = UINT64_MAX;
	t->row.top = t->base;
	return t;
}

struct as_calls_thread *as_calls_begin(void)
{
	uint64_t mask;

	if (atomic_load(&as_calls.state) == 2)
		return NULL;
	if (!atomic_load(&as_calls.state)) {
		as_sampler_ready();
		as_lock(&as_calls.lock, &mask);
		if (!atomic_load(&as_calls.state))
			atomic_store(&as_calls.state, calls_start(0) ? 1 : 2);
		as_unlock(&as_calls.lock, &mask);
		if (atomic_load(&as_calls.state) == 2)
			return NULL;
	}
	as_calls_mine = calls_new_thread();
	if (as_calls_mine)
		as_thread_watch();
	return as_calls_mine;
}

/* Functions that are open stay so until now. */
void as_calls_thread_end(void)
{
	struct as_calls_thread *t = as_calls_mine;
	uint64_t now = __rdtsc(), mask;

	if (!t)
		return;
	as_calls_mine = NULL;
	for (; t->row.top > t->base; t->row.left++)
		as_calls_pop(t, now);
	as_calls_name(t);
	as_lock(&as_calls.lock, &mask);
	t->ended = true;
	as_unlock(&as_calls.lock, &mask);
}

/* ---- fork ---- */

/* The child's copy of what is open in the thread that forks: the file is the parent's. */
static struct as_calls_frame *calls_open_frames;
static uint64_t n_calls_open;

void as_calls_before_fork(void)
{
	struct as_calls_thread *t = as_calls_mine;

	calls_open_frames = NULL;
	if (!t)
		return;
	n_calls_open = (uint64_t)(t->row.top - t->base);
	calls_open_frames = as_raw_memory((n_calls_open + 1) * sizeof(*calls_open_frames));
	if (calls_open_frames)
		memcpy(calls_open_frames, t->base + 1, n_calls_open * sizeof(*calls_open_frames));
}

void as_calls_in_parent(void)
{
	if (calls_open_frames)
		as_raw_unmap(calls_open_frames, (n_calls_open + 1) * sizeof(*calls_open_frames));
	calls_open_frames = NULL;
}

/* What is open goes on in a file of the child's own, from now, and is no new call. */
void as_calls_in_child(void)
{
	const struct as_calls_frame *open = calls_open_frames;
	struct as_calls_thread *t;

	if (atomic_load(&as_calls.state) != 1)
		return;
	atomic_store(&as_calls.lock, 0);
	as_raw_close(as_calls.fd);
	as_calls_mine = NULL;
	atomic_store(&as_calls.state, calls_start(AS_CALLS_FORKED) ? 1 : 2);
	t = open ? as_calls_begin() : NULL;
	for (uint64_t i = 0; t && i < n_calls_open; i++) {
		struct as_calls_frame f = open[i];

		if (t->row.top + 1 == t->end && !as_calls_grow_stack(t))
			break;
		f.edge = as_calls_edge_of(t, t->row.top->edge->fn, f.edge->fn, f.edge->site);
		f.children = 0;
		f.start = __rdtsc();
		*++t->row.top = f;
	}
	as_calls_in_parent();
}
