# For how much of the time an event was counted, as dcpicat says it, goes along, and nothing is scaled by it.
text() {
	printf '%s\n' 'name prog' 'image 1f' 'path /bin/prog' 'epoch 199612042334' 'platform box' \
		'text_start 0x1000' 'text_size 0x2000' "event $1 cycles:100:$2" "event $3 imiss:50:10000"
	printf '0x000000001010 %s %s\n' "$1" "$3"
}
text 30 5000 7 > half
text 10 10000 7 > whole
text 0 2500 7 > none
assay info -q half | grep -A 1 '^events'
assay info -q half -f json | grep '"name": "[ci]'
echo DCPI has a line of ours, but not for what was counted all the time
assay convert -q half -t dcpi -o dcpi/
ls dcpi
grep -a active dcpi/prog-cycles.dcpi
grep -ac active dcpi/prog-imiss.dcpi || true
assay convert -q dcpi/prog-cycles.dcpi -t dcpicat -o - | grep event
echo pprof has comments, and one period of its own
assay convert -q half -t pprof -o half.pb
assay convert -q half.pb -t dcpicat -o - | grep event
echo 30 of a half and 10 of all, in any order: 40 of 70
assay merge -q half whole -t dcpicat -o - | grep event
assay merge -q whole half -t dcpicat -o - | grep event
assay merge -q half half -t dcpicat -o - | grep cycles
echo what was not seen has no weight
assay merge -q none whole -t dcpicat -o - | grep cycles
assay merge -q none none -t dcpicat -o - | grep cycles
