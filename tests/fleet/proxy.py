# SPDX-License-Identifier: Apache-2.0
"""A proxy between assay and a server that does harm: to the N-th request that FITS, what is asked of it."""
import http.client
import http.server
import socket
import ssl
import struct
import threading
import urllib.parse


def statement(path, body):
    """The SQL of a request."""
    query = urllib.parse.parse_qs(urllib.parse.urlparse(path).query).get('query', [])
    return query[0] if query else body.decode(errors='replace')


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (ConnectionError, OSError):
            self.close_connection = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        self.encoding = None
        sql = statement(self.path, body)
        harm = self.server.harm_of(sql)
        if harm:
            harm(self, body)
        else:
            self.pass_on(body)

    def ask(self, body, announced=None):
        """The server's answer; ANNOUNCED: the length that it is told, where less is sent."""
        connection = http.client.HTTPConnection(*self.server.behind, timeout=60)
        connection.putrequest('POST', self.path, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ('host', 'content-length', 'connection'):
                connection.putheader(name, value)
        connection.putheader('Content-Length', str(announced or len(body)))
        connection.endheaders()
        connection.send(body)
        if announced:
            connection.sock.shutdown(socket.SHUT_WR)
        answer = connection.getresponse()
        data = answer.read()
        self.encoding = answer.getheader('Content-Encoding')
        self.server.encodings.append((self.headers['Content-Encoding'], self.encoding, len(body), len(data)))
        connection.close()
        return answer.status, data

    def answer(self, status, data, announced=None):
        self.send_response(status)
        self.send_header('Content-Length', str(announced or len(data)))
        if self.encoding:
            self.send_header('Content-Encoding', self.encoding)
        self.end_headers()
        self.wfile.write(data)

    def pass_on(self, body):
        self.answer(*self.ask(body))

    def cut(self):
        """The connection, as when a machine goes down."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        self.close_connection = True
        self.connection.close()


class Proxy(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, server, certificate=None):
        """CERTIFICATE: files of one and its key; then TLS ends here."""
        super().__init__(('127.0.0.1', 0), Handler)
        self.encodings = []                                           # of what was asked and answered, and how many bytes they were
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.behind = ('127.0.0.1', server.http)
        self.lock = threading.Lock()
        self.fits, self.first, self.last, self.harm, self.seen, self.sent = '', 0, 0, None, 0, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def harms(self, fits, harm, first=1, last=1):
        """Requests FIRST to LAST whose statement has FITS in it."""
        with self.lock:
            self.fits, self.first, self.last, self.harm, self.seen, self.sent = fits, first, last, harm, 0, []

    def harm_of(self, sql):
        with self.lock:
            self.sent.append(sql)
            if not self.harm or self.fits not in sql:
                return None
            self.seen += 1
            return self.harm if self.first <= self.seen <= self.last else None

    def url(self, database='prof'):
        return 'http://127.0.0.1:%d/%s' % (self.server_address[1], database)

    def close(self):
        self.shutdown()
        self.server_close()


# --- harm

SAMPLE, MARK_OF_STACKS, MARK_OF_FRAMES = 46, 19, 75                    # bytes of such a row


def body_cut(rows, size=SAMPLE):
    """The last ROWS rows of a SIZE are lost on the way, and the server takes the rest for all of it."""
    def harm(handler, body):
        handler.answer(*handler.ask(body[:len(body) - size * rows], announced=len(body)))
    return harm


def body_empty(handler, body):
    """Nothing of it arrives, and the answer is that it did."""
    handler.answer(200, b'')


def torn_before(handler, body):
    """It never reaches the server."""
    handler.cut()


def torn_after(handler, body):
    """The server has done it, and the answer is lost."""
    handler.ask(body)
    handler.cut()


def torn_answer(handler, body):
    status, data = handler.ask(body)
    handler.answer(status, data[:len(data) // 2], announced=len(data) + 1)
    handler.cut()


def half_answer(handler, body):
    """As if that were all of it."""
    status, data = handler.ask(body)
    handler.answer(status, data[:len(data) // 2])


def endless_answer(handler, body):
    """An answer that ends where the connection does."""
    status, data = handler.ask(body)
    handler.send_response_only(status)
    handler.end_headers()
    handler.wfile.write(data[:-1])
    handler.close_connection = True


def says(status, text):
    def harm(handler, body):
        handler.answer(status, text.encode())
    return harm


def says_late(text):
    """An error behind rows, with status 200: a server that fails when it has begun to answer."""
    def harm(handler, body):
        handler.answer(200, handler.ask(body)[1] + text.encode())
    return harm
