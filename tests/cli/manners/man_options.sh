# Every option of -h is on the manual page and the other way round; commands likewise.
man=$(dirname "$0")/../../../docs/man
python3 - "$man" <<'END'
import pathlib, re, subprocess, sys
man = pathlib.Path(sys.argv[1])

def run(*args):
    return subprocess.run(['assay', *args], capture_output=True, text=True, check=True).stdout

def options_of_page(text):
    """Long option -> {(letter, argument)} of the .TP heads: --from and --to mean two things."""
    found = {}
    for line in re.findall(r'^\.TP\n\.BR? (.*)', text, re.M):
        line = line.replace('\\-', '-').replace('\\fI', '').replace('\\fR', '').replace('"', '')
        match = re.match(r'(?:-(\w) ,? *)?--([\w-]+)\s*(.*)', line)
        if match:
            found.setdefault(match.group(2), set()).add((match.group(1), match.group(3).strip()))
    return found

def options_of_help(text):
    found = {}
    for m in re.finditer(r'^ +(?:-(\w), )?--([\w-]+)(?: ((?!  )\S+))?', text, re.M):
        found.setdefault(m.group(2), set()).add((m.group(1), (m.group(3) or '').strip()))
    return found

common = options_of_page((man / 'assay.1').read_text())
del common['help'], common['version']
commands = re.findall(r'^  (\w+)  ', run('help').split('Commands\n')[1], re.M)
pages = sorted(p.stem for p in man.glob('*.1'))
assert pages == sorted(['assay'] + ['assay-' + c for c in commands]), (pages, commands)
overview = (man / 'assay.1').read_text()
listed = re.findall(r'^\.B (\w+)$', overview.split('.SH COMMANDS')[1].split('.SH OPTIONS')[0], re.M)
assert listed == sorted(commands), set(listed) ^ set(commands)
also = re.findall(r'^\.BR assay-(\w+) ', overview.split('.SH SEE ALSO')[1], re.M)
assert also == sorted(commands), set(also) ^ set(commands)
for command in commands:
    text = run(command, '--help')
    have = options_of_help(text[text.index('options\n') if 'options\n' in text else 0:text.index('Exit status')])
    for name, what in options_of_help(text[:text.index('Exit status')]).items():
        have[name] = have.get(name, set()) | what
    page = (man / f'assay-{command}.1').read_text()
    told = options_of_page(page)
    for name, what in have.items():
        if name in common and name not in told:
            assert common[name] >= what, (command, name, common[name], what)
            assert f'--{name}' in page.replace('\\-', '-'), (command, name)
        else:
            all_told = told.get(name, set())
            assert all_told <= what <= all_told | common.get(name, set()), (command, name, told.get(name), what)
    assert set(told) <= set(have), (command, set(told) - set(have))
    brief = re.search(r'^Usage: .*\n(.*)', text).group(1)
    assert brief, command
END
