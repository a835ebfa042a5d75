/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "serve/httpd.h"

#include <dlfcn.h>
#include <string.h>

/* ISO C has no way from a pointer to data to one to a function. */
static bool httpd_find(void *library, const char *name, void *function)
{
	void *symbol = library ? dlsym(library, name) : NULL;

	memcpy(function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

bool as_httpd_load(struct as_httpd *lib)
{
	void *at = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);

	return httpd_find(at, "MHD_get_version", &lib->version) &&
	       httpd_find(at, "MHD_start_daemon", &lib->start) &&
	       httpd_find(at, "MHD_get_daemon_info", &lib->info) &&
	       httpd_find(at, "MHD_stop_daemon", &lib->stop) &&
	       httpd_find(at, "MHD_lookup_connection_value", &lib->value) &&
	       httpd_find(at, "MHD_get_connection_values", &lib->values) &&
	       httpd_find(at, "MHD_set_connection_option", &lib->set) &&
	       httpd_find(at, "MHD_create_response_from_buffer", &lib->response) &&
	       httpd_find(at, "MHD_add_response_header", &lib->add_header) &&
	       httpd_find(at, "MHD_queue_response", &lib->queue) &&
	       httpd_find(at, "MHD_destroy_response", &lib->destroy);
}
