# SPDX-License-Identifier: Apache-2.0
"""What a page holds, by a parser of HTML that knows nothing of assay."""
import gzip
import html.parser
import json


def data_of(text):
    """What the digits of a page stand for: of 91 the first 37 are six bits, others seven; the lowest bit first."""
    digits = ['~' if c == '<' else c for c in map(chr, range(35, 126))]
    words = [f'{i:06b}' if i < 37 else f'0{i:06b}' if i < 64 else f'1{i - 27:06b}' for i in range(91)]
    value = {c: word[::-1] for c, word in zip(digits, words)}
    bits = ''.join(value[c] for c in text)
    return bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits) // 8 * 8, 8))


class Elements(html.parser.HTMLParser):
    """Scripts by id, with their attributes and text; the title; how many elements there are."""

    def __init__(self, path):
        super().__init__()
        self.scripts, self.title, self.tags, self.inside = {}, '', [], None
        self.feed(open(path, encoding='utf-8').read())
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.inside = tag
        if tag == 'script':
            self.id = dict(attrs).get('id')
            self.scripts[self.id] = {'attrs': dict(attrs), 'text': ''}

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == 'script':
            self.scripts[self.id]['text'] += data
        if self.inside == 'title':
            self.title += data

    def data(self, name):
        return gzip.decompress(data_of(self.scripts[name]['text']))

    def json(self, name):
        return json.loads(self.data(name))
