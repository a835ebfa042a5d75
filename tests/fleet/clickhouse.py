# SPDX-License-Identifier: Apache-2.0
"""Servers of ClickHouse for tests: each in a folder of its own, on ports of the loopback address that are free, and gone with
the test. Debian's 18.16 and today's take the same configuration."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

USER, PASSWORD = 'writer', "pa55'phr\\ase"


def installed():
    return shutil.which('clickhouse-server') is not None


def free_ports(n):
    held = [socket.socket() for _ in range(n)]
    for s in held:
        s.bind(('127.0.0.1', 0))
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


CONFIG = """<?xml version="1.0"?>
<yandex>
    <logger><level>warning</level><log>{dir}/log</log><errorlog>{dir}/errors</errorlog></logger>
    <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><interserver_http_port>{inter}</interserver_http_port>
    <interserver_http_host>127.0.0.1</interserver_http_host>
    <listen_host>127.0.0.1</listen_host>
    <path>{dir}/data/</path><tmp_path>{dir}/tmp/</tmp_path>
    <user_files_path>{dir}/files/</user_files_path><format_schema_path>{dir}/schemas/</format_schema_path>
    <users_config>{dir}/users.xml</users_config><default_profile>default</default_profile>
    <default_database>default</default_database>
    <mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>
    <max_concurrent_queries>100</max_concurrent_queries>
    <timezone>{zone}</timezone>
    <merge_tree><parts_to_delay_insert>{delay}</parts_to_delay_insert><parts_to_throw_insert>{throw}</parts_to_throw_insert></merge_tree>
    <remote_servers>{clusters}</remote_servers>
    <macros><shard>{shard}</shard><replica>{replica}</replica></macros>
    {zookeeper}
</yandex>
"""

USERS = """<?xml version="1.0"?>
<yandex>
    <profiles><default><max_memory_usage>2000000000</max_memory_usage></default>
        <reads><readonly>1</readonly></reads></profiles>
    <users>
        <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
        <writer><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></writer>
        <reader><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>reads</profile><quota>default</quota></reader>
    </users>
    <quotas><default/></quotas>
</yandex>
"""


class Server:
    """One server; start() returns when it answers."""

    def __init__(self, folder, ports, **config):
        self.dir = pathlib.Path(folder)
        self.http, self.tcp, inter = ports
        self.process = None
        for name in ('data', 'tmp', 'files', 'schemas'):
            (self.dir / name).mkdir(parents=True, exist_ok=True)
        values = {'dir': self.dir, 'http': self.http, 'tcp': self.tcp, 'inter': inter, 'zone': 'UTC', 'delay': 150, 'throw': 300,
                  'clusters': '', 'shard': 1, 'replica': 1, 'zookeeper': ''}
        (self.dir / 'config.xml').write_text(CONFIG.format(**{**values, **config}))
        (self.dir / 'users.xml').write_text(USERS.format(password=PASSWORD))

    def start(self):
        env = {**os.environ, 'TZ': 'UTC'}
        self.process = subprocess.Popen(['clickhouse-server', '--config-file=%s' % (self.dir / 'config.xml')], cwd=self.dir, env=env,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(600):
            try:
                if self.sql('SELECT 1') == '1\n':
                    return self
            except OSError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError('clickhouse-server does not start: %s' % self.errors())

    def errors(self):
        log = self.dir / 'errors'
        return log.read_text(errors='replace')[-2000:] if log.exists() else 'it wrote nothing'

    def sql(self, text, database='default', timeout=60):
        """What TEXT answers; RuntimeError with the server's words."""
        url = 'http://127.0.0.1:%d/?%s' % (self.http, urllib.parse.urlencode({'database': database, 'wait_end_of_query': 1}))
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data=text.encode()), timeout=timeout) as answer:
                return answer.read().decode(errors='surrogateescape')
        except urllib.error.HTTPError as err:
            raise RuntimeError(err.read().decode(errors='replace')) from None

    def number(self, text, database='default'):
        return int(self.sql(text, database))

    def kill(self):
        """As a machine without power."""
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()

    def pause(self, paused=True):
        self.process.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)

    def address(self):
        return '127.0.0.1:%d' % self.http


class ZooKeeper:
    """One of its own, of Debian's package."""

    JAR = '/usr/share/java/zookeeper.jar'

    @classmethod
    def installed(cls):
        return os.path.exists(cls.JAR) and shutil.which('java') is not None

    def __init__(self, folder):
        self.port, = free_ports(1)
        config = pathlib.Path(folder, 'zoo.cfg')
        config.write_text('tickTime=500\ndataDir=%s/zk\nclientPort=%d\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n' % (folder, self.port))
        self.process = subprocess.Popen(['java', '-Xmx128m', '-cp', self.JAR, 'org.apache.zookeeper.server.quorum.QuorumPeerMain', str(config)], cwd=folder,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(600):
            try:
                with socket.create_connection(('127.0.0.1', self.port)) as s:
                    s.sendall(b'srvr')
                    if b'Mode' in s.recv(4096):
                        return
            except OSError:
                pass
            time.sleep(0.05)
        raise RuntimeError('ZooKeeper does not start')

    def config(self):
        return ('<zookeeper><node><host>127.0.0.1</host><port>%d</port></node><session_timeout_ms>3000</session_timeout_ms>'
                '<operation_timeout_ms>3000</operation_timeout_ms></zookeeper>' % self.port)

    def pause(self, paused=True):
        self.process.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Servers:
    """N shards, a cluster of the name 'fleet', with a database 'prof' on each; as a context they go with it."""

    def __init__(self, n=1, **config):
        self.folder = tempfile.mkdtemp(prefix='assay-fleet-')
        self.zookeeper = None
        ports = free_ports(3 * n)
        shards = ''.join('<shard><replica><host>127.0.0.1</host><port>%d</port></replica></shard>' % ports[3 * i + 1] for i in range(n))
        self.server = [Server('%s/%d' % (self.folder, i), ports[3 * i:3 * i + 3], shard=i + 1,
                              clusters='<fleet>%s</fleet>' % shards, **config) for i in range(n)]

    def __enter__(self):
        try:
            for server in self.server:
                server.start()
        except Exception:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for server in self.server:
            server.kill()
        if self.zookeeper:
            self.zookeeper.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database='prof'):
        addresses = ','.join(s.address() for s in self.server)
        return 'http://%s/%s%s' % (addresses, database, '?cluster=fleet' if len(self.server) > 1 and not self.zookeeper else '')


class Replicas(Servers):
    """N replicas of one shard, and their ZooKeeper."""

    def __init__(self, n=2):
        self.folder = tempfile.mkdtemp(prefix='assay-fleet-')
        self.zookeeper = ZooKeeper(self.folder)
        ports = free_ports(3 * n)
        self.server = [Server('%s/%d' % (self.folder, i), ports[3 * i:3 * i + 3], replica=i + 1, zookeeper=self.zookeeper.config()) for i in range(n)]
