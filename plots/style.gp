# SPDX-License-Identifier: Apache-2.0
#
# What all figures share. A figure's own script sets name, xmin, xmax and the series, then loads this.
# No text is ever interpreted: labels are plain, data files hold numbers only.

set encoding utf8
set datafile missing "?"
set grid xtics ytics lc rgb "#dddddd" lw 0.7 dt 1
set border 3 lc rgb "#555555" lw 1
set tics nomirror textcolor rgb "#222222"
# The legend stands below the axes, in two columns where its texts are short; the figure grows with it, so that the axes keep their size.
longest = 0
do for [i = 1 : nseries] { if (strlen(label[i]) > longest) { longest = strlen(label[i]) } }
do for [m = 1 : nmodels] { if (strlen(link_label[m]) > longest) { longest = strlen(link_label[m]) } }
legend_rows = longest > 20 ? entries : ceil(entries / 2.0)
height = 345 + 25 * legend_rows

set key outside bottom center horizontal Left reverse maxrows legend_rows samplen 2.4 spacing 1.2 width 1 noenhanced textcolor rgb "#222222"
set logscale x 2
set xrange [xmin / 1.5 : xmax * 1.5]
set xlabel "message size in bytes" offset 0,0.4 noenhanced textcolor rgb "#222222"

# Colours of Okabe and Ito: they differ for colour-blind eyes, and in grey.
array palette[6] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9]
array filled[6] = [7, 5, 9, 13, 11, 15]
array hollow[6] = [6, 4, 8, 12, 10, 14]
colour(i) = palette[i]
mark(i) = in_place[i] ? hollow[i] : filled[i]
model_colour(m) = nmodels > 1 ? palette[model_series[m]] : 0x444444

size_label(s) = s < 1024 ? sprintf("%.0f", s) : s < 2**20 ? sprintf("%.0fK", s / 2**10) : \
	s < 2**30 ? sprintf("%.0fM", s / 2**20) : s < 2**40 ? sprintf("%.0fG", s / 2**30) : \
	s < 2**50 ? sprintf("%.0fT", s / 2**40) : sprintf("%.0fP", s / 2**50)

# At most eight sizes on the axis, all powers of two.
first_power = ceil(log(xmin) / log(2) - 1e-9)
last_power = floor(log(xmax) / log(2) + 1e-9)
power_step = ceil((last_power - first_power + 1) / 8.0)
if (power_step < 1) { power_step = 1 }
set xtics () noenhanced
if (last_power < first_power) { set xtics add (sprintf("%.0f", xmin) xmin) }
do for [e = first_power : last_power : power_step] { set xtics add (size_label(2.0**e) 2.0**e) }

svg = sprintf("set terminal svg size 560,%d dynamic font 'sans-serif,16' background '#ffffff' noenhanced name ", height)
png = sprintf("set terminal pngcairo size 1120,%d font 'sans-serif,16' fontscale 1.6 linewidth 2 pointscale 1.8 ", 2 * height) . \
	"background '#ffffff' noenhanced"
