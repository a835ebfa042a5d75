# SPDX-License-Identifier: Apache-2.0
# What `perf script` prints, folded: "COMMAND;outermost;...;innermost SAMPLES". It stands for
# stackcollapse-perf.pl, which does the same in Perl.
/^[^ \t]/ {
	command = $1
	stack = ""
	next
}
NF == 0 {
	if (command != "")
		n[command stack]++
	command = ""
	next
}
{
	name = $2
	sub(/\+0x[0-9a-f]+$/, "", name)
	stack = ";" name stack
}
END {
	if (command != "")
		n[command stack]++
	for (s in n)
		print s, n[s]
}
