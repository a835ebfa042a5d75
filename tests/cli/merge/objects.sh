# What files of several objects say of their own is kept with the objects; what one file alone
# says of itself is lost, and told.
# profile NUMBER LINE...: two addresses of the object NUMBER, 8 samples
profile() {
	printf '%s\n' 'version pdb-0.07' "image 1$1" "epoch 9612042334" 'platform walnut' \
		'event cycles' 'period 63488' "tstart 12000${1}000" "tsize 40$1" 'cpuspeed 333' \
		"path /usr/bin/p$1"
	shift
	[ $# = 0 ] || printf '%s\n' "$@"
	echo samples
	printf '\020\0\0\0\002\0\0\0\003\0\0\0\005\0\0\0\002\0\0\0\010\0\0\0'
}
profile 1 > 1.dcpi
profile 2 > 2.dcpi
profile 3 'path /opt/p3' 'cpucount 4' > 3.dcpi
profile 4 'cpucount 2' > 4.dcpi
mkdir two all strict
assay merge --strict 1.dcpi 2.dcpi -t dcpi -o two/
assay merge 1.dcpi 2.dcpi 3.dcpi 4.dcpi -t dcpi -o all/
assay merge --strict 3.dcpi 4.dcpi -t dcpi -o strict/ || echo status $?
for file in all/*; do
	grep -a -e '^image' -e '^tstart' -e '^tsize' -e '^path' -e '^epoch' "$file"
done
assay top all/* --by object --format csv
