# SPDX-License-Identifier: Apache-2.0
#
# Times as multiples of those of a base, against size: under the line at 1 is faster than the base.
# Data: NAME_ratio.dat, one block a series: bytes, ratio, low, high.

entries = nseries
longest_other = 0
load "style.gp"
load "sizes.gp"

# Logarithmic where it spans much, so that twice and half are equally far from 1.
far = ymax / ymin > 4
set ylabel (base eq "" ? "time / time of the base" : "time / time of " . base) noenhanced textcolor rgb "#222222"
if (far) {
	set logscale y 10
	set yrange [ymin / 1.25 : ymax * 1.25]
	set ytics () noenhanced
	do for [e = floor(log10(ymin / 1.25)) : ceil(log10(ymax * 1.25))] {
		set ytics add (sprintf("%g", 10.0**e) 10.0**e)
		if (ymax / ymin < 300) {
			set ytics add (sprintf("%g", 2 * 10.0**e) 2 * 10.0**e)
			set ytics add (sprintf("%g", 5 * 10.0**e) 5 * 10.0**e)
		}
	}
} else {
	margin = (ymax - ymin) * 0.08 + 0.01
	set yrange [ymin - margin : ymax + margin]
	set ytics noenhanced format "%g"
}
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#222222" lw 1.4 back

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . name . "_ratio'" } else { eval png }
	set output name . "_ratio" . (t == 1 ? ".svg" : ".png")
	plot for [i = 1 : nseries] name . "_ratio.dat" index i - 1 using 1:2 with lines lc rgb colour(shade[i]) lw 1 dt dash(shade[i]) notitle, \
		for [i = 1 : nseries] name . "_ratio.dat" index i - 1 using 1:2:3:4 with yerrorbars lc rgb colour(shade[i]) lw 1.4 pt mark(i) ps 0.6 \
			title label[i] noenhanced
}
set output
