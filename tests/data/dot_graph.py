# SPDX-License-Identifier: Apache-2.0
"""Graphs as pprof writes them (DOT), to be compared as graphs: the numbers of nodes do not matter."""
import re

from tap import want


def graph(lines):
    """DOT as (nodes, edges, other lines), each in order: a node is its attributes but for the id, and those of what it hangs on"""
    nodes, edges, other = {}, [], []
    for line in lines:
        edge, node = re.match(r'(N\w+) -> (N\w+) \[(.*)\]$', line), re.match(r'(N\w+) \[(.*)\]$', line)
        if edge:
            edges.append(edge.groups())
        elif node:
            want(node[1] not in nodes and re.search(' id="[^"]+"', node[2]), 'a node that is new and has an id', line)
            nodes[node[1]] = re.sub(' id="[^"]+"', '', node[2])
        else:
            other.append(line)

    def known(number):
        above = re.match(r'N?(N\d+(?:_\d+)*)_\d+$', number)
        return (nodes[number],) + (known(above[1]) if above else ())

    return (sorted(known(number) for number in nodes), sorted((known(a), known(b), text) for a, b, text in edges), other)


def same_graph(theirs, ours, what):
    for kind, a, b in zip(('nodes', 'edges', 'lines'), graph(theirs), graph(ours)):
        want(a == b, '%s of %s' % (kind, what), 'pprof alone: %r' % [x for x in a if x not in b][:1],
             'assay alone: %r' % [x for x in b if x not in a][:1])
