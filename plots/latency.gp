# SPDX-License-Identifier: Apache-2.0
#
# Time against size, both logarithmic: the median of every size with its interval, and what the models say.
# Data: NAME.dat, one block a series: bytes, time, low, high (us). NAME_models.dat, one block a model line: bytes, lower, ring, tree (us).

entries = nseries + has_tree + has_ring + has_lower
load "models.gp"
load "style.gp"
load "sizes.gp"
load "times.gp"

# gnuplot counts a loop without turns as an entry of the legend, so only what is there is put into the command. It holds no text from outside.
models = name . "_models.dat"
series = name . ".dat"
command = "plot " . \
	(has_tree ? "models index 0 using 1:4 with lines lc rgb model_colour(1) lw 1.3 dt 2 title 'tree bound' noenhanced, " : "") . \
	(has_ring ? "for [m = 1 : nmodels] models index m - 1 using 1:3 with lines lc rgb model_colour(m) lw 1.3 dt 4 notitle, " . \
		"NaN with lines lc rgb '#444444' lw 1.3 dt 4 title ring_name noenhanced, " : "") . \
	(has_lower ? "models index 0 using 1:2 with lines lc rgb model_colour(1) lw 1.8 dt 3 title 'lower bound' noenhanced, " : "") . \
	"for [i = 1 : nseries] series index i - 1 using 1:2 with lines lc rgb colour(i) lw 1 notitle, " . \
	"for [i = 1 : nseries] series index i - 1 using 1:2:3:4 with yerrorbars lc rgb colour(i) lw 1.4 pt mark(i) ps 0.6 title label[i] noenhanced"

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . name . "_latency'" } else { eval png }
	set output name . "_latency" . (t == 1 ? ".svg" : ".png")
	eval command
}
set output
