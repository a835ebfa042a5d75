# A profile, or a binary that came with it, names files that are none of its business: they stay out
# of the page, and what goes in is told with its whole path, before the page is written, also by -q.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
umask 022
here=$(pwd -P)
secret() { mkdir -p "$(dirname "$1")"; for i in 1 2 3; do echo "SECRET $1"; done >"$1"; }
public() { mkdir -p "$(dirname "$1")"; for i in 1 2 3; do echo "public $1"; done >"$1"; }
secret outside/.ssh/id_rsa
secret outside/shadow
secret outside/only_named.c
secret outside/private/mine.c
chmod 600 outside/private/mine.c
secret outside/.hidden/x.c
secret work/.ssh/key.c
secret work/passwords
public outside/src/named.c
public outside/lib/chosen.h
public work/own.c
public work/sub/deep.c
ln -s ../outside/shadow work/link.c
ln -s "$here/outside/only_named.c" work/other.c
mkfifo work/fifo.c
cd work
# Callgrind, from a stranger.
profile() {
	echo 'events: Ir'
	for path; do printf 'fl=%s\nfn=f%s\n1 100\n3 100\n' "$path" "$(echo "$path" | tr -c 'a-z\n' _)"; done
}
profile "$here/outside/.ssh/id_rsa" "$here/outside/shadow" "$here/outside/only_named.c" \
	"../outside/only_named.c" "$here/work/../outside/shadow" .ssh/key.c passwords link.c other.c fifo.c \
	/dev/stdin /proc/self/environ /proc/self/cmdline /dev/zero /etc/passwd own.c "$here/work/sub/deep.c" >a.cg
assay share a.cg -o a.html </dev/null 2>a.err || cat a.err
sed "s#$here#HERE#g" a.err
echo '== quiet'
assay share a.cg -q -o q.html </dev/null 2>&1 | sed "s#$here#HERE#g"
assay share a.cg -q -o r.html --no-source
echo '== what the user names'
assay share a.cg -o b.html --source-path "$here/outside" 2>&1 </dev/null | sed "s#$here#HERE#g"
# A binary that names them, too: what it was built from goes in, if it is everybody's, and source.
i=0
for path in "$here/outside/.ssh/id_rsa" "$here/outside/src/../src/named.c" "$here/outside/private/mine.c" "$here/outside/.hidden/x.c"; do
	i=$((i + 1))
	printf '# 1 "%s"\nvoid f%s(void) {}\n' "$path" $i
done >main.c
cc -g -shared -o ../outside/lib.so main.c
{
	profile | sed "\$a ob=$here/outside/lib.so"
	profile "$here/outside/.ssh/id_rsa" "$here/outside/src/named.c" "$here/outside/private/mine.c" \
		"$here/outside/.hidden/x.c" "$here/outside/only_named.c" "$here/outside/shadow" | tail -n +2
} >c.cg
echo '== a binary'
assay share c.cg -o c.html --symbols auto 2>&1 | sed "s#$here#HERE#g"
assay share c.cg -o d.html --symbols none 2>&1 | sed "s#$here#HERE#g"
assay share c.cg -o e.html --symbols auto --path-map "$here/outside/private=$here/outside/src" 2>&1 | sed "s#$here#HERE#g"
PYTHONPATH=$(dirname "$0") python3 - <<'END'
from page import Elements
for name in 'a', 'q', 'b', 'c', 'd', 'e':
    page = Elements(f'{name}.html')
    lines = [line for spans in page.json('code')['sources'].values() for span in spans for line in span['lines']]
    print(name, len(lines), sorted({line.split('/')[-1] for line in lines}), sum('SECRET' in line for line in lines))
END
echo "== a binary's instructions"
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o ../outside/program "$lib/named.c"
python3 "$lib/make_prof.py" ../outside/program p.prof hash sum
share_program() { assay share p.prof --symbols auto -o p.html -y "$@" 2>&1 | sed "s#$here#HERE#g; s/[0-9]* lines/N lines/; s/[0-9]* instr/N instr/; /source of/d"; }
share_program --no-source
chmod 700 ../outside/program
share_program --no-source
share_program --no-source --binary ../outside/program
echo '== for the own eyes'
assay list 'only_named_c' a.cg --context 0 </dev/null | grep -c SECRET
for f in fifo_c dev_stdin proc_self_environ dev_zero; do assay list "$f" a.cg <passwords | grep -c 'no such source' || echo "$f: $?"; done
