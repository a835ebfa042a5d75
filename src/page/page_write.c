/* SPDX-License-Identifier: Apache-2.0 */
/* Head, elements, tail. What comes from profiles is digits, but for names, which are escaped. */
#include "page/page.h"

#include "io/gzip_best.h"
#include "page/choice.h"
#include "report/kit/show.h"

/* By tools/embed.py, or page_none.c. */
extern const unsigned char as_page_asset[];
extern const size_t as_page_asset_size;

struct as_slice as_page_html(void)
{
	return (struct as_slice){(const char *)as_page_asset, as_page_asset_size};
}

static const char marker[] = "<!--@profile@-->";
static const char when_marker[] = "<!--@when@-->"; /* around what shows times */
static const char title_tag[] = "<title>";

/* TEXT as an attribute, or in an element; bytes that are not UTF-8, and control characters, as
 * messages show them. */
static void page_write_put_escaped(struct as_out *out, struct as_slice text)
{
	char plain[1024];

	as_escape(plain, sizeof(plain), text.p, text.len);
	as_xml_text(out, as_slice_of(plain));
}

static struct as_slice page_write_until(struct as_slice *rest, size_t n)
{
	struct as_slice head = {rest->p, n};

	*rest = as_slice_skip(*rest, n);
	return head;
}

/* HEAD up to and with WORD, if it is there, and what the policy has for the controls behind it. */
static bool page_write_allow(
	struct as_out *out, struct as_slice *head, const char *word, const char *hash)
{
	size_t at = as_slice_find_text(*head, word);

	if (at == head->len)
		return false;
	as_out_slice(out, page_write_until(head, at + strlen(word)));
	as_out_text(out, hash);
	as_out_char(out, ' ');
	return true;
}

enum as_code as_page_begin(
	struct as_page *page, struct as_slice html, struct as_slice title, struct as_slice controls)
{
	size_t at = as_slice_find_text(html, marker), title_at;
	struct as_out *out = page->out;
	struct as_slice head;

	page->rest = html;
	if (at == html.len)
		return as_err_set(page->err, AS_E_FORMAT, "the page has no place for a profile");
	head = page_write_until(&page->rest, at);
	page->rest = as_slice_skip(page->rest, strlen(marker));
	if (controls.len &&
		!(page_write_allow(out, &head, "script-src ", as_choice_script_hash()) &&
			page_write_allow(out, &head, "style-src ", as_choice_style_hash())))
		return as_err_set(page->err, AS_E_FORMAT, "the page has no policy");
	title_at = as_slice_find_text(head, title_tag);
	if (title_at < head.len && title.len) {
		as_out_slice(out, page_write_until(&head, title_at + strlen(title_tag)));
		page_write_put_escaped(out, title);
		as_out_text(out, " - ");
	}
	as_out_slice(out, head);
	as_out_slice(out, controls);
	return AS_OK;
}

/* ---- bytes as text ---- */

/* The bits of bytes, the lowest first, are cut into codes of seven bits, and a character is its
 * code. NUL, CR, ESC and '<' must not stand in a page: where the next six bits are the code of one
 * of them, these six are cut off alone and become the character 64 above, which then stands for six
 * bits wherever it is met. Each character is as frequent in random bits as gzip's code for it is
 * short, so a page that is sent with gzip is not larger for it. */
enum { SHORT_BITS = 6, LONG_BITS = SHORT_BITS + 1, UPPER = 1 << SHORT_BITS };
enum { WORD = 8 }; /* so many characters are taken at once */

static const uint64_t is_short =
	1 << '\0' | 1 << '\r' | 1 << '\x1b' | UINT64_C(1) << '<'; /* by the lower six bits */

/* What fills up the last character is less than a byte. */
static void page_write_digits(struct as_out *out, const char *bytes, size_t n)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + n;
	uint64_t bits = 0;
	uint32_t held = 0;

	while (p < end || held) {
		char *to = as_out_room(out, WORD);
		size_t most;

		for (; held <= 64 - 8 && p < end; held += 8)
			bits |= (uint64_t)*p++ << held;
		most = held >= WORD * LONG_BITS ? WORD : 1;
		for (size_t i = 0; i < most; i++) {
			uint32_t one = is_short >> (bits % UPPER) & 1, used = LONG_BITS - one;

			to[i] = (char)(bits % (2 * UPPER) | one << SHORT_BITS);
			bits >>= used;
			held -= held < used ? held : used;
		}
		out->n += most;
	}
}

/* ---- elements ---- */

static void put_tag(struct as_page *page, const char *id)
{
	as_out_printf(page->out, "<script type=\"application/octet-stream\" id=\"%s\"", id);
}

static void put_attribute(struct as_page *page, const char *key, struct as_slice value)
{
	as_out_printf(page->out, " %s=\"", key);
	page_write_put_escaped(page->out, value);
	as_out_char(page->out, '"');
}

/* Writes the content of an element and its end tag. */
static enum as_code put_packed(struct as_page *page, struct as_slice bytes)
{
	struct as_gzip_best gz;
	enum as_code rc = as_gzip_best(&gz, page->al, bytes, page->err);

	as_out_char(page->out, '>');
	if (rc == AS_OK)
		page_write_digits(page->out, gz.p, gz.n);
	as_out_text(page->out, "</script>\n");
	as_gzip_best_release(&gz, page->al);
	return rc;
}

enum as_code as_page_put(struct as_page *page, const char *id, struct as_slice bytes)
{
	put_tag(page, id);
	return put_packed(page, bytes);
}

enum as_code as_page_put_file(struct as_page *page, const struct as_page_file *file)
{
	put_tag(page, file->id);
	put_attribute(page, "data-name", file->name);
	put_attribute(page, "data-file", file->saved_as);
	if (file->as_gzip || file->is_gzip)
		as_out_text(page->out, " data-gzip");
	if (!file->is_gzip)
		return put_packed(page, file->bytes);
	as_out_char(page->out, '>');
	page_write_digits(page->out, file->bytes.p, file->bytes.len);
	as_out_text(page->out, "</script>\n");
	return AS_OK;
}

void as_page_state(struct as_page *page, struct as_slice state)
{
	if (!state.len)
		return;
	as_out_text(page->out, "<script type=\"text/plain\" id=\"state\">");
	as_out_slice(page->out, state);
	as_out_text(page->out, "</script>\n");
}

void as_page_end(struct as_page *page, bool when)
{
	size_t at = as_slice_find_text(page->rest, when_marker);

	as_out_slice(page->out, page_write_until(&page->rest, at));
	if (!page->rest.len)
		return;
	page->rest = as_slice_skip(page->rest, strlen(when_marker));
	at = as_slice_find_text(page->rest, when_marker);
	if (when)
		as_out_slice(page->out, (struct as_slice){page->rest.p, at});
	as_out_slice(page->out, as_slice_skip(page->rest, at + strlen(when_marker)));
}

static bool page_write_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '.' || c == '~';
}

void as_page_word(struct as_out *out, bool *some, const char *key, struct as_slice value)
{
	if (*some)
		as_out_char(out, '&');
	*some = true;
	as_out_text(out, key);
	as_out_char(out, '=');
	for (size_t i = 0; i < value.len; i++)
		if (page_write_is_plain(value.p[i]))
			as_out_char(out, value.p[i]);
		else
			as_out_printf(out, "%%%02X", (unsigned char)value.p[i]);
}
