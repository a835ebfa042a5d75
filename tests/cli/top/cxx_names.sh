# Names of C++ on a terminal: the last word is kept, lines and addresses are kept, and what has no
# room is told; in a pipe nothing is cut, and nothing is padded to the longest name.
cat >cxx.cg <<'END'
# callgrind format
positions: instr line
events: Ir Dr Dw I1mr
ob=/usr/bin/search_g
fl=/usr/include/c++/12/bits/hashtable_policy.h
fn=std::__detail::_Hashtable_base<std::basic_string<char, std::char_traits<char>, std::allocator<char> >, std::pair<std::basic_string<char, std::char_traits<char>, std::allocator<char> > const, int>, std::__detail::_Select1st, std::equal_to<std::basic_string<char, std::char_traits<char>, std::allocator<char> > >, std::hash<std::basic_string<char, std::char_traits<char>, std::allocator<char> > > >::_S_equals(unsigned long, std::__detail::_Hash_node_code_cache<true> const&)
0x99ee 1666 5000 1 1 1
0x99f4 1667 3000 1 1 1
fl=/usr/include/c++/12/bits/random.tcc
fn=int std::geometric_distribution<int>::operator()<std::mersenne_twister_engine<unsigned long, 32ul, 624ul> >(std::mersenne_twister_engine<unsigned long, 32ul, 624ul>&, std::geometric_distribution<int>::param_type const&)
0x5010 1014 2500 1 1 1
fl=search.cc
fn=build(std::vector<int, std::allocator<int> > const&)::{lambda(int, int)#1}::operator()(int, int) const
0x4000 20 900 1 1 1
fn=main
0x1200 3 10 1 1 1
END
for w in 60 80 130; do
    echo "== $w"
    COLUMNS=$w assay top cxx.cg
    COLUMNS=$w assay top --by address cxx.cg
done
echo == pipe
assay top -e Ir --by line cxx.cg
