# The manual pages are made of what the program says: every option is there, and nothing else.
root=$(dirname "$0")/../../..
assay=$(command -v assay)
mkdir pages
python3 "$root/tools/man.py" "$assay" "$root/docs/man" pages
python3 - <<'END'
import pathlib, re, subprocess

def run(*args):
    return subprocess.run(['assay', *args], capture_output=True, text=True, check=True).stdout

commands = re.findall(r'^  (\w+)  ', run('help').split('Commands\n')[1], re.M)
pages = {p.stem: p.read_text().replace('\\-', '-') for p in pathlib.Path('pages').iterdir()}
assert sorted(pages) == sorted(['assay'] + ['assay-' + c for c in commands]), sorted(pages)
for command in commands:
    options = re.findall(r'--([\w-]+)', ' '.join(re.findall(r'^  (?:-\w, |    )--\S+', run(command, '--help'), re.M)))
    assert len(options) >= 4, (command, options)
    for option in options:
        for page in 'assay-' + command, *(['assay'] if option in ('color', 'jobs', 'focus', 'symbols') else []):
            assert re.search(f'--{option}(?![\\w-])', pages[page]), (page, option)
    assert f'.B {command}\n' in pages['assay'], command
END
# What is said of an option, or a command, that is no longer there is refused.
cp -r "$root/docs/man" sources
printf '.SH OPTIONS\n--sideways\nFrom the side.\n' >>sources/assay-help.1.in
python3 "$root/tools/man.py" "$assay" sources pages || echo "status $?"
cp "$root/docs/man/assay-help.1.in" sources/
cp sources/assay-help.1.in sources/assay-sleep.1.in
python3 "$root/tools/man.py" "$assay" sources pages || echo "status $?"
