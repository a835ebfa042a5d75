/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions whose object has another name on each side, as that of a program that was built under a
 * new name, or has none on one side: they are matched where their name is there once.
 */
#include "diff/diff_impl.h"
#include "formats/format.h"

enum { BY_BASE, BY_NAME, KINDS };

/* Rows of one name without a partner: of this run, and of those before. */
struct namesake {
	as_str name, base;
	uint64_t line;
	uint32_t mine, theirs, n_mine, n_theirs; /* rows: of the table, of the comparison */
};

struct moving {
	struct as_diff *d;
	enum as_side side;
	const struct as_table *t;
	uint32_t *row;
	struct as_index index;
	AS_VEC(struct namesake) name;
	as_str *object;       /* of each object of T's profile: its base name */
	bool knows[AS_SIDES]; /* some object by name */
};

/* KNOWN: of the strings that there are. */
static uint8_t sides_of(const struct as_diff *d, as_str object)
{
	return object.i < d->in_side.n ? d->in_side.p[object.i] : 0;
}

static bool note_object(struct moving *m, uint32_t object)
{
	struct as_diff *d = m->d;
	struct as_slice name = as_base_name(as_object_path(m->t->prof, (as_object){object}));

	if (!as_strings_add(&d->strings, name, &m->object[object]))
		return false;
	while (d->in_side.n <= m->object[object].i)
		if (!as_vec_push(d->al, &d->in_side, 0))
			return false;
	d->in_side.p[m->object[object].i] |= (uint8_t)(1u << m->side);
	return true;
}

/* What this run calls the objects that its rows are in. */
static enum as_code note_objects(struct moving *m)
{
	const struct as_diff *d = m->d;

	for (uint32_t r = 0; r < m->t->n; r++) {
		uint32_t object = m->t->key[r].object.i;

		if (object && !m->object[object].i && !note_object(m, object))
			return AS_E_NOMEM;
	}
	for (size_t i = 1; i < d->in_side.n; i++)
		for (unsigned side = 0; side < AS_SIDES; side++)
			m->knows[side] |= d->in_side.p[i] >> side & 1;
	return AS_OK;
}

/* MINE may be called THEIRS on the other side: neither is an object of both, or one side knows of
 * none. */
static bool diff_moved_may_be(const struct moving *m, as_str mine, as_str theirs)
{
	if (mine.i == theirs.i)
		return true;
	if (!mine.i || !theirs.i)
		return !m->knows[mine.i ? !m->side : m->side];
	return !(sides_of(m->d, mine) & 1u << !m->side) &&
	       !(sides_of(m->d, theirs) & 1u << m->side);
}

/* The namesakes of KEY; NULL where there are none and MAKE is false, or out of memory. */
static struct namesake *diff_moved_find(
	struct moving *m, const struct as_diff_key *key, as_str base, bool make)
{
	struct namesake new = {.name = key->name, .base = base, .line = key->line};
	uint64_t hash = as_hash_mix(as_hash_mix(key->name.i, base.i), key->line);
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&m->index, hash, &pos, &i)) {
		struct namesake *n = &m->name.p[i];

		if (n->name.i == key->name.i && n->base.i == base.i && n->line == key->line)
			return n;
	}
	if (!make || !as_vec_push(m->d->al, &m->name, new) ||
		!as_index_add(&m->index, hash, (uint32_t)m->name.n - 1))
		return NULL;
	return &m->name.p[m->name.n - 1];
}

static enum as_code add_mine(struct moving *m, unsigned kind)
{
	struct as_diff_wanted w;
	struct namesake *n;

	for (uint32_t r = 0; r < m->t->n; r++) {
		if (m->t->key[r].is_cycle || m->row[r] != UINT32_MAX)
			continue;
		AS_TRY(as_diff_describe(m->d, m->t, r, &w));
		if (!w.key.name.i || w.key.build.i)
			continue;
		n = diff_moved_find(m, &w.key, kind == BY_BASE ? w.base : (as_str){0}, true);
		AS_TRY(as_memory(n));
		n->mine = r;
		n->n_mine++;
	}
	return AS_OK;
}

static void add_theirs(struct moving *m, unsigned kind)
{
	const struct as_diff *d = m->d;

	for (uint32_t r = 0; r < d->key.n; r++) {
		const struct as_diff_key *key = &d->key.p[r];
		struct namesake *n;

		if (!key->name.i || key->build.i || d->link.p[r].run == d->run.n + 1)
			continue;
		n = diff_moved_find(
			m, key, kind == BY_BASE ? d->link.p[r].base : (as_str){0}, false);
		if (!n || n->n_mine != 1 ||
			!diff_moved_may_be(
				m, m->object[m->t->key[n->mine].object.i], key->object) ||
			!as_diff_has(d, r, (enum as_side) !m->side))
			continue;
		n->theirs = r;
		n->n_theirs++;
	}
}

/* For the line that says so. */
static enum as_code diff_moved_count(struct moving *m, as_str mine, as_str theirs)
{
	struct as_diff_moved new = {.n = 1};

	new.object[m->side] = mine;
	new.object[!m->side] = theirs;
	for (size_t i = 0; i < m->d->moved.n; i++) {
		struct as_diff_moved *old = &m->d->moved.p[i];

		if (memcmp(old->object, new.object, sizeof(new.object)) != 0)
			continue;
		old->n++;
		return AS_OK;
	}
	return as_vec_push(m->d->al, &m->d->moved, new) ? AS_OK : AS_E_NOMEM;
}

static enum as_code diff_moved_match(struct moving *m, const struct namesake *n)
{
	struct as_diff_wanted w;

	AS_TRY(as_diff_describe(m->d, m->t, n->mine, &w));
	if (w.key.object.i != m->d->key.p[n->theirs].object.i &&
		!as_diff_has(m->d, n->theirs, m->side))
		AS_TRY(diff_moved_count(m, w.key.object, m->d->key.p[n->theirs].object));
	as_assert(m->row[n->mine] == UINT32_MAX);
	m->row[n->mine] = n->theirs;
	as_diff_take(m->d, n->theirs, (uint32_t)m->d->run.n);
	return as_diff_renew(m->d, n->theirs, &w);
}

static enum as_code match_by(struct moving *m, unsigned kind)
{
	enum as_code rc;

	as_index_init(&m->index, m->d->al);
	m->name.n = 0;
	rc = add_mine(m, kind);
	if (rc == AS_OK && m->name.n)
		add_theirs(m, kind);
	for (size_t i = 0; rc == AS_OK && i < m->name.n; i++)
		if (m->name.p[i].n_mine == 1 && m->name.p[i].n_theirs == 1)
			rc = diff_moved_match(m, &m->name.p[i]);
	as_index_release(&m->index);
	return rc;
}

enum as_code as_diff_match_moved(
	struct as_diff *d, enum as_side side, const struct as_table *t, uint32_t *row)
{
	struct moving m = {.d = d, .side = side, .t = t};
	unsigned kinds = t->by == AS_BY_LINE ? BY_BASE + 1 : KINDS;
	size_t size = t->prof->object.n * sizeof(*m.object);
	enum as_code rc;

	if (t->by == AS_BY_FILE || t->by == AS_BY_OBJECT)
		return AS_OK;
	m.row = row;
	m.object = as_alloc_new(d->al, size);
	rc = m.object ? note_objects(&m) : AS_E_NOMEM;
	for (unsigned kind = 0; rc == AS_OK && kind < kinds && d->n_side[!side]; kind++)
		rc = match_by(&m, kind);
	as_vec_free(d->al, &m.name);
	as_alloc_free(d->al, m.object, size);
	return rc;
}
