# What is no profile is told by name, with status 4, and nothing goes to stdout.
try() {
    if assay top "$1" > out 2> err; then
        echo "$1: status 0"
    else
        echo "$1: status $?"
    fi
    test ! -s out
    head -n 1 err
}
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' > png
printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\004\0\076\0' > core
printf 'BZh91AY' > bzip2
printf 'hello world\n' > text
printf '{"a": 1}\n' > json
for file in png core bzip2 text json; do
    try $file
done
# What others record: one line says how to get a file that is read.
way() {
    printf '%b' "$2" > "$1"
    assay top "$1" 2> err || true
    sed 's/.*this is/this is/; s/^  */    /' err
}
way no-script 'a title:\n  feed the cat (daily)\n'
way goroutines 'goroutine 1 [running]:\nmain.main()\n'
way xctrace '<?xml version="1.0"?><trace-toc>'
way x.nsys-rep '\001\002'
mkdir x.trace uftrace.data other
echo no > uftrace.data/info
for dir in x.trace/ uftrace.data other; do
    assay top $dir 2>&1 || echo "exit $?"
done
# The base file that valgrind leaves empty beside the files of threads and dumps.
: > callgrind.out.7
assay top callgrind.out.7 2>&1 || echo "exit $?"
for part in 1 2; do
    printf '# callgrind format\nevents: Ir\nfn=f\n1 5\n' > callgrind.out.7-0$part
done
assay top callgrind.out.7 2>&1 || echo "exit $?"
assay top --all-parts callgrind.out.7
