/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One gzip member, made by several threads. The text is cut into pieces of one size; each is
 * compressed alone, and ends at a byte. What comes out does not depend on how many threads there
 * were. libdeflate, where it is there, takes half of the time that zlib takes to the same size; by
 * zlib a piece has the end of the one before it as its dictionary.
 */
#include "io/gzip_out.h"

#include <errno.h>
#include <pthread.h>

#define ZLIB_CONST
#include <zlib.h>
#if AS_HAVE_DEFLATE
#include <libdeflate.h>

#include "io/deflate_join.h"
#endif

enum { PIECE = 256 * 1024, DICT = 32 * 1024, JOBS_MAX = 16, SLOTS_MAX = 2 * JOBS_MAX };
/* Of both libraries. Level 4 takes up to twice as long as level 1 and saves a twentieth. */
enum { LEVEL = 1, LEVEL_SMALL = 9, RAW_WINDOW = -15, MEM_LEVEL = 8, FLUSH_MAX = 64 };
enum { ROOM = 64 * 1024 };

struct slot {
	unsigned char *text; /* DICT bytes, of which the end of the piece before is the last; then
				PIECE bytes */
	unsigned char *out;
	size_t n, n_out;
	uLong crc;
	bool first, last; /* of all pieces */
	bool done;
	int rc;
};

/* What a thread compresses with. */
struct packer {
	z_stream zs;
#if AS_HAVE_DEFLATE
	struct libdeflate_compressor *quick; /* NULL: by zlib alone */
	z_stream in;                         /* of what that has made, for where it ends */
	unsigned char room[ROOM];
#endif
};

struct state {
	const struct as_alloc *al;
	struct as_sink *inner;
	struct slot slot[SLOTS_MAX];
	size_t n_slots, out_cap;
	int level;
	struct packer packer; /* of the thread that writes */
	uLong crc;
	uint64_t n_text;
	int rc; /* sticky */

	pthread_t thread[JOBS_MAX];
	unsigned jobs, n_threads;
	bool started;
	pthread_mutex_t mutex;
	pthread_cond_t queued, done;
	/* Pieces are numbered; each stands in slot NUMBER % n_slots. */
	uint64_t written; /* this many have gone to INNER; the writing thread's own, as FILLED */
	uint64_t taken;   /* by threads that compress; under the mutex, as all that follows: */
	uint64_t filled;  /* complete */
	bool stop;
};

/* ---- compressing ---- */

static bool packer_init(struct packer *pk, int level)
{
	memset(&pk->zs, 0, sizeof(pk->zs));
#if AS_HAVE_DEFLATE
	memset(&pk->in, 0, sizeof(pk->in));
	pk->quick = level == LEVEL && inflateInit2(&pk->in, RAW_WINDOW) == Z_OK
			    ? libdeflate_alloc_compressor(level)
			    : NULL;
#endif
	return deflateInit2(&pk->zs, level, Z_DEFLATED, RAW_WINDOW, MEM_LEVEL,
		       Z_DEFAULT_STRATEGY) == Z_OK;
}

static void packer_end(struct packer *pk)
{
#if AS_HAVE_DEFLATE
	libdeflate_free_compressor(pk->quick);
	inflateEnd(&pk->in);
#endif
	deflateEnd(&pk->zs);
}

/* False: zlib has to do it. */
static bool pack_quickly(const struct state *st, struct packer *pk, struct slot *s)
{
#if AS_HAVE_DEFLATE
	if (!pk->quick)
		return false;
	s->n_out = libdeflate_deflate_compress(
		pk->quick, s->text + DICT, s->n, s->out, st->out_cap - AS_DEFLATE_JOIN_MAX);
	return s->n_out &&
	       (s->last || as_deflate_go_on(&pk->in, pk->room, ROOM, s->out, &s->n_out));
#else
	(void)st;
	(void)pk;
	(void)s;
	return false;
#endif
}

static int pack_by_zlib(const struct state *st, z_stream *zs, struct slot *s)
{
	int z = deflateReset(zs);

	if (z == Z_OK && !s->first)
		z = deflateSetDictionary(zs, s->text, DICT);
	zs->next_in = s->text + DICT;
	zs->avail_in = (uInt)s->n;
	zs->next_out = s->out;
	zs->avail_out = (uInt)st->out_cap;
	if (z == Z_OK)
		z = deflate(zs, s->last ? Z_FINISH : Z_SYNC_FLUSH);
	s->n_out = st->out_cap - zs->avail_out;
	return z == (s->last ? Z_STREAM_END : Z_OK) && !zs->avail_in && zs->avail_out ? 0 : -EIO;
}

