# As SVG it is what Graphviz's own program draws, of ours and of pprof's graph; the name of the file is enough.
command -v dot > /dev/null || { echo 'graphviz is not installed'; exit 77; }
. "$(dirname "$0")/names"
# Graphviz and its plugins leak.
printf 'leak:lib%s\n' gvc gvplugin cgraph cdt fontconfig pango cairo glib gobject > leaks
export LSAN_OPTIONS="suppressions=$PWD/leaks:print_suppressions=0"
hostile > h
assay graph h -n 0 -m 0 | dot -Tsvg > wanted
assay graph h -n 0 -m 0 -f svg | cmp - wanted
assay graph h -n 0 -m 0 -o g.svg
cmp g.svg wanted
assay graph --compat pprof h | dot -Tsvg > wanted
assay graph --compat pprof h -f svg | cmp - wanted
echo drawn
assay graph h -f dot -o d.svg
head -c 9 d.svg
