# On a terminal defaults are used: the command line's beat the environment's, these the file's.
if ! command -v script > /dev/null; then
    echo "no script"
    exit 77
fi
mkdir -p .config/assay
printf 'rows = 4\npager = sed s/^/paged:/\n[top]\nrows = 3\ncolor = never\n' > .config/assay/config
tty() {
    NO_COLOR=1 TERM=xterm script -qec "stty cols 80 rows $1; $2" /dev/null < /dev/null | tr -d '\r'
}
p=$FIXTURES/callgrind.out.demo
rows() {
    tty 40 "$1" | grep -c '^ *[0-9,]* *[0-9.]* ' # and that of the rest
}
rows "assay top $p"
rows "assay lines $p -n 4"
rows "ASSAY_OPTIONS=--rows=2 assay top $p"
rows "ASSAY_OPTIONS=--rows=2 assay top $p -n 1"
tty 40 "assay top $p -f csv | wc -l"
tty 5 "assay top $p" | grep -c '^paged:'
tty 5 "ASSAY_PAGER=cat assay top $p" | grep -c '^paged:' || true
tty 5 "assay --no-config --color=never top $p --no-pager" | grep -c '^paged:' || true
