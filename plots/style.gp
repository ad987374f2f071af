# SPDX-License-Identifier: Apache-2.0
#
# What all figures share. A figure's own script sets name, the series and the number of entries of the legend, then loads this.
# No text is ever interpreted: labels are plain, data files hold numbers only.

set encoding utf8
set datafile missing "?"
set grid xtics ytics lc rgb "#dddddd" lw 0.7 dt 1
set border 3 lc rgb "#555555" lw 1
set tics nomirror textcolor rgb "#222222"
# The legend stands below the axes, in as many columns as its texts allow; the figure grows with it, so that the axes keep their size.
longest = longest_other
do for [i = 1 : nseries] { if (strlen(label[i]) > longest) { longest = strlen(label[i]) } }
legend_columns = longest > 20 ? 1 : longest > 9 ? 2 : 3
legend_rows = ceil(entries / (1.0 * legend_columns))
height = 350 + 29 * legend_rows

set tmargin at screen 1 - 14.0 / height
set bmargin at screen (68.0 + 29 * legend_rows) / height
set rmargin 2
set key at screen 0.53, screen 4.0 / height bottom center vertical Left reverse maxrows legend_rows samplen 2.4 spacing 1.2 width 1 \
	noenhanced textcolor rgb "#222222"

# Colours of Okabe and Ito: they differ for colour-blind eyes, and in grey.
array palette[6] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9]
array filled[6] = [7, 5, 9, 13, 11, 15]
array hollow[6] = [6, 4, 8, 12, 10, 14]
array dashes[6] = [1, 2, 4, 5, 3, 6]
colour(i) = palette[i]
dash(i) = dashes[i]
mark(i) = in_place[i] ? hollow[i] : filled[i]

svg = sprintf("set terminal svg size 560,%d dynamic font 'sans-serif,16' background '#ffffff' noenhanced name ", height)
png = sprintf("set terminal pngcairo size 1120,%d font 'sans-serif,16' fontscale 1.6 linewidth 2 pointscale 1.8 ", 2 * height) . \
	"background '#ffffff' noenhanced"
