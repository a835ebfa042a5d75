/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libcurl that transfers nothing and fails as $CURL_FAILS says: "CALL CODE". The call of that
 * name returns that code, and others succeed; "easy 0" has no handle to give.
 */
#include <curl/curl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int any_easy, any_multi;

static int code_of(const char *call)
{
	const char *fails = getenv("CURL_FAILS");
	size_t n = strlen(call);

	return fails && strncmp(fails, call, n) == 0 && fails[n] == ' ' ? atoi(fails + n) : 0;
}

static const char *text_of(const char *what, int code)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s %d", what, code);
	return text;
}

curl_version_info_data *curl_version_info(CURLversion age)
{
	static curl_version_info_data data = {.version = "7.85.0", .version_num = 0x075500};

	(void)age;
	return &data;
}

CURLcode curl_global_init(long flags)
{
	(void)flags;
	return CURLE_OK;
}

CURL *curl_easy_init(void)
{
	const char *fails = getenv("CURL_FAILS");

	return fails && strcmp(fails, "easy 0") == 0 ? NULL : (CURL *)&any_easy;
}

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...)
{
	(void)easy;
	(void)option;
	return (CURLcode)code_of("setopt");
}

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...)
{
	(void)easy;
	(void)info;
	return CURLE_OK;
}

CURLHcode curl_easy_header(CURL *easy, const char *name, size_t index, unsigned origin, int request,
	struct curl_header **header)
{
	(void)easy;
	(void)name;
	(void)index;
	(void)origin;
	(void)request;
	(void)header;
	return CURLHE_MISSING;
}

const char *curl_easy_strerror(CURLcode code)
{
	return text_of("code", (int)code);
}

void curl_easy_reset(CURL *easy)
{
	(void)easy;
}

void curl_easy_cleanup(CURL *easy)
{
	(void)easy;
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line)
{
	static struct curl_slist one;

	(void)list;
	(void)line;
	return &one;
}

void curl_slist_free_all(struct curl_slist *list)
{
	(void)list;
}

CURLM *curl_multi_init(void)
{
	return (CURLM *)&any_multi;
}

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy)
{
	(void)multi;
	(void)easy;
	return (CURLMcode)code_of("add");
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy)
{
	(void)multi;
	(void)easy;
	return CURLM_OK;
}

CURLMcode curl_multi_perform(CURLM *multi, int *running)
{
	(void)multi;
	*running = 1;
	return (CURLMcode)code_of("perform");
}

CURLMcode curl_multi_poll(
	CURLM *multi, struct curl_waitfd *more, unsigned n_more, int timeout_ms, int *n)
{
	(void)multi;
	(void)more;
	(void)n_more;
	(void)timeout_ms;
	(void)n;
	return (CURLMcode)code_of("poll");
}

CURLMsg *curl_multi_info_read(CURLM *multi, int *left)
{
	(void)multi;
	*left = 0;
	return NULL;
}

const char *curl_multi_strerror(CURLMcode code)
{
	return text_of("multi code", (int)code);
}

CURLMcode curl_multi_cleanup(CURLM *multi)
{
	(void)multi;
	return CURLM_OK;
}
