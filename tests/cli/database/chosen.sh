# graph and cycles read what filters choose: the answer is that of the same question to all as one file.
. "$(dirname "$0")/database.inc"
sed -i 's/number(1, leaf) + number(1, 1)/& + number(1, leaf) + number(1, 1)/' minute.py
minute db/box/202611231045/20261123T104500Z 1
minute db/box/202611231045/20261123T104600Z 2
e=db/box/202611231045
assay merge $e/*.pb.gz -o both.pb.gz
for command in cycles 'cycles -f json' 'graph -f csv' 'graph -f dot' 'graph -f json'; do
    for filter in '--process nginx' '--unit user.slice' '--label pid=103' '--process nginx --focus send'; do
        # shellcheck disable=SC2086 # words
        assay $command $filter $e | sed 's/"files": .*//; s/20261123T104500Z-60.pb.gz and 1 more/both.pb.gz/' > one
        # shellcheck disable=SC2086
        assay $command $filter both.pb.gz | sed 's/"files": .*//' > other
        cmp one other
    done
done
assay cycles $e --process nginx -q
assay cycles $e --process none -q || echo "$?"
