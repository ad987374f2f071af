# SPDX-License-Identifier: Apache-2.0
#
# The axis of times, from ymin to ymax in microseconds.

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
