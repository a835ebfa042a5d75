# How long was recorded, and which share of that time the samples are.
assay "$DATA/profiles/gperftools/pprof_driver/driver_cpu.pb.gz" | sed -n 2p