static void compress_piece(const struct state *st, struct packer *pk, struct slot *s)
{
	s->rc = pack_quickly(st, pk, s) ? 0 : pack_by_zlib(st, &pk->zs, s);
#if AS_HAVE_DEFLATE
	s->crc = libdeflate_crc32(0, s->text + DICT, s->n);
#else
	s->crc = crc32(0, s->text + DICT, (uInt)s->n);
#endif
}

/* Compress the first piece that nobody has taken; the mutex is held, but not meanwhile. */
static void take_piece(struct state *st, struct packer *pk)
{
	struct slot *s = &st->slot[st->taken++ % st->n_slots];

	as_assert(st->taken <= st->filled && !s->done);
	pthread_mutex_unlock(&st->mutex);
	compress_piece(st, pk, s);
	pthread_mutex_lock(&st->mutex);
	s->done = true;
	pthread_cond_signal(&st->done);
}

static void *gzip_out_work(void *arg)
{
	struct state *st = arg;
	struct packer *pk = as_alloc_new(&as_alloc_libc, sizeof(*pk));

	if (!pk || !packer_init(pk, st->level)) {
		if (pk)
			packer_end(pk);
		as_alloc_free(&as_alloc_libc, pk, sizeof(*pk));
		return NULL; /* the others do it */
	}
	pthread_mutex_lock(&st->mutex);
	while (!st->stop) {
		if (st->taken < st->filled)
			take_piece(st, pk);
		else
			pthread_cond_wait(&st->queued, &st->mutex);
	}
	pthread_mutex_unlock(&st->mutex);
	packer_end(pk);
	as_alloc_free(&as_alloc_libc, pk, sizeof(*pk));
	return NULL;
}

/* Threads are made when there is a second piece. */
static void gzip_out_start(struct state *st)
{
	st->started = true;
	while (st->n_threads + 1 < st->jobs &&
		pthread_create(&st->thread[st->n_threads], NULL, gzip_out_work, st) == 0)
		st->n_threads++;
}

static void gzip_out_stop(struct state *st)
{
	pthread_mutex_lock(&st->mutex);
	st->stop = true;
	pthread_cond_broadcast(&st->queued);
	pthread_mutex_unlock(&st->mutex);
	while (st->n_threads)
		pthread_join(st->thread[--st->n_threads], NULL);
}

/* ---- pieces in their order ---- */

static void gzip_out_send(struct state *st, const void *p, size_t n)
{
	if (!st->rc)
		st->rc = st->inner->write(st->inner, p, n);
}

/* Write the first piece that is not written yet, when it is done; help until then. */
static void gzip_out_write_piece(struct state *st)
{
	struct slot *s = &st->slot[st->written % st->n_slots];

	as_assert(st->written < st->filled);
	pthread_mutex_lock(&st->mutex);
	while (!s->done) {
		if (st->taken < st->filled)
			take_piece(st, &st->packer);
		else
			pthread_cond_wait(&st->done, &st->mutex);
	}
	pthread_mutex_unlock(&st->mutex);
	if (!st->rc)
		st->rc = s->rc;
	gzip_out_send(st, s->out, s->n_out);
	st->crc = crc32_combine(st->crc, s->crc, (z_off_t)s->n);
	st->n_text += s->n;
	s->n = 0;
	s->done = false;
	st->written++;
}

static bool make_slot(const struct state *st, struct slot *s)
{
	if (!s->text)
		s->text = st->al->resize(st->al->ctx, NULL, 0, DICT + PIECE);
	if (!s->out)
		s->out = st->al->resize(st->al->ctx, NULL, 0, st->out_cap);
	return s->text && s->out;
}

/* The piece that is being filled is complete. */
static void gzip_out_queue(struct state *st, bool last)
{
	struct slot *s = &st->slot[st->filled % st->n_slots];

	as_assert(st->filled - st->written < st->n_slots && s->n <= PIECE);
	s->first = !st->filled;
	s->last = last;
	if (!last && !st->started)
		gzip_out_start(st);
	pthread_mutex_lock(&st->mutex);
	st->filled++;
	pthread_cond_signal(&st->queued);
	pthread_mutex_unlock(&st->mutex);
}

