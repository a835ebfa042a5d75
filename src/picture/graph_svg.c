/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/graph_svg.h"

#include "picture/picture_assets.h"
#include "picture/xml.h"

/* Behind the first tag; before the last one, which is the last thing there is. */
void as_graph_svg(struct as_slice svg, struct as_out *out)
{
	size_t begin = as_slice_find_text(svg, "<svg"), end = svg.len;

	begin += as_slice_find(as_slice_skip(svg, begin), '>');
	begin += begin < svg.len;
	while (end > begin && svg.p[end - 1] != '<')
		end--;
	end -= end > begin;
	as_out_bytes(out, svg.p, begin);
	as_out_text(out, "\n<style>\n");
	as_out_bytes(out, as_graph_css, sizeof(as_graph_css));
	as_out_text(out, "</style>");
	as_out_bytes(out, svg.p + begin, end - begin);
	as_picture_script(out, as_graph_js, sizeof(as_graph_js));
	as_out_bytes(out, svg.p + end, svg.len - end);
}
