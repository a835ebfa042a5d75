# A disk that fills up, played by a limit on the size of files (in blocks of 512 bytes).
echo old > out
trap '' XFSZ
(
    ulimit -f 8
    assay convert "$FIXTURES/callgrind.out.demo" -t callgrind -y -o out 2> err
) || echo status $?
cat out
ls -A
