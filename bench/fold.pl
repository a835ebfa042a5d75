# SPDX-License-Identifier: Apache-2.0
# What `perf script` prints, folded: "COMMAND;outermost;...;innermost WEIGHT". It stands for
# stackcollapse-perf.pl, which no package has, and does per line what that does: names without
# offsets and arguments, inlined ones apart, weights by periods.
use strict;
use warnings;

my (%total, @stack, $command, $weight);

sub finish {
	$total{join(';', $command, @stack)} += $weight if defined $command;
	@stack = ();
	undef $command;
}

while (my $line = <>) {
	next if $line =~ /^#/;
	chomp $line;
	if ($line eq '') {
		finish();
	} elsif ($line =~ /^(\S.+?)\s+(\d+)\/*(\d+)*\s+/) {
		$command = $1;
		$weight = $line =~ /:\s*(\d+)*\s+(\S+):\s*$/ && $1 ? $1 : 1;
		$command =~ tr/ /_/;
	} elsif ($line =~ /^\s*(\w+)\s*(.+) \((.*)\)/) {
		my ($raw, $module) = ($2, $3);
		my @inlined;
		$raw =~ s/\+0x[\da-f]+$//;
		next if $raw =~ /^\(/;
		for my $name (split /->/, $raw) {
			if ($name eq '[unknown]' && $module ne '[unknown]') {
				($name = $module) =~ s/.*\///;
				$name = "[$name]";
			}
			$name =~ s/;/:/g;
			$name =~ s/\((?!anonymous namespace\)).*// if $name !~ /\.\(.*\)\./;
			$name =~ tr/"'//d;
			$name .= '_[i]' if @inlined;
			push @inlined, $name;
		}
		unshift @stack, @inlined;
	}
}
finish();
print "$_ $total{$_}\n" for sort keys %total;
