/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libmicrohttpd, loaded when a page is served: TLS comes with it, and would take longer to load
 * than most of the program's answers.
 */
#ifndef AS_SERVE_HTTPD_H
#define AS_SERVE_HTTPD_H

#include <stdbool.h>

#include <microhttpd.h>

struct as_httpd {
	__typeof__(MHD_get_version) *version;
	__typeof__(MHD_start_daemon) *start;
	__typeof__(MHD_get_daemon_info) *info;
	__typeof__(MHD_stop_daemon) *stop;
	__typeof__(MHD_lookup_connection_value) *value;
	__typeof__(MHD_get_connection_values) *values;
	__typeof__(MHD_set_connection_option) *set;
	__typeof__(MHD_create_response_from_buffer) *response;
	__typeof__(MHD_add_response_header) *add_header;
	__typeof__(MHD_queue_response) *queue;
	__typeof__(MHD_destroy_response) *destroy;
};

/* False: it is not here. Loaded, it stays. */
bool as_httpd_load(struct as_httpd *lib);

#endif
