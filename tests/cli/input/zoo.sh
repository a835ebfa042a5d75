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
printf 'PERFILE2\0\0\0\0' > perf.data
printf 'hello world\n' > text
printf '{"a": 1}\n' > json
for file in png core perf.data text json; do
    try $file
done
