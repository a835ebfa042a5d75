/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "io/curl_lib.h"

#include "io/shared_library.h"

enum { OLDEST = 0x075500 }; /* 7.85: older ones cannot be told which schemes a redirect may be to */
enum { CONNECT_MS = 15000 };

static bool curl_find_easy(void *at, struct as_curl *lib)
{
	return as_library_find(at, "curl_version_info", &lib->version) &&
	       as_library_find(at, "curl_global_init", &lib->init) &&
	       as_library_find(at, "curl_easy_init", &lib->easy) &&
	       as_library_find(at, "curl_easy_setopt", &lib->set) &&
	       as_library_find(at, "curl_easy_getinfo", &lib->info) &&
	       as_library_find(at, "curl_easy_header", &lib->header) &&
	       as_library_find(at, "curl_easy_strerror", &lib->text) &&
	       as_library_find(at, "curl_easy_reset", &lib->easy_reset) &&
	       as_library_find(at, "curl_easy_cleanup", &lib->easy_free) &&
	       as_library_find(at, "curl_slist_append", &lib->line) &&
	       as_library_find(at, "curl_slist_free_all", &lib->lines_free);
}

static bool curl_find_multi(void *at, struct as_curl *lib)
{
	return as_library_find(at, "curl_multi_init", &lib->multi) &&
	       as_library_find(at, "curl_multi_add_handle", &lib->add) &&
	       as_library_find(at, "curl_multi_remove_handle", &lib->remove) &&
	       as_library_find(at, "curl_multi_perform", &lib->perform) &&
	       as_library_find(at, "curl_multi_poll", &lib->poll) &&
	       as_library_find(at, "curl_multi_info_read", &lib->done) &&
	       as_library_find(at, "curl_multi_strerror", &lib->multi_text) &&
	       as_library_find(at, "curl_multi_cleanup", &lib->multi_free);
}

bool as_curl_load(struct as_curl *lib)
{
	/* The distributions have it once for each library of TLS. */
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
	void *at = NULL;

	for (size_t i = 0; i < AS_ARRAY_LEN(names) && !at; i++)
		at = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return curl_find_easy(at, lib) && curl_find_multi(at, lib) &&
	       lib->version(CURLVERSION_NOW)->version_num >= OLDEST;
}

const char *as_http_version(void)
{
	struct as_curl lib;

	return as_curl_load(&lib) ? lib.version(CURLVERSION_NOW)->version : "";
}

CURLcode as_curl_options(
	const struct as_curl *lib, CURL *easy, const struct as_http_opts *opts, uint64_t max_ms)
{
	long most_ms = max_ms < LONG_MAX ? (long)max_ms : LONG_MAX;
	CURLcode rc = CURLE_OK;

	AS_CURL_SET(lib, easy, rc, CURLOPT_PROTOCOLS_STR, "http,https");
	AS_CURL_SET(lib, easy, rc, CURLOPT_USERAGENT, "assay");
	AS_CURL_SET(lib, easy, rc, CURLOPT_NOSIGNAL, 1L);
	AS_CURL_SET(lib, easy, rc, CURLOPT_TIMEOUT_MS, most_ms);
	AS_CURL_SET(lib, easy, rc, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	AS_CURL_SET(lib, easy, rc, CURLOPT_SSL_VERIFYPEER, opts->insecure ? 0L : 1L);
	AS_CURL_SET(lib, easy, rc, CURLOPT_SSL_VERIFYHOST, opts->insecure ? 0L : 2L);
	if (opts->ca_file)
		AS_CURL_SET(lib, easy, rc, CURLOPT_CAINFO, opts->ca_file);
	return rc;
}

void *as_curl_ended(const struct as_curl *lib, CURLM *multi, CURLcode *rc)
{
	CURLMsg *msg;
	int left;

	while ((msg = lib->done(multi, &left)) != NULL) {
		char *of = NULL;

		if (msg->msg != CURLMSG_DONE)
			continue;
		*rc = msg->data.result;
		(void)lib->info(msg->easy_handle, CURLINFO_PRIVATE, &of);
		return of;
	}
	return NULL;
}

enum as_code as_curl_cannot_begin(const struct as_curl *lib, CURLcode rc, struct as_err *err)
{
	if (rc == CURLE_OUT_OF_MEMORY)
		return as_err_no_memory(err);
	return as_err_set(err, AS_E_UNSUPPORTED, "libcurl cannot begin: %s", lib->text(rc));
}

enum as_code as_curl_cannot_go_on(const struct as_curl *lib, CURLMcode rc, struct as_err *err)
{
	if (rc == CURLM_OUT_OF_MEMORY)
		return as_err_no_memory(err);
	return as_err_set(err, AS_E_UNSUPPORTED, "libcurl cannot go on: %s", lib->multi_text(rc));
}

enum as_code as_curl_failed(CURLcode rc, const char *why, const char **way, struct as_err *err)
{
	switch (rc) {
	case CURLE_OPERATION_TIMEDOUT:
		*way = "to wait longer: --timeout TIME";
		return as_err_set(err, AS_E_IO, "the time is up: %s", why);
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		*way = "name who has signed it: SSL_CERT_FILE=FILE; or, to trust any: --insecure";
		return as_err_set(err, AS_E_IO, "the certificate is not trusted: %s", why);
	case CURLE_UNSUPPORTED_PROTOCOL:
		*way = "only http and https are followed, and from https only https";
		return as_err_set(err, AS_E_IO, "it redirects to another scheme: %s", why);
	case CURLE_URL_MALFORMAT:
		*way = "as in http://host:6060/debug/pprof/profile?seconds=30";
		return as_err_set(err, AS_E_IO, "not a right URL: %s", why);
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		*way = "is the server there, and is that its port?";
		return as_err_set(err, AS_E_IO, "no connection: %s", why);
	default:
		*way = "nothing of it was used; try again";
		return as_err_set(err, AS_E_IO, "not all of it came: %s", why);
	}
}
