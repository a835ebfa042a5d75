/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a DCPI profile (pdb-0.07) of about the size asked for: a text header,
 * chunks of counts at ascending offsets, the footer with both totals.
 *
 *	gen_dcpi [-S SEED] [-s SIZE] > FILE
 *
 * A chunk holds 26 counts on average, as straight-line code between branches
 * does; 100 MB are 23 million counts in 876,000 chunks. The file is canonical:
 * gaps of one or two counts are bridged with zeros, wider ones end the chunk.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_options.h"

enum {
	MAX_CHUNK = 512,
	STRIDE = 4, /* bytes of an Alpha instruction */
};

/* Counts in one chunk. */
static const struct quantile chunk_lengths[] = {
	{0.00, 1},
	{0.25, 4},
	{0.50, 13},
	{0.75, 31},
	{0.95, 88},
	{1.00, 240},
};
/* Samples at one address, where there are any; 32 bits must hold their sum over 1 GB. */
static const struct quantile counts[] = {
	{0.00, 1},
	{0.60, 3},
	{0.90, 8},
	{0.99, 40},
	{1.00, 400},
};

struct image {
	uint64_t seed, size;
	struct sink out;
	/* the sums of one pass over the chunks */
	uint64_t end, chunks, words, nonzero, samples;
};

/* One chunk; it neither begins nor ends with zero. */
static uint32_t make_chunk(struct rng *r, uint32_t count[MAX_CHUNK])
{
	uint32_t n = (uint32_t)quantile_at(chunk_lengths, ARRAY_LEN(chunk_lengths), rng_unit(r));
	uint32_t zeros = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool inside = i && i + 1 < n;

		if (inside && zeros < 2 && rng_chance(r, 120)) {
			count[i] = 0;
			zeros++;
			continue;
		}
		count[i] = (uint32_t)quantile_at(counts, ARRAY_LEN(counts), rng_unit(r));
		zeros = 0;
	}
	return n;
}

/* All chunks, to the output where there is one. The text's size stands in the header, ahead of
 * them: so a first pass only adds up. */
static void chunks(struct image *image, uint64_t header)
{
	struct rng r = {mix2(image->seed ^ 0x64637069, 0)};
	uint32_t count[MAX_CHUNK];
	uint64_t body = header + 8;

	image->end = 0x2000;
	image->chunks = image->words = image->nonzero = image->samples = 0;
	while (body < image->size) {
		uint32_t n = make_chunk(&r, count);

		sink_le(&image->out, image->end, 4);
		sink_le(&image->out, n, 4);
		for (uint32_t i = 0; i < n; i++) {
			sink_le(&image->out, count[i], 4);
			image->nonzero += count[i] != 0;
			image->samples += count[i];
		}
		body += 8 + 4 * (uint64_t)n;
		image->chunks++;
		image->words += n;
		image->end += STRIDE * (uint64_t)n;
		/* the gap: more than two instructions, or else it would have been bridged */
		image->end += STRIDE * (3 + (uint64_t)rng_below(&r, rng_chance(&r, 50) ? 200 : 12));
		if (image->end > UINT32_MAX || image->samples > UINT32_MAX)
			die("this size does not fit into 32 bits");
	}
}

static void put_line(struct sink *out, const char *key, const char *value)
{
	char line[128];

	snprintf(line, sizeof(line), "%-20s%s\n", key, value);
	sink_text(out, line);
}

static void put_header(struct image *image)
{
	char number[32];
	uint64_t padding;

	put_line(&image->out, "version", "pdb-0.07");
	put_line(&image->out, "image", "19970328081403c0c18b");
	put_line(&image->out, "epoch", "9612042334");
	put_line(&image->out, "platform", "walnut");
	put_line(&image->out, "event", "cycles");
	put_line(&image->out, "period", "63488");
	put_line(&image->out, "tstart", "120000000");
	snprintf(number, sizeof(number), "%" PRIu64, (image->end + 0x1fff) & ~UINT64_C(0x1fff));
	put_line(&image->out, "tsize", number);
	put_line(&image->out, "cpuspeed", "333");
	put_line(&image->out, "path", "/usr/local/bin/program");
	sink_text(&image->out, "samples");
	/* blanks before the end of the line align the body to 4 bytes */
	for (padding = (3 - image->out.written % 4) % 4; padding; padding--)
		sink_char(&image->out, ' ');
	sink_char(&image->out, '\n');
}

int main(int argc, char **argv)
{
	static struct image image;
	const uint64_t header = 324; /* about */

	image.seed = 1;
	image.size = 1000000;
	parse_options(argc, argv, &image.seed, &image.size);
	if (optind < argc) {
		fputs("usage: gen_dcpi [-S SEED] [-s SIZE] > FILE\n", stderr);
		return 2;
	}
	chunks(&image, header);
	sink_flush(&image.out);
	image.out.written = 0;
	image.out.file = stdout;
	put_header(&image);
	chunks(&image, header);
	sink_le(&image.out, image.nonzero, 4);
	sink_le(&image.out, image.samples, 4);
	sink_flush(&image.out);
	if (fflush(stdout))
		die("write");
	fact("bytes", image.out.written);
	fact("chunks", image.chunks);
	fact("counts", image.words);
	fact("nonzero", image.nonzero);
	fact("samples", image.samples);
	return 0;
}
