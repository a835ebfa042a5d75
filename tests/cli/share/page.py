# SPDX-License-Identifier: Apache-2.0
"""What a page holds, by a parser of HTML that knows nothing of assay."""
import gzip
import html.parser
import json


def data_of(text):
    """What characters of a page stand for: seven bits each, the lowest first; of those that end in the six bits of one that a
    page does not have, these six."""
    gone = [f'{ord(c):07b}'[1:] for c in '\0\r\x1b<']
    words = (f'{ord(c):07b}' for c in text)
    bits = ''.join((word[1:] if word[1:] in gone else word)[::-1] for word in words)
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
