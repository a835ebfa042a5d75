"""Peers that are npm packages: fetched once a run, into a folder of the run."""
import atexit
import shutil
import subprocess
import tempfile


def package(name, version):
    """(the folder of the package, None), or (None, why it is not there)"""
    if not shutil.which('npm') or not shutil.which('node'):
        return None, 'skip: no npm'
    folder = tempfile.mkdtemp(prefix='assay-npm-')
    atexit.register(shutil.rmtree, folder, True)
    done = subprocess.run(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock',
                           f'{name}@{version}'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        return None, f'skip: npm could not fetch {name}'
    return f'{folder}/node_modules/{name}', None
