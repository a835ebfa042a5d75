# Every command has help of one screen, with examples, on stdout; --help and help say more.
for command in check convert dump filter formats help info merge show top; do
    assay $command -h > short
    assay $command --help > long
    assay help $command | cmp - long
    grep -q '^Examples$' short
    test "$(wc -l < short)" -le 40
    grep -q '^Exit status$' long
    grep -q "^  $command " <<END
$(assay help)
END
done
