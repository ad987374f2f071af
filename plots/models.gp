# SPDX-License-Identifier: Apache-2.0
#
# Lines of models beside those of series: in the colour of their series where there are several.

longest_other = strlen(ring_name)
do for [m = 1 : nmodels * has_link] { if (strlen(link_label[m]) > longest_other) { longest_other = strlen(link_label[m]) } }
model_colour(m) = nmodels > 1 ? palette[model_series[m]] : 0x444444
