"""A server on the loopback address that behaves as the path of a request says, well or badly."""
import base64
import gzip
import http.server
import socket
import ssl
import threading
import time

BASIC = 'Basic ' + base64.b64encode(b'user:pa55phrase').decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def head(self, status, length, **headers):
        self.send_response(status)
        if length is not None:
            self.send_header('Content-Length', str(length))
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()

    def body(self, data, status=200, **headers):
        self.head(status, len(data), **headers)
        self.wfile.write(data)

    def do_GET(self):
        server = self.server
        path, _, query = self.path.partition('?')
        with server.lock:
            server.seen.append((self.path, self.headers.get('Authorization')))
            server.now[path] = server.now.get(path, 0) + 1
            server.busiest = max(server.busiest, sum(server.now.values()))
        try:
            name, _, word = path[1:].partition('/')
            getattr(self, 'get_' + name)(word, query)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with server.lock:
                server.now[path] -= 1

    # --- as it should be
    def get_file(self, word, _):
        self.body(self.server.files[word], Content_Type='application/octet-stream')

    def get_chunked(self, word, _):
        self.head(200, None, Transfer_Encoding='chunked')
        data = self.server.files[word]
        for i in range(0, len(data), 100):
            piece = data[i:i + 100]
            self.wfile.write(b'%x\r\n%s\r\n' % (len(piece), piece))
        self.wfile.write(b'0\r\n\r\n')

    def get_until_the_end(self, word, _):
        self.close_connection = True
        self.head(200, None, Connection='close')
        self.wfile.write(self.server.files[word])

    def get_slow(self, word, _):
        time.sleep(0.3)
        self.get_file(word, _)

    def get_count(self, word, _):
        """Another profile each time it is asked."""
        with self.server.lock:
            self.server.counted += 1
            n = self.server.counted
        self.body(b'main;work %d\n' % n)

    def get_encoded(self, word, query):
        data = self.server.files[word]
        self.body(gzip.compress(data) if query == 'twice' else data, Content_Encoding='gzip')

    def get_brotli(self, word, _):
        self.body(b'\x0b\x02\x80', Content_Encoding='br')

    def get_private(self, word, _):
        if self.headers.get('Authorization') != BASIC:
            self.body(b'who are you?\n', 401, Content_Type='text/plain', WWW_Authenticate='Basic')
            return
        self.get_file(word, _)

    def get_token(self, word, _):
        if self.headers.get('Authorization') != 'Bearer tok3nvalue' or self.headers.get('X-Scope-OrgID') != '7':
            self.body(b'who are you?\n', 401, Content_Type='text/plain')
            return
        self.get_file(word, _)

    # --- errors
    def get_gone(self, *_):
        self.body(b'Unknown profile\n', 404, Content_Type='text/plain; charset=utf-8', X_Go_Pprof='1')

    def get_busy(self, *_):
        self.body(b'Could not enable CPU profiling: cpu profiling already in use\n', 500, Content_Type='text/plain; charset=utf-8', X_Go_Pprof='1')

    def get_html(self, *_):
        self.body(b'<html><body>no such thing</body></html>', 502, Content_Type='text/html')

    def get_controls(self, *_):
        self.body(b'\x1b[31mred\x1b[0m' + b'x' * 3000, 500, Content_Type='text/plain')

    def get_index(self, *_):
        self.body(b'<html><body>profiles are elsewhere</body></html>', Content_Type='text/html')

    def get_partial(self, word, _):
        self.body(self.server.files[word][:50], 206)

    def get_to(self, word, query):
        self.body(b'', 302, Location=query or word)

    def get_loop(self, *_):
        self.body(b'', 302, Location='/loop')

    def get_torn(self, word, _):
        data = self.server.files[word]
        self.close_connection = True
        self.head(200, len(data) + 100)
        self.wfile.write(data)

    def get_torn_chunks(self, word, _):
        data = self.server.files[word]
        self.close_connection = True
        self.head(200, None, Transfer_Encoding='chunked')
        self.wfile.write(b'%x\r\n%s\r\n' % (len(data), data))

    def get_reset(self, word, _):
        self.close_connection = True
        self.head(200, 1000000)
        self.wfile.write(self.server.files[word])
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        self.connection.close()

    def get_nothing(self, *_):
        self.close_connection = True

    def get_endless(self, *_):
        self.close_connection = True
        self.head(int(self.path.partition('?')[2] or 200), None)
        while True:
            self.wfile.write(b'main;work 1\n' * 10000)

    def get_drip(self, *_):
        self.close_connection = True
        self.head(200, 1000000)
        while not self.server.over:
            self.wfile.write(b'main;work 1\n')
            self.wfile.flush()
            time.sleep(0.02)


class Server(http.server.ThreadingHTTPServer):
    """Files that it has are FILES; SEEN are the requests, each with who asked."""
    daemon_threads = True

    def __init__(self, files, certificate=None):
        super().__init__(('127.0.0.1', 0), Handler)
        self.files, self.seen, self.now, self.busiest, self.counted, self.over = files, [], {}, 0, 0, False
        self.lock = threading.Lock()
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass

    def url(self, path, who='', host='127.0.0.1', scheme='http'):
        return '%s://%s%s:%d/%s' % (scheme, who, host, self.port, path)
