# SPDX-License-Identifier: Apache-2.0
#
# Time of a training step against the size of its buckets: a line a strategy and progress, those without buckets as levels, the model, and both optima.
# Data: a block a line: bytes, time, low, high (us); then the model's: bytes, time (us).

has_compute = compute_us > 0
has_measured = measured_us > 0
has_predicted = predicted_us > 0
entries = nseries + nlevels + has_model + has_compute + has_measured + has_predicted
longest_other = 18
do for [i = 1 : nlevels] { if (strlen(level_label[i]) > longest_other) { longest_other = strlen(level_label[i]) } }
load "style.gp"
load "sizes.gp"
set xlabel "size of buckets in bytes" offset 0,0.4 noenhanced textcolor rgb "#222222"

# Steps mostly differ by less than a decade: then the axis is linear, in the unit that fits.
if (ymax > 8 * ymin) {
	load "times.gp"
	unit = 1
	set ylabel "time of a step" noenhanced textcolor rgb "#222222"
} else {
	unit = ymax < 1e3 ? 1.0 : ymax < 1e6 ? 1e3 : 1e6
	margin = ymax > ymin * 1.01 ? 0.06 * (ymax - ymin) : 0.1 * ymax
	set yrange [(ymin - margin) / unit : (ymax + margin) / unit]
	set ytics noenhanced format "%g"
	set ylabel (unit == 1 ? "time of a step in us" : unit == 1e3 ? "time of a step in ms" : "time of a step in s") noenhanced textcolor rgb "#222222"
}

# Lines that lie on each other: those below are wider, their marks larger and hollow.
extent(i) = 0.6 + 0.35 * (nseries - i)
weight(i) = 1.2 + 0.7 * (nseries - i)

# gnuplot counts a loop without turns as an entry of the legend, so only what is there is put into the command. It holds no text from outside.
command = "plot " . \
	(has_compute ? "compute_us / unit with lines lc rgb '#999999' lw 1.3 dt 3 title 'compute alone' noenhanced, " : "") . \
	(nlevels > 0 ? "for [i = 1 : nlevels] level[i] / unit with lines lc rgb colour(nseries + i) lw 1.6 dt dash(nseries + i) title level_label[i] noenhanced, " : "") . \
	(has_model ? "data index nseries using 1:($2 / unit) with lines lc rgb '#444444' lw 1.6 dt 2 title 'model T(k)' noenhanced, " : "") . \
	"for [i = 1 : nseries] data index i - 1 using 1:($2 / unit) with lines lc rgb colour(i) lw weight(i) dt dash(i) notitle, " . \
	"for [i = 1 : nseries] data index i - 1 using 1:($2 / unit):($3 / unit):($4 / unit) with yerrorbars lc rgb colour(i) lw 1.4 dt 1 pt mark(i) ps extent(i) title label[i] noenhanced" . \
	(has_measured ? ", '+' using (measured_bytes):(measured_us / unit) every ::0::0 with points lc rgb '#111111' lw 2 pt 6 ps 1.6 title 'measured optimum' noenhanced" : "") . \
	(has_predicted ? ", '+' using (predicted_bytes):(predicted_us / unit) every ::0::0 with points lc rgb '#111111' lw 2 pt 2 ps 1.3 title 'predicted optimum' noenhanced" : "")

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . file . "'" } else { eval png }
	set output file . (t == 1 ? ".svg" : ".png")
	eval command
}
set output
