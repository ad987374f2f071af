# SPDX-License-Identifier: Apache-2.0
#
# Time or bus bandwidth against the number of ranks, a line a message size, beside what the models say.
# Data, one block a size: ranks, bytes, time, low, high (us), busbw, low, high (GB/s), lower, ring, tree (us), ring (GB/s).

entries = nseries + has_ring + (busbw ? 0 : has_lower + has_tree)
longest_other = strlen(ring_name)
if (has_lower) { longest_other = strlen("lower bound") }
load "style.gp"

set logscale x 2
set xrange [xmin / 1.15 : xmax * 1.15]
set xlabel "ranks" offset 0,0.4 noenhanced textcolor rgb "#222222"
set xtics () noenhanced
do for [i = 1 : ntics] { set xtics add (sprintf("%d", tic[i]) tic[i]) }
if (busbw) {
	set yrange [0 : top * 1.1]
	if (top == 0) { set yrange [0 : *] }
	set ylabel "bus bandwidth in GB/s" noenhanced textcolor rgb "#222222"
	set ytics noenhanced format "%g"
} else {
	load "times.gp"
}
y = busbw ? 6 : 3
ring = busbw ? 12 : 10

# gnuplot counts a loop without turns as an entry of the legend, so only what is there is put into the command. It holds no text from outside.
line(column, style) = sprintf("for [i = 1 : nseries] data index i - 1 using 1:%d with lines lc rgb colour(i) %s notitle, ", column, style)
grey(style, text) = sprintf("NaN with lines lc rgb '#444444' %s title %s noenhanced, ", style, text)
lower = has_lower && !busbw
tree = has_tree && !busbw
command = "plot " . (lower ? line(9, "lw 1.8 dt 3") : "") . (tree ? line(11, "lw 1.2 dt 2") : "") . \
	(has_ring ? line(busbw ? 12 : 10, "lw 1.2 dt 4") : "") . line(busbw ? 6 : 3, "lw 1.2") . \
	sprintf("for [i = 1 : nseries] data index i - 1 using 1:%s with yerrorbars lc rgb colour(i) lw 1.4 pt mark(i) ps 0.6 " . \
		"title label[i] noenhanced, ", busbw ? "6:7:8" : "3:4:5") . \
	(has_ring ? grey("lw 1.2 dt 4", "ring_name") : "") . (tree ? grey("lw 1.2 dt 2", "'tree bound'") : "") . \
	(lower ? grey("lw 1.8 dt 3", "'lower bound'") : "")

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . file[1:strlen(file) - 1] . "'" } else { eval png }
	set output file . (t == 1 ? "svg" : "png")
	eval command[1:strlen(command) - 2]
}
set output
