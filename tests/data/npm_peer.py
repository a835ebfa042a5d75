"""Peers that are npm packages: fetched once a run, into a folder of the run."""
import atexit
import json
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
    got = f'{folder}/node_modules/{name}'
    with open(f'{got}/package.json', encoding='utf-8') as file:
        is_version = json.load(file)['version']
    return (got, None) if is_version == version else (None, f'skip: npm has {name} {is_version}, and not {version}')


def usable(script, folder, why):
    """The same, if SCRIPT, asked about no file, can do with the package in FOLDER"""
    if not folder:
        return None, why
    done = subprocess.run(['node', script, folder], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = [line for line in done.stderr.decode('utf-8', 'replace').splitlines() if 'Error:' in line]
    return (folder, None) if done.returncode == 0 else (None, 'skip: ' + (said or ['the package is built in another way'])[0])
