/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: functions by what somebody types. */
#include "lib/lib_impl.h"

#include "listing/listing.h"
#include "session/choose.h"
#include "session/filters.h"

struct assay_found {
	const struct as_alloc *al;
	struct as_listings *ls;
	struct assay_table *table;
};

struct as_listings *as_lib_found(struct assay_found *found)
{
	return found->ls;
}

static enum as_code find_typed(struct assay_found *found, const char *what, struct as_err *err)
{
	struct as_typed typed;
	enum as_code rc =
		as_typed_begin(&typed, found->al, as_slice_of(what), &as_regexes_re2, err);

	AS_THEN(rc, as_listings_find(found->ls, typed.what, &typed.how, err));
	as_typed_end(&typed);
	return rc;
}

static enum as_code lib_find(const struct as_profile *prof, const char *what,
	const struct assay_find_options *given, struct assay_found **out, struct as_err *err)
{
	struct assay_find_options o;
	struct as_listing_opts opts;
	struct assay_found *found;
	enum as_code rc;

	if (!as_lib_take(&o, sizeof(o), given) || (o.event && o.event >= as_n_events(prof)))
		return as_err_set(err, AS_E_ARG,
			"the options have no size, name an event that is not there, or ask for "
			"what this version does not know");
	opts = (struct as_listing_opts){.keep_contexts = o.keep_contexts,
		.no_cycles = o.no_cycles,
		.want_edges = o.edges,
		.event = o.event};
	found = as_alloc_new(prof->al, sizeof(*found));
	AS_TRY(as_err_memory(err, found));
	found->al = prof->al;
	rc = as_listings_open(&found->ls, prof, &opts, err);
	if (rc == AS_OK) {
		as_listings_by_addr(found->ls, o.by_address);
		rc = find_typed(found, what, err);
	}
	if (rc == AS_OK && as_lib_table(as_listings_table(found->ls), &found->table) != AS_OK)
		rc = as_err_no_memory(err);
	if (rc == AS_OK)
		*out = found;
	else
		assay_found_free(found);
	return rc;
}

enum assay_code assay_find(const struct assay_profile *prof, const char *what,
	const struct assay_find_options *opts, struct assay_found **out, struct assay_error *err)
{
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || !prof || !what)
		return as_lib_misuse(err, "no profile, nothing to find, or no place for it");
	as_err_clear(&e);
	rc = lib_find(as_lib_profile(prof), what, opts, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_found_free(struct assay_found *found)
{
	if (!found)
		return;
	assay_table_free(found->table);
	as_listings_free(found->ls);
	as_alloc_free(found->al, found, sizeof(*found));
}

size_t assay_found_count(const struct assay_found *found)
{
	return found ? as_listings_n(found->ls) : 0;
}

const struct assay_table *assay_found_table(const struct assay_found *found)
{
	return found ? found->table : NULL;
}

size_t assay_found_row(const struct assay_found *found, size_t i)
{
	return i < assay_found_count(found) ? as_listings_row(found->ls, i) : SIZE_MAX;
}
