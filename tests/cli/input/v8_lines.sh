# Lines that V8 can't tell of are said to be missing where lines are asked for, with the way to them.
cp "$(dirname "$0")/../../../src/formats/cpuprofile/golden/plain.cpuprofile" .
assay lines plain.cpuprofile -n 2
assay top plain.cpuprofile -n 2
assay lines plain.cpuprofile -I lines=yes -n 2
