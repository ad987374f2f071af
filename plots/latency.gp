# SPDX-License-Identifier: Apache-2.0
#
# Time against size, both logarithmic: the median of every size with its interval, and what the models say.
# Data: NAME.dat, one block a series: bytes, time, low, high (us). NAME_models.dat, one block a model line: bytes, lower, ring, tree (us).

entries = nseries + nmodels * (has_tree + has_ring + has_lower)
load "style.gp"

time_label(u) = u < 0.9 ? sprintf("%g ns", u * 1e3) : u < 900 ? sprintf("%g us", u) : u < 9e5 ? sprintf("%g ms", u / 1e3) : sprintf("%g s", u / 1e6)
set logscale y 10
set yrange [ymin / 1.5 : ymax * 1.5]
set ylabel "time per call" noenhanced textcolor rgb "#222222"
decades = log10(ymax / ymin)
set ytics () noenhanced
do for [e = floor(log10(ymin / 1.5)) : ceil(log10(ymax * 1.5))] {
	set ytics add (time_label(10.0**e) 10.0**e)
	if (decades < 2.3) {
		set ytics add (time_label(2 * 10.0**e) 2 * 10.0**e)
		set ytics add (time_label(5 * 10.0**e) 5 * 10.0**e)
	}
}

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . name . "_latency'" } else { eval png }
	set output name . "_latency" . (t == 1 ? ".svg" : ".png")
	plot for [m = 1 : nmodels * has_tree] name . "_models.dat" index m - 1 using 1:4 with lines lc rgb model_colour(m) lw 1.3 dt 2 \
			title tree_label[m] noenhanced, \
		for [m = 1 : nmodels * has_ring] name . "_models.dat" index m - 1 using 1:3 with lines lc rgb model_colour(m) lw 1.3 dt 1 \
			title ring_label[m] noenhanced, \
		for [m = 1 : nmodels * has_lower] name . "_models.dat" index m - 1 using 1:2 with lines lc rgb model_colour(m) lw 1.8 dt 3 \
			title "lower bound" noenhanced, \
		for [i = 1 : nseries] name . ".dat" index i - 1 using 1:2 with lines lc rgb colour(i) lw 1 notitle, \
		for [i = 1 : nseries] name . ".dat" index i - 1 using 1:2:3:4 with yerrorbars lc rgb colour(i) lw 1.4 pt mark(i) ps 0.6 \
			title label[i] noenhanced
}
set output
