# As SVG it is what Graphviz's own program draws, of ours and of pprof's graph, with colours for dark screens
# and a script that moves it;
# the name of the file is enough.
command -v dot > /dev/null || { echo 'graphviz is not installed'; exit 77; }
. "$(dirname "$0")/names"
# Graphviz and its plugins leak.
printf 'leak:lib%s\n' gvc gvplugin cgraph cdt fontconfig pango cairo glib gobject > leaks
export LSAN_OPTIONS="suppressions=$PWD/leaks:print_suppressions=0"
hostile > h
undo() { sed '/^<style>/,/<\/style>$/d; /^<script>/,/<\/script>$/d' "$@"; }
assay graph h -n 0 -m 0 | dot -Tsvg > wanted
assay graph h -n 0 -m 0 -f svg | undo | cmp - wanted
assay graph h -n 0 -m 0 -o g.svg
undo g.svg | cmp - wanted
assay graph --compat pprof h | dot -Tsvg > wanted
assay graph --compat pprof h -f svg | undo | cmp - wanted
python3 - <<'END'
import xml.etree.ElementTree as et
root = et.parse('g.svg').getroot()
print(root[0].tag.split('}')[1], 'prefers-color-scheme:dark' in root[0].text, root[-1].tag.split('}')[1], 'wheel' in root[-1].text)
END
echo drawn
assay graph h -f dot -o d.svg
head -c 9 d.svg
