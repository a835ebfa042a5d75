# Of the port of HTTP browsers say nothing: without it the names are ours there, and only there.
assay --version | grep -q ', page, libmicrohttpd' || { echo "built without libmicrohttpd"; exit 77; }
printf 'events: Ir\nfn=main\n1 5\n' >callgrind.out.1
python3 - <<'END'
import http.client, socket, subprocess, sys

def free():
    """A port of 80 that can be had: of those that need rights, and that others may have."""
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(('127.0.0.1', 80))

try:
    free()
except OSError as why:
    print('port 80 cannot be had:', why)
    sys.exit(77)

def ask(port, path, host, origin=None):
    c = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    c.putrequest('GET', path, skip_host=True, skip_accept_encoding=True)
    c.putheader('Host', host)
    if origin:
        c.putheader('Origin', origin)
    c.endheaders()
    return c.getresponse().status

for given in 80, 0:
    server = subprocess.Popen(['assay', 'open', '--serve', '--port', str(given), 'callgrind.out.1'],
                              stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().split()[0]
    port, path = int(address.split(':')[2].split('/')[0]), '/' + address.split('/')[3] + '/'
    for host in 'NAME:PORT', 'NAME', 'NAME:', 'NAME:1', 'NAME.', 'xNAME':
        print('80' if given else 'any', host, *(
            ask(port, path, host.replace('NAME', name).replace('PORT', str(port))) for name in ('127.0.0.1', 'localhost')))
    for origin in 'http://localhost', 'http://127.0.0.1', f'http://localhost:{port}', 'http://localhost:1', 'https://localhost':
        print('80' if given else 'any', origin.replace(str(port), 'PORT'), ask(port, path, f'localhost:{port}', origin))
    server.terminate()
    server.wait(20)
END
