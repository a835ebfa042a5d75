# Events that have no room on a terminal are named below, as top does.
cat > cg <<'END'
# callgrind format
events: Ir Dr Dw I1mr
positions: instr line
ob=prog
fl=a.c
fn=f
0x10 1 5 1 2 3
END
COLUMNS=80 assay list f cg | tail -n 2
COLUMNS=80 assay asm f cg | tail -n 2
echo == all, or chosen
COLUMNS=200 assay list f cg | grep -c 'no room' || true
COLUMNS=80 assay list f cg -e Ir,Dr,Dw | grep -c 'no room' || true
assay list f cg | grep -c 'no room' || true
