# SPDX-License-Identifier: Apache-2.0
#
# The axis of message sizes, from xmin to xmax.

set logscale x 2
set xrange [xmin / 1.5 : xmax * 1.5]
set xlabel "message size in bytes" offset 0,0.4 noenhanced textcolor rgb "#222222"

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
