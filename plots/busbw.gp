# SPDX-License-Identifier: Apache-2.0
#
# Bus bandwidth against size: what was reached, what ring and tree could reach, and the rate of the link.
# Data: NAME.dat, one block a series: bytes, busbw, low, high in columns 1, 5, 6, 7 (GB/s). NAME_models.dat: ring 6, tree 7 (GB/s).

entries = nseries + has_ring + has_tree + nmodels * has_link
load "models.gp"
load "style.gp"
load "sizes.gp"

set yrange [0 : top * 1.1]
if (top == 0) { set yrange [0 : *] }
set ylabel "bus bandwidth in GB/s" noenhanced textcolor rgb "#222222"
set ytics noenhanced format "%g"

# gnuplot counts a loop without turns as an entry of the legend, so only what is there is put into the command. It holds no text from outside.
models = name . "_models.dat"
series = name . ".dat"
command = "plot " . \
	(has_link ? "for [m = 1 : nmodels] link[m] with lines lc rgb model_colour(m) lw 1.4 dt (14,5) title link_label[m] noenhanced, " : "") . \
	(has_tree ? "models index 0 using 1:7 with lines lc rgb model_colour(1) lw 1.3 dt 2 title 'tree bound' noenhanced, " : "") . \
	(has_ring ? "for [m = 1 : nmodels] models index m - 1 using 1:6 with lines lc rgb model_colour(m) lw 1.3 dt 4 notitle, " . \
		"NaN with lines lc rgb '#444444' lw 1.3 dt 4 title ring_name noenhanced, " : "") . \
	"for [i = 1 : nseries] series index i - 1 using 1:5 with lines lc rgb colour(i) lw 1 notitle, " . \
	"for [i = 1 : nseries] series index i - 1 using 1:5:6:7 with yerrorbars lc rgb colour(i) lw 1.4 pt mark(i) ps 0.6 title label[i] noenhanced"

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . name . "_busbw'" } else { eval png }
	set output name . "_busbw" . (t == 1 ? ".svg" : ".png")
	eval command
}
set output
