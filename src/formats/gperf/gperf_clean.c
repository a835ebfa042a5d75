/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a reader would take frames of the profile that is written for those of the profiler's
 * signal handler: gperf_handler.c has its rules. What is written has none any more, so a line of
 * our own says so where they would find some.
 */
#include "formats/gperf/gperf_write.h"

struct clean {
	const struct as_gp_write *w;
	uint8_t *lib;  /* enum as_gp_lib of each object */
	bool any;      /* a stack has such a frame above its leaf */
	bool all;      /* every one that has a caller does, and they are all libprofiler's */
	bool repeated; /* behind such frames the leaf's address follows once more */
};

static uint8_t lib_at(const struct clean *c, as_node node)
{
	return c->lib[gp_object(c->w->prof, c->w->prof->node.place.p[node.i].i).i];
}

static bool same_address(const struct clean *c, as_node a, as_node b)
{
	const as_place *place = c->w->prof->node.place.p;
	uint64_t x = c->w->pc[place[a.i].i], y = c->w->pc[place[b.i].i];

	return x - y + 1 <= 2; /* a caller's is one more, perhaps */
}

static void gp_clean_look_at(struct clean *c, as_node leaf)
{
	const as_node *parent = c->w->prof->node.parent.p;
	as_node node = parent[leaf.i];
	bool pure = true;

	if (!node.i)
		return;
	c->all &= lib_at(c, node) != AS_GP_LIB_NONE;
	if (!lib_at(c, node))
		return;
	c->any = true;
	for (; node.i && lib_at(c, node); node = parent[node.i]) {
		pure &= lib_at(c, node) == AS_GP_LIB_PROFILER;
		c->repeated |= same_address(c, leaf, node);
	}
	for (int i = 0; i < 2 && node.i; i++, node = parent[node.i])
		c->repeated |= same_address(c, leaf, node);
	c->all &= pure;
}

bool as_gp_looks_handled(const struct as_gp_write *w, bool *out)
{
	const struct as_profile *prof = w->prof;
	struct clean c = {.w = w, .all = true};
	uint8_t any = 0;

	*out = false;
	c.lib = as_alloc_new(w->al, prof->object.n);
	if (!c.lib)
		return false;
	for (uint32_t i = 1; i < prof->object.n; i++)
		any |= c.lib[i] = (uint8_t)as_gp_lib(as_object_path(prof, (as_object){i}));
	for (size_t i = 0; any && i < prof->sample.node.n; i++)
		if (prof->sample.node.p[i].i)
			gp_clean_look_at(&c, prof->sample.node.p[i]);
	*out = any && c.any && (c.all || c.repeated);
	return true;
}
