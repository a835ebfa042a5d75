# SPDX-License-Identifier: Apache-2.0
# Frames of Python as py-spy writes them have a file and a line, and are written as they were.
cat > py.folded << 'END'
<module> (run.py:9);main (run.py:5);parse (/srv/lib/parser.py:12) 4
<module> (run.py:9);main (run.py:5);parse (/srv/lib/parser.py:19) 3
<module> (run.py:9);main (run.py:6);parse (<string>:1);memcpy (libc.so.6) 2
END
assay top -n 0 py.folded
assay lines -n 0 py.folded
assay convert --strict py.folded -o again.folded
cmp py.folded again.folded
assay convert --strict py.folded -o py.pb
assay convert -q py.pb -t folded -o - | cmp py.folded -
# Of a name that would be read otherwise, and of a file that is not Python's, it is told.
cat > odd.cg << 'END'
events: Ir
fl=x.py
fn=f (g
3 1
fn=h
4 1
fl=x.c
fn=i
5 1
END
assay convert odd.cg -t folded -o -
