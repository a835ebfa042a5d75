# --names: every level, for names of any format; functions that would be one row stay apart.
cat > cg <<'END'
events: Ir
fl=a.cc
fn=std::vector<int>::push_back(int const&)
1 5
fn=std::vector<long>::push_back(long const&)
1 4
fn=ns::work(int)
1 3
fn=ns::work(double)
1 2
fn=main
1 1
END
for level in full noargs notemplates short; do
	echo "== $level"
	assay top cg --names "$level"
done
