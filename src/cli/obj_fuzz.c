/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the object of a small profile, through the commands that name code and show it.
 * Like the target "elf", the object is always at one path, so that a seed can name itself.
 */
#include "lib/fuzz_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FD = 99, BASE = 0x400000, STACKS = 300, LINES = 60 };

static const char *const commands[][9] = {
	{"top", "in", "-n", "0", "--by", "line"},
	{"list", ".", "in", "--asm", "--source-path", "."},
	{"asm", ".", "in", "-f", "json", "--syntax", "intel"},
	{"tree", "in", "--inline", "off"},
	{"symbolize", "in", "-o", "out.pb.gz"},
	{"share", "in", "-o", "out.html", "--source-path", "."},
	{"top", "in", "--by", "address", "-f", "json", "--names", "short"},
};

/* gperftools' own: a header, stacks of two frames, the end, and where the object was mapped. */
static void put_profile(void)
{
	static const char maps[] =
		"00400000-00440000 r-xp 00000000 08:01 12345  /proc/self/fd/99\n";
	uint64_t word[8 + 4 * STACKS] = {0, 3, 0, 10000, 0};
	char file[sizeof(word) + sizeof(maps)];
	size_t n = 5;

	for (uint64_t i = 0; i < STACKS; i++) {
		word[n++] = 1;
		word[n++] = 2;
		word[n++] = BASE + 0x200 + 5 * i;
		word[n++] = BASE + 0x200 + 35 * i % (5 * STACKS);
	}
	n++;
	word[n++] = 1;
	n++;
	memcpy(file, word, n * sizeof(*word));
	memcpy(file + n * sizeof(*word), maps, sizeof(maps) - 1);
	jail_put("in", (struct as_slice){file, n * sizeof(*word) + sizeof(maps) - 1});
}

static void put_source(void)
{
	char text[16 * LINES];
	size_t n = 0;

	for (int i = 1; i <= LINES; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "line %d\n", i);
	jail_put("elf_seed.c", (struct as_slice){text, n});
}

static void run(const char *const *command)
{
	char word[WORDS_MAX][24], *words[WORDS_MAX];
	int n = 0;
	struct printed p;

	snprintf(word[n++], sizeof(*word), "assay");
	for (int i = 0; command[i]; i++)
		snprintf(word[n++], sizeof(*word), "%s", command[i]);
	snprintf(word[n++], sizeof(*word), "--force");
	snprintf(word[n++], sizeof(*word), "--no-symbol-cache");
	for (int i = 0; i < n; i++)
		words[i] = word[i];
	p = program(n, words, 0);
	must(p.status >= AS_EXIT_OK && p.status <= AS_EXIT_OUTPUT);
	must(is_plain_text(p.out, p.n_out) && is_plain_text(p.err, p.n_err));
	free(p.out);
	free(p.err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("object", MFD_CLOEXEC), moved = dup2(fd, FD);

	must(moved == FD && write(fd, data, size) == (ssize_t)size);
	jail_make();
	must(!setenv("ASSAY_SYMBOLS", "auto", 1));
	put_profile();
	put_source();
	/* One of them is as good as all, and takes a seventh of the time. */
	run(commands[as_hash_bytes(data, size) % AS_ARRAY_LEN(commands)]);
	jail_empty();
	close(fd);
	close(FD);
	return 0;
}
