/* SPDX-License-Identifier: Apache-2.0 */
/* A page that is served for a store: what its controls choose is asked, and becomes a page. */
#ifndef AS_CLI_PAGE_CHOSEN_H
#define AS_CLI_PAGE_CHOSEN_H

#include "cli/page/share_cmd.h"
#include "page/choice.h"
#include "serve/serve.h"

struct as_chosen {
	struct as_session ses; /* a copy, which hears what goes wrong */
	const struct as_share_args *args;
	struct as_choice first;
	struct as_sink_mem controls; /* of FIRST */
	char wrong[1024];            /* the first of what went wrong, as one line; "": nothing */
};

/* Whether PATH, and BASE if it is not NULL, are stores. */
bool as_chosen_can(const char *path, const char *base);
/* For the page of PATH and BASE. Says what is wrong. Ends in as_chosen_release() in each case. */
enum as_exit as_chosen_begin(struct as_chosen *c, struct as_cli *cli,
	const struct as_share_args *args, const char *path, const char *base);
void as_chosen_release(struct as_chosen *c);
/* HTML for the page that it begins with. */
static inline struct as_slice as_chosen_controls(const struct as_chosen *c)
{
	return (struct as_slice){c->controls.data.p, c->controls.data.n};
}
/* For struct as_serve_opts: the page of what is chosen now; what goes wrong stands in it. */
bool as_chosen_page(
	void *chosen, const struct as_serve_word *word, size_t n, struct as_sink_mem *page);

/* S as a page in memory. */
enum as_exit as_share_to_memory(struct as_share *s, struct as_sink_mem *page);

#endif
