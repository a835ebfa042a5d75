/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a store of a fleet is named: "store:NAME?query" among inputs, and the URL that NAME stands
 * for, "http[s]://HOST:PORT[,HOST:PORT...]/DATABASE[?cluster=NAME]".
 */
#ifndef AS_FLEET_FLEET_ADDRESS_H
#define AS_FLEET_FLEET_ADDRESS_H

#include "base/err.h"
#include "base/slice.h"

/* What "store:..." consists of. */
struct as_fleet_path {
	struct as_slice name;  /* "": the usual store */
	struct as_slice url;   /* it stands there itself, and NAME is "" */
	struct as_slice query; /* behind the '?' */
};

/* False: PATH does not begin with "store:". */
bool as_fleet_named(const char *path, struct as_fleet_path *to);

enum { AS_FLEET_SERVERS = 64 };

/* All slices are of the URL. */
struct as_fleet_address {
	bool tls;
	size_t n_servers;
	struct as_slice server[AS_FLEET_SERVERS]; /* HOST or HOST:PORT */
	struct as_slice database;
	struct as_slice cluster; /* "": none */
};

/* AS_E_ARG: it is no such URL, or has a user or password in it; those are not shown. */
enum as_code as_fleet_address(struct as_slice url, struct as_fleet_address *to, struct as_err *err)
	AS_NODISCARD;

/* NAME's variable of the environment, "ASSAY_STORE_NAME"; "ASSAY_STORE" of "". False: NAME has no
 * letters and digits only, or '-', '_' and '.', or VAR of SIZE bytes has no room. */
bool as_fleet_variable(struct as_slice name, char *var, size_t size);

/* The URL of NAME in TEXT, a file of lines "NAME URL"; '#' begins a comment. False: it has none. */
bool as_fleet_listed(struct as_slice text, struct as_slice name, struct as_slice *url);

#endif
