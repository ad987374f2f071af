# SPDX-License-Identifier: Apache-2.0
#
# A heat map of pairs of ranks: the darker, the slower. Ranks on both axes, those of a host side by side, hosts parted by lines.
# Data: place of one rank, place of the other, value. No text is from outside: ranks are numbers, hosts have no names here.

set encoding utf8
set border 0
set tics nomirror textcolor rgb "#222222"
unset key
set xrange [-0.5 : n - 0.5]
set yrange [n - 0.5 : -0.5]
set cbrange [low : high]
if (wide) { set logscale cb 10 }
# Light to dark in grey as well; blue and yellow differ for colour-blind eyes. Slow is dark, so a rate runs the other way.
set palette defined (0 "#fde725", 0.25 "#7ad151", 0.5 "#22a884", 0.75 "#414487", 1 "#2a0a3c")
if (rate) { set palette defined (0 "#2a0a3c", 0.25 "#414487", 0.5 "#22a884", 0.75 "#7ad151", 1 "#fde725") }
set colorbox vertical user origin screen 0.805, screen 0.14 size screen 0.03, screen 0.8
set cbtics textcolor rgb "#222222" format "%g" noenhanced
if (wide) {
	set cbtics ()
	do for [e = floor(log10(low)) : ceil(log10(high))] {
		do for [m = 1 : 3] {
			tic = (m == 3 ? 5 : m) * 10.0**e
			if (tic >= low && tic <= high) { set cbtics add (sprintf("%g", tic) tic) }
		}
	}
}
set cblabel title_text offset 0.2,0 noenhanced textcolor rgb "#222222"
set lmargin at screen 0.1
set rmargin at screen 0.785
set tmargin at screen 0.96
set bmargin at screen 0.12
set xlabel "rank" offset 0,0.3 noenhanced textcolor rgb "#222222"
set ylabel "rank" offset 0.8,0 noenhanced textcolor rgb "#222222"
tic_font = n > 10 ? ",13" : ",16"
set xtics () scale 0 noenhanced font tic_font
set ytics () scale 0 noenhanced font tic_font
do for [i = 1 : ntics] {
	set xtics add (sprintf("%d", tic_rank[i]) tic_place[i])
	set ytics add (sprintf("%d", tic_rank[i]) tic_place[i])
}
do for [i = 1 : nlines] {
	set arrow from first line[i], graph 0 to first line[i], graph 1 nohead lc rgb "#222222" lw 1.2 front
	set arrow from graph 0, first line[i] to graph 1, first line[i] nohead lc rgb "#222222" lw 1.2 front
}

# How far along the palette a value lies, so that the number on it can be told from it.
place(v) = wide ? log(v / low) / log(high / low) : (v - low) / (high - low)
dark(v) = (rate ? 1 - place(v) : place(v)) > 0.45
text(v) = v >= 1000 ? sprintf("%.0f", v) : v >= 100 ? sprintf("%.0f", v) : v >= 10 ? sprintf("%.1f", v) : v >= 1 ? sprintf("%.2f", v) : sprintf("%.3f", v)
size = n > 10 ? 8 : n > 6 ? 10 : 12

svg = "set terminal svg size 560,520 dynamic font 'sans-serif,16' background '#ffffff' noenhanced name "
png = "set terminal pngcairo size 1120,1040 font 'sans-serif,16' fontscale 1.6 linewidth 2 background '#ffffff' noenhanced"
cells = "plot data using 1:2:(0.5):(0.5):3 with boxxyerror fillcolor palette fillstyle solid noborder notitle"
numbers = sprintf(", data using 1:2:(dark($3) ? '' : text($3)) with labels font ',%d' textcolor rgb '#111111' notitle", size) . \
	sprintf(", data using 1:2:(dark($3) ? text($3) : '') with labels font ',%d' textcolor rgb '#ffffff' notitle", size)

do for [t = 1 : 2] {
	if (t == 1) { eval svg . "'" . file . "'" } else { eval png }
	set output file . (t == 1 ? ".svg" : ".png")
	eval cells . (n <= 16 ? numbers : "")
}
set output
