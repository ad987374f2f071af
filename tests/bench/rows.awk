# SPDX-License-Identifier: Apache-2.0
#
# -v rows=N -v shape=WORD: a CSV of schema 1 with that many rows, of nine primitives. Shapes: "sizes" one run of many sizes, "runs" a launch for each
# thousand rows, "launches" a launch a row, "series" as many libraries as there can be, "machines" a number of ranks for each 180 rows.
BEGIN {
	print "schema,point,points,run,collective,backend,library,path,nranks,nnodes,type,redop,root,placement,bytes_requested,bytes,count,timing,sync," \
		"iters,dropped,time_us,time_ci_low_us,time_ci_high_us,time_min_us,time_mean_us,time_stddev_us,time_p95_us,time_p99_us,time_max_us," \
		"rank_time_min_us,rank_time_avg_us,rank_time_max_us,slowest_rank,algbw_GBps,busbw_GBps,wrong,flags,timestamp"
	split("all_reduce all_gather reduce_scatter alltoall broadcast reduce gather scatter sendrecv", primitives, " ")
	for (i = 0; i < rows; i++) {
		primitive = primitives[i % 9 + 1]
		run = shape == "runs" ? "run-" int(i / 1000) : shape == "launches" ? "run-" i : "r1"
		library = shape == "series" ? "library " int(i / 18) : "MPICH 4.0.2"
		ranks = shape == "machines" ? 2 + int(i / 180) : 4
		bytes = 8 * (1 + (shape == "sizes" || shape == "series" ? int(i / 18) : int(i % 1000 / 18)))
		placement = int(i / 9) % 2 ? "in-place" : "out-of-place"
		time = 5 + bytes / 4000 * (1 + 0.01 * sin(i * 12.9898))
		rate = bytes / time / 1e3
		printf "1,,,%s,%s,mpi,%s,sm,%d,1,float,%s,%s,%s,%d,%d,%d,sync,clock,40,1,", run, primitive, library, ranks, \
			primitive ~ /reduce/ ? "sum" : "", primitive ~ /^(broadcast|reduce|gather|scatter)$/ ? "0" : "", placement, bytes, bytes, bytes / 4
		printf "%.6g,%.6g,%.6g,%.6g,%.6g,%.3g,%.6g,%.6g,%.6g,", time, time * 0.99, time * 1.01, time * 0.9, time * 1.02, time * 0.03, time * 1.1, \
			time * 1.2, time * 1.5
		printf "%.6g,%.6g,%.6g,1,%.6g,%.6g,0,,2026-01-02T03:%02d:%02dZ\n", time * 0.9, time * 0.95, time, rate, rate * 1.5, int(i / 60) % 60, i % 60
	}
}
