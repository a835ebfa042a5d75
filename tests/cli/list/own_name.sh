# A word that a function has in its own name is not looked for in the arguments of others.
cat > cg <<'END'
# callgrind format
events: Ir
fl=a.cc
fn=Ranker::top(int)
1 5
fn=std::sort<Ranker*, Ranker::by_rank>(Ranker*)
2 50
fn=void swap<Ranker>(Ranker&, Ranker&)
3 40
END
functions() {
    assay list "$1" cg -f json | grep -o '"function": *"[^"]*"\|"function":"[^"]*"'
}
functions Ranker
echo == a pattern
functions '.*Ranker'
echo == in arguments only
functions 'by_rank'