/* Begin the next piece: behind the end of the one before it. */
static int gzip_out_next_piece(struct state *st)
{
	const struct slot *before = &st->slot[st->filled % st->n_slots];
	struct slot *s;

	gzip_out_queue(st, false);
	if (st->filled - st->written == st->n_slots)
		gzip_out_write_piece(st);
	s = &st->slot[st->filled % st->n_slots];
	if (!make_slot(st, s))
		return -ENOMEM;
	memcpy(s->text, before->text + PIECE, DICT);
	return st->rc;
}

static int gzip_write(struct as_sink *sink, const void *buf, size_t n)
{
	struct state *st = ((struct as_sink_gzip *)(void *)sink)->state;
	const unsigned char *p = buf;

	while (n && !st->rc) {
		struct slot *s = &st->slot[st->filled % st->n_slots];
		size_t room = PIECE - s->n, some = n < room ? n : room;

		if (!room) {
			st->rc = gzip_out_next_piece(st);
			continue;
		}
		memcpy(s->text + DICT + s->n, p, some);
		s->n += some;
		p += some;
		n -= some;
	}
	return st->rc;
}

/* ---- the sink ---- */

static void gzip_out_release(struct state *st)
{
	const struct as_alloc *al = st->al;

	as_assert(!st->n_threads);
	for (size_t i = 0; i < st->n_slots; i++) {
		as_alloc_free(al, st->slot[i].text, DICT + PIECE);
		as_alloc_free(al, st->slot[i].out, st->out_cap);
	}
	packer_end(&st->packer);
	pthread_mutex_destroy(&st->mutex);
	pthread_cond_destroy(&st->queued);
	pthread_cond_destroy(&st->done);
	as_alloc_free(al, st, sizeof(*st));
}

enum as_code as_sink_gzip_open(struct as_sink_gzip *gz, const struct as_alloc *al,
	struct as_sink *inner, unsigned jobs, enum as_gzip_effort effort, struct as_err *err)
{
	/* deflate, no flags, no time, Unix */
	static const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
	struct state *st = as_alloc_new(al, sizeof(*st));

	*gz = (struct as_sink_gzip){.sink = {.write = gzip_write}, .al = al, .state = st};
	AS_TRY(as_err_memory(err, st));
	st->al = al;
	st->inner = inner;
	st->level = effort == AS_GZIP_SMALL ? LEVEL_SMALL : LEVEL;
	st->jobs = jobs < JOBS_MAX ? jobs : JOBS_MAX;
	st->n_slots = st->jobs > 1 ? 2 * st->jobs : 2;
	pthread_mutex_init(&st->mutex, NULL);
	pthread_cond_init(&st->queued, NULL);
	pthread_cond_init(&st->done, NULL);
	if (packer_init(&st->packer, st->level)) {
		st->out_cap = deflateBound(&st->packer.zs, PIECE) + FLUSH_MAX;
		if (make_slot(st, &st->slot[0])) {
			gzip_out_send(st, header, sizeof(header));
			return AS_OK;
		}
	}
	gzip_out_release(st);
	gz->state = NULL;
	return as_err_no_memory(err);
}

void as_sink_gzip_abort(struct as_sink_gzip *gz)
{
	struct state *st = gz->state;

	if (!st)
		return;
	gzip_out_stop(st);
	gzip_out_release(st);
	gz->state = NULL;
}

static void put_u32(unsigned char *p, uint64_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

enum as_code as_sink_gzip_finish(struct as_sink_gzip *gz, struct as_err *err)
{
	struct state *st = gz->state;
	unsigned char trailer[8];
	int rc;

	if (!st->rc)
		gzip_out_queue(st, true);
	while (!st->rc && st->written < st->filled)
		gzip_out_write_piece(st);
	put_u32(trailer, st->crc);
	put_u32(trailer + 4, st->n_text);
	gzip_out_send(st, trailer, sizeof(trailer));
	rc = st->rc;
	as_sink_gzip_abort(gz);
	return rc ? as_err_sys(err, -rc, "cannot write") : AS_OK;
}
