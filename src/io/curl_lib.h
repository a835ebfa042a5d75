/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, loaded when it is needed, and what all that goes by it has in common. */
#ifndef AS_IO_CURL_LIB_H
#define AS_IO_CURL_LIB_H

#include <curl/curl.h>

#include "io/http.h"

struct as_curl {
	__typeof__(curl_version_info) *version;
	__typeof__(curl_global_init) *init;
	__typeof__(curl_easy_init) *easy;
	__typeof__(curl_easy_setopt) *set;
	__typeof__(curl_easy_getinfo) *info;
	__typeof__(curl_easy_header) *header;
	__typeof__(curl_easy_strerror) *text;
	__typeof__(curl_easy_reset) *easy_reset;
	__typeof__(curl_easy_cleanup) *easy_free;
	__typeof__(curl_slist_append) *line;
	__typeof__(curl_slist_free_all) *lines_free;
	__typeof__(curl_multi_init) *multi;
	__typeof__(curl_multi_add_handle) *add;
	__typeof__(curl_multi_remove_handle) *remove;
	__typeof__(curl_multi_perform) *perform;
	__typeof__(curl_multi_poll) *poll;
	__typeof__(curl_multi_info_read) *done;
	__typeof__(curl_multi_strerror) *multi_text;
	__typeof__(curl_multi_cleanup) *multi_free;
};

/* Sets OPTION of EASY, unless RC has a failure, which stays. */
#define AS_CURL_SET(lib, easy, rc, option, value) \
	((rc) = (rc) == CURLE_OK ? (lib)->set(easy, option, value) : (rc))

/* False: there is none, or an older one than 7.85. Loaded, it stays. */
bool as_curl_load(struct as_curl *lib);

/* Which schemes EASY may speak, whom it trusts, and for how long it may take. */
CURLcode as_curl_options(
	const struct as_curl *lib, CURL *easy, const struct as_http_opts *opts, uint64_t max_ms);

/* What CURLOPT_PRIVATE says of the next transfer of MULTI that has ended, and how it ended. NULL:
 * no other one has. */
void *as_curl_ended(const struct as_curl *lib, CURLM *multi, CURLcode *rc);

/* AS_E_NOMEM, or AS_E_UNSUPPORTED: libcurl cannot begin, for RC. */
enum as_code as_curl_cannot_begin(const struct as_curl *lib, CURLcode rc, struct as_err *err);
/* AS_E_NOMEM, or AS_E_UNSUPPORTED: libcurl cannot go on, for RC, and could not the next time. */
enum as_code as_curl_cannot_go_on(const struct as_curl *lib, CURLMcode rc, struct as_err *err);

/* AS_E_IO for RC, of which libcurl says WHY. *WAY: what to do about it. */
enum as_code as_curl_failed(CURLcode rc, const char *why, const char **way, struct as_err *err);

#endif
