# SPDX-License-Identifier: Apache-2.0
"""What a page holds, by a parser of HTML that knows nothing of assay."""
import base64
import gzip
import html.parser
import json


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
        return gzip.decompress(base64.b64decode(self.scripts[name]['text'], validate=True))

    def json(self, name):
        return json.loads(self.data(name))
