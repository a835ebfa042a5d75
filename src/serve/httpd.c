/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "serve/httpd.h"

#include "io/shared_library.h"

bool as_httpd_load(struct as_httpd *lib)
{
	void *at = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);

	return as_library_find(at, "MHD_get_version", &lib->version) &&
	       as_library_find(at, "MHD_start_daemon", &lib->start) &&
	       as_library_find(at, "MHD_get_daemon_info", &lib->info) &&
	       as_library_find(at, "MHD_stop_daemon", &lib->stop) &&
	       as_library_find(at, "MHD_lookup_connection_value", &lib->value) &&
	       as_library_find(at, "MHD_get_connection_values", &lib->values) &&
	       as_library_find(at, "MHD_set_connection_option", &lib->set) &&
	       as_library_find(at, "MHD_create_response_from_buffer", &lib->response) &&
	       as_library_find(at, "MHD_add_response_header", &lib->add_header) &&
	       as_library_find(at, "MHD_queue_response", &lib->queue) &&
	       as_library_find(at, "MHD_destroy_response", &lib->destroy);
}
