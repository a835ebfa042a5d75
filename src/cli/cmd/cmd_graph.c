/* SPDX-License-Identifier: Apache-2.0 */
/* assay graph: who calls whom, as a picture's description. */

#include "cli/answer.h"
#include "cli/excess.h"
#include "cli/view_cmd.h"
#include "picture/graph_dot.h"

enum { NODES_DEFAULT = 80 };
enum { DOT = 1, SVG, JSON, CSV };

struct graph_args {
	struct as_view_args view;
	struct as_num nodes, depth;
	const char *min, *output;
	unsigned format;
	bool overwrite;
};

static const struct as_optdef graph_opts[] = {
	AS_OPTION(graph_args, output, 'o', "output", "FILE",
		"write to FILE; '-' is stdout, the default"),
	AS_OPTION(graph_args, overwrite, 'y', "overwrite", NULL, "replace an existing FILE"),
	AS_OPTION(graph_args, min, 'm', "min", "COST",
		"leave out functions that cost less: 0.5%, 1000; default 0.5%"),
	AS_OPTION(graph_args, depth, 'd', "depth", "N",
		"calls from where paths begin; 0 = all; default 0"),
	AS_OPTION(
		graph_args, nodes, 'n', "nodes", "N", "functions at the most; 0 = all; default 80"),
	AS_OPTION(graph_args, format, 'f', "format", "dot|svg|json|csv",
		"form of the answer; default: as FILE is named, else dot"),
	AS_VIEW_OPTIONS(graph_args),
	AS_OPTION_END,
};

/* GRAPH as a picture. */
static enum as_exit graph_draw(
	const struct as_view_run *r, const struct as_callgraph *g, struct as_out *out)
{
	struct as_cli *cli = r->cli;
	struct as_sink_mem sink;
	struct as_out text;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	as_sink_mem_init(&sink, cli->ses.al);
	AS_DO(as_say_code(&cli->ses, as_out_open(&text, cli->ses.al, &sink.sink, &err), NULL));
	rc = as_say_code(&cli->ses, as_graph_dot(g, &r->opts, &text), NULL);
	if (as_out_finish(&text) != AS_OK && rc == AS_EXIT_OK)
		rc = as_say_no_memory(&cli->ses);
	AS_THEN(rc, as_graphviz_svg(
			    cli, (struct as_slice){(const char *)sink.data.p, sink.data.n}, out));
	as_sink_mem_release(&sink);
	return rc;
}

static enum as_exit graph_print(
	struct as_view_run *r, const struct graph_args *args, const struct as_callgraph *g)
{
	struct as_answer answer;
	enum as_exit rc = as_answer_begin(&answer, r->cli, args->output, args->overwrite);
	const struct as_sheet_to to = {
		.form = args->format == JSON ? AS_FORM_JSON : AS_FORM_CSV, .out = answer.out};
	enum as_code code = AS_OK;

	if (rc == AS_EXIT_OK && args->format == SVG)
		rc = graph_draw(r, g, answer.out);
	else if (rc == AS_EXIT_OK && (args->format == JSON || args->format == CSV))
		code = as_graph_data(g, &r->opts, &to);
	else if (rc == AS_EXIT_OK)
		code = as_graph_dot(g, &r->opts, answer.out);
	return as_answer_end(&answer, code == AS_OK ? rc : as_say_no_memory(&r->cli->ses));
}

static enum as_exit graph_show(
	struct as_view_run *r, const struct graph_args *args, const struct as_callgraph_opts *opts)
{
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = opts->keep_contexts,
		.no_cycles = opts->no_cycles,
		.want_edges = true};
	struct as_callgraph g;
	struct as_table *table;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	AS_DO(as_say_code(&r->cli->ses, as_project(r->in.prof, &project, &table, &err), &err));
	as_view_warn_of_excess(r, table);
	rc = as_say_code(&r->cli->ses, as_callgraph_make(&g, table, opts, &err), &err);
	AS_THEN(rc, graph_print(r, args, &g));
	as_callgraph_release(&g);
	as_table_free(table);
	return rc;
}

static enum as_exit graph_answer(struct as_view_run *r, const struct graph_args *args)
{
	const struct as_asked_view *view = &r->cli->ses.opt.view;
	struct as_callgraph_opts opts = {.event = r->opts.sort_event,
		.depth = args->depth.value > UINT32_MAX ? 0 : (uint32_t)args->depth.value,
		.limit = args->nodes.given ? args->nodes.value : NODES_DEFAULT,
		.keep_contexts = view->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = view->cycles == AS_CYCLES_NO};
	as_val total = r->opts.n_events ? as_whole(r->in.prof)[opts.event] : 0;

	AS_DO(as_view_wants_calls(r));
	AS_DO(as_view_min(r->cli, args->min, total, &opts.min));
	return graph_show(r, args, &opts);
}

/* JSON and CSV also by the name of the file; pictures are made by others. */
static enum as_exit graph_choose_format(struct as_cli *cli, struct graph_args *args)
{
	static const char *const pictures[] = {".png", ".pdf", ".ps", ".jpg", ".html"};
	struct as_slice name = as_slice_of(args->output ? args->output : "");

	if (args->format)
		return AS_EXIT_OK;
	args->format = as_slice_ends(name, ".json")  ? JSON
		       : as_slice_ends(name, ".csv") ? CSV
		       : as_slice_ends(name, ".svg") ? SVG
						     : 0;
	for (size_t i = 0; i < AS_ARRAY_LEN(pictures); i++) {
		if (!as_slice_ends(name, pictures[i]))
			continue;
		return as_say_endf(&cli->ses, AS_EXIT_USAGE,
			"Graphviz draws others: assay graph FILE | dot -Tpng -o g.png",
			"'%.200s': of pictures, only SVG is written", args->output);
	}
	if (args->format || args->output || !cli->ses.out_tty)
		return AS_EXIT_OK;
	return as_say_usage(&cli->ses,
		"a graph is a picture, and a terminal shows none: say where to write it",
		"assay graph FILE -o g.svg; as text for Graphviz: -f dot");
}

static enum as_exit graph_run(struct as_cli *cli, const void *argp)
{
	struct graph_args args = *(const struct graph_args *)argp;
	struct as_view_run r = {
		.cli = cli, .files = as_cli_files(cli), .chosen = true, .calls = true};
	enum as_exit rc;

	AS_DO(graph_choose_format(cli, &args));
	if (args.format == JSON || args.format == CSV)
		AS_DO(as_cli_unit(cli, args.view.unit, AS_FORMAT_JSON));
	AS_DO(as_view_check_min(cli, args.min));
	AS_DO(as_answer_check(cli, args.output, args.overwrite));
	rc = as_view_begin(&r, &args.view, NULL);
	AS_THEN(rc, graph_answer(&r, &args));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_graph = {
	AS_COMMAND(graph, "FILE...", 1, AS_OPERANDS_ANY, graph_run),
	AS_OWN_OPTIONS(graph_opts, graph_args),
	.brief = "a call graph, drawn by Graphviz: functions, calls and costs",
	.about = "Boxes are functions with their self and inclusive cost, arrows what calls cost "
		 "and how\n"
		 "many there were. Cycles are framed; what is left out is told. Several files are "
		 "merged first.\n",
	.examples = "assay graph cpu.prof -o g.svg\ta picture, drawn by Graphviz's library\n"
		    "assay graph callgrind.out.1 -o g.dot -m 2%\tonly what costs two percent\n"
		    "assay graph FILE --depth 3\tthree levels of calls\n"
		    "assay graph FILE --focus parse\twhat goes through parse\n"
		    "assay graph FILE -f json\tfor programs",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
};
