# Only this machine, only who knows the path, only to read, only the page.
assay --version | grep -q ', page, libmicrohttpd' || { echo "built without libmicrohttpd"; exit 77; }
printf 'int main;\n' >"$PWD/a.c"
printf 'secret\n' >b.c
printf 'events: Ir\nfl=%s/a.c\nfn=main\n1 5\n' "$PWD" >callgrind.out.1
python3 - <<'END'
import http.client, re, signal, socket, subprocess
server = subprocess.Popen(['assay', 'open', '--serve', 'callgrind.out.1'], stdout=subprocess.PIPE, text=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
line = server.stdout.readline()
port, token = re.match(r'http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/   Ctrl-C ends; from elsewhere  ssh -L (?:\d+):localhost:\d+ ', line).groups()
port = int(port)

def ask(path, method='GET', body=None, **headers):
    c = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    c.putrequest(method, path, skip_host='Host' in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        c.putheader(name.replace('_', '-'), value)
    if body is not None:
        c.putheader('Content-Length', str(len(body)))
    c.endheaders(body)
    answer = c.getresponse()
    text = answer.read()
    c.close()
    return answer, text

page = '/' + token + '/'
link = {'Sec_Fetch_Site': 'cross-site', 'Sec_Fetch_Mode': 'navigate', 'Sec_Fetch_Dest': 'document'}
answer, text = ask(page)
print(answer.status, text[:15], b'id="profile"' in text, answer.getheader('Content-Type'))
for name in ('Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy', 'Cache-Control'):
    print(name, answer.getheader(name))
print(ask(page, 'HEAD')[0].status, ask(page, 'HEAD')[1], ask(page, Host=f'localhost:{port}')[0].status,
      ask(page, Origin=f'http://127.0.0.1:{port}')[0].status)
for name, got in {
        'another host': ask(page, Host='evil.example'), 'another port': ask(page, Host='127.0.0.1:1'),
        'no host': ask(page, Host=''), 'another origin': ask(page, Origin='http://evil.example'),
        'no origin': ask(page, Origin='null'), 'another site': ask(page, Sec_Fetch_Site='cross-site'),
        'no token': ask('/'), 'wrong token': ask('/' + '0' * 32 + '/'), 'short token': ask('/' + token[:31] + '/'),
        'wrong end': ask('/' + token[:31] + ('1' if token[31] == '0' else '0') + '/'),
        'other path': ask(page + 'a.c'), 'up': ask(page + '../../etc/passwd'),
        'post': ask(page, 'POST', b'x'), 'put': ask(page, 'PUT', b'x'), 'delete': ask(page, 'DELETE'),
        'options': ask(page, 'OPTIONS'),
        'a source file': ask(page + 'source?file=1'),
        'a link': ask(page, **link), 'of the same site': ask(page, **{**link, 'Sec_Fetch_Site': 'same-site'}),
        'a frame': ask(page, **{**link, 'Sec_Fetch_Dest': 'iframe'}), 'an object': ask(page, **{**link, 'Sec_Fetch_Dest': 'object'}),
        'a script': ask(page, **{**link, 'Sec_Fetch_Mode': 'no-cors', 'Sec_Fetch_Dest': 'script'}),
        'a form': ask(page, 'POST', b'x', **link, Origin='http://evil.example'), 'a link without the token': ask('/', **link),
}.items():
    print(f'{name}: {got[0].status} {got[1].decode()[:15 if got[0].status == 200 else 40]!r}')
idle = [socket.create_connection(('127.0.0.1', port)) for _ in range(100)]
print('beside idle connections:', ask(page)[0].status)
for s in idle:
    s.close()
with socket.socket() as s:
    try:
        s.connect((socket.gethostbyname(socket.gethostname()), port))
        print('reached from outside' if not socket.gethostbyname(socket.gethostname()).startswith('127.') else 'refused')
    except OSError:
        print('refused')
taken = subprocess.run(['assay', 'open', '--serve', '--port', str(port)], capture_output=True, text=True, check=False)
print(taken.returncode, taken.stderr.replace(str(port), 'PORT'), taken.stdout, end='')
server.send_signal(signal.SIGINT)
print(server.wait(20))
END
