# Times in all views of call graphs: 378 samples, one every 4000 microseconds, are 1.512 s.
assay tree "$FIXTURES/demo.prof" --unit ms -d 2 --symbols none
assay traces "$FIXTURES/demo.prof" -n 1 --unit time --symbols none
assay cycles "$FIXTURES/demo.prof" -n 1 --unit s --symbols none
assay peek msort "$FIXTURES/demo.symbolized.prof" -n 1 --rows 2 -u us --symbols none
assay tree "$FIXTURES/callgrind.out.demo" --unit ms -d 1 --symbols none
assay tree "$FIXTURES/demo.prof" --unit fortnights
