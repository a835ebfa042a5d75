#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/check_page.py PAGE.html: the page is small enough, and runs only what its policy names."""
import base64
import hashlib
import pathlib
import re
import sys

from page import LIMIT, MARKER, NOTICES, WHEN, size_of


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def complaints(page):
    if page.count(WHEN) != 2:
        yield f'{WHEN} is there {page.count(WHEN)} times'
        return
    size = size_of(page)
    if size > LIMIT:
        yield f'{size:,} bytes gzip -9; the limit is {LIMIT:,}'
    if page.count(MARKER) != 1:
        yield f'{MARKER} is there {page.count(MARKER)} times'
    if NOTICES.read_text(encoding='utf-8').strip() not in page:
        yield f'{NOTICES.name} is not in it: what the licences of others want to be said'
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    if 'unsafe-inline' in policy or "'unsafe-eval'" in policy or 'http' in policy:
        yield f'the policy allows too much: {policy}'
    for word in ("default-src 'none'", "connect-src 'none'", "form-action 'none'", "base-uri 'none'"):
        if word not in policy:
            yield f'the policy lacks {word}'
    named = set(re.findall(r"'sha256-([^']*)'", policy))
    run = re.findall(r'<script>(.*?)</script>', page, re.S) + re.findall(r'<style>(.*?)</style>', page, re.S)
    if named != {digest(text) for text in run}:
        yield 'the hashes of the policy are not those of the script and the style'
    for tag in re.findall(r'<(?:script|link|img|iframe|object|embed)\b[^>]*\b(?:src|href)="(?!data:)[^"]*"', page):
        yield f'the page refers to something outside: {tag}'


def main():
    found = list(complaints(pathlib.Path(sys.argv[1]).read_text(encoding='utf-8')))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
