/* SPDX-License-Identifier: Apache-2.0 */
/* A program without the page: as_page_html() is empty. */
#include <stddef.h>

extern const unsigned char as_page_asset[];
extern const size_t as_page_asset_size;
const unsigned char as_page_asset[] = {0};
const size_t as_page_asset_size = 0;
