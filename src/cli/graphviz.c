/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"

#include <sys/auxv.h>

#include "io/shared_library.h"
#include "picture/graph_svg.h"

/* Of libgvc 2 and later (gvc.h, cgraph.h); contexts and graphs are opaque here. */
struct gv {
	void *gvc, *cgraph; /* the libraries */
	void *(*context)(void);
	void *(*read)(const char *dot);
	int (*layout)(void *gvc, void *graph, const char *engine);
	int (*render)(void *gvc, void *graph, const char *format, char **data, unsigned *n);
	void (*free_data)(char *data);
	int (*say)(int least); /* what is less grave is not printed */
};

/* Of enum agerrlevel_t: nothing is that grave. */
enum { GV_NOTHING = 2 };

/* A static program has no interpreter; libraries that it loads would bring another C library. */
static bool graphviz_load(struct gv *gv)
{
	if (!getauxval(AT_BASE))
		return false;
	gv->gvc = dlopen("libgvc.so.6", RTLD_NOW | RTLD_LOCAL);
	gv->cgraph = dlopen("libcgraph.so.6", RTLD_NOW | RTLD_LOCAL);
	return as_library_find(gv->gvc, "gvContext", &gv->context) &&
	       as_library_find(gv->cgraph, "agmemread", &gv->read) &&
	       as_library_find(gv->gvc, "gvLayout", &gv->layout) &&
	       as_library_find(gv->gvc, "gvRenderData", &gv->render) &&
	       as_library_find(gv->gvc, "gvFreeRenderData", &gv->free_data) &&
	       as_library_find(gv->cgraph, "agseterr", &gv->say);
}

/* Each run draws one graph, which is never freed: gvFreeLayout() of Graphviz 2.43 frees rows of
 * nodes that it has moved to make room for labels of calls within a row, and corrupts the heap. */
static volatile struct {
	void *context, *graph;
} kept;

static bool graphviz_draw(const struct gv *gv, void *context, const char *dot, struct as_out *out)
{
	void *graph = kept.graph = gv->read(dot);
	char *data = NULL;
	unsigned n = 0;
	bool fine;

	if (!graph)
		return false;
	fine = gv->layout(context, graph, "dot") == 0;
	if (fine) {
		fine = gv->render(context, graph, "svg", &data, &n) == 0 && data;
		if (fine)
			as_graph_svg((struct as_slice){data, n}, out);
		if (data)
			gv->free_data(data);
	}
	return fine;
}

static enum as_exit graphviz_without(struct as_cli *cli, const char *what)
{
	return as_say_end(&cli->ses, AS_EXIT_UNSUPPORTED, what,
		"install graphviz; or write DOT, to be drawn elsewhere: -f dot");
}

/* DOT, ended by a NUL. */
static enum as_exit lay_out(struct as_cli *cli, const char *dot, struct as_out *out)
{
	struct gv gv = {0};
	enum as_exit rc = AS_EXIT_OK;
	void *context;

	if (!graphviz_load(&gv)) {
		rc = graphviz_without(
			cli, "Graphviz's library, which draws the graph, is not there");
	} else {
		gv.say(GV_NOTHING); /* what goes wrong is told in our own words */
		context = kept.context = gv.context();
		if (!context || !graphviz_draw(&gv, context, dot, out))
			rc = graphviz_without(cli, "Graphviz's library could not draw the graph");
	}
	/* The libraries stay: their plugins are not made to be unloaded. */
	return rc;
}

enum as_exit as_graphviz_svg(struct as_cli *cli, struct as_slice dot, struct as_out *out)
{
	struct as_arena ar;
	struct as_slice text;
	enum as_exit rc;

	as_arena_init(&ar, cli->ses.al);
	text = as_arena_dup(&ar, dot);
	rc = text.p ? lay_out(cli, text.p, out) : as_say_no_memory(&cli->ses);
	as_arena_release(&ar);
	return rc;
}
