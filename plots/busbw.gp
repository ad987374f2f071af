# SPDX-License-Identifier: Apache-2.0
#
# Bus bandwidth against size: what was reached, what ring and tree could reach, and the rate of the link.
# Data: NAME.dat, one block a series: bytes, busbw, low, high in columns 1, 5, 6, 7 (GB/s). NAME_models.dat: ring 6, tree 7 (GB/s).

entries = nseries + nmodels * (1 + has_tree + has_ring)
load "style.gp"

set yrange [0 : *]
set ylabel "bus bandwidth in GB/s" noenhanced textcolor rgb "#222222"
set ytics noenhanced format "%g"

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . name . "_busbw'" } else { eval png }
	set output name . "_busbw" . (t == 1 ? ".svg" : ".png")
	plot for [m = 1 : nmodels] link[m] with lines lc rgb model_colour(m) lw 1.6 dt 4 title link_label[m] noenhanced, \
		for [m = 1 : nmodels * has_tree] name . "_models.dat" index m - 1 using 1:7 with lines lc rgb model_colour(m) lw 1.3 dt 2 \
			title tree_label[m] noenhanced, \
		for [m = 1 : nmodels * has_ring] name . "_models.dat" index m - 1 using 1:6 with lines lc rgb model_colour(m) lw 1.3 dt 1 \
			title ring_label[m] noenhanced, \
		for [i = 1 : nseries] name . ".dat" index i - 1 using 1:5 with lines lc rgb colour(i) lw 1 notitle, \
		for [i = 1 : nseries] name . ".dat" index i - 1 using 1:5:6:7 with yerrorbars lc rgb colour(i) lw 1.4 pt mark(i) ps 0.6 \
			title label[i] noenhanced
}
set output
