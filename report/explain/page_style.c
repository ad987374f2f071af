/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page has beside the style sheet of reports: steps that radio buttons switch, and a picture. Without CSS, and on paper, all steps are there.
 */
#include <stddef.h>

#include "show.h"

const char *const show_style[] = {
	":root{--sum:#b34700;--copy:#0072b2;--new:#fff0c2;--full:#d5e9f5}\n"
	"@media (prefers-color-scheme:dark){:root{--sum:#ff9f4a;--copy:#56b4e9;--new:#4a3c10;--full:#17384d}}\n"
	".steps>input{position:absolute;opacity:0;width:1px;height:1px}\n"
	".strip{display:flex;flex-wrap:wrap;gap:.3rem;margin:.6rem 0}\n"
	".strip label,.turn label{cursor:pointer;border:1px solid var(--line);border-radius:6px;background:var(--card);"
	"padding:.3rem .6rem;min-width:2.4rem;text-align:center;user-select:none}\n"
	".turn{display:flex;gap:.5rem;align-items:baseline;flex-wrap:wrap}.turn h3{margin:.2rem 0;flex:1 1 12rem}\n"
	".turn span{padding:.3rem .6rem;color:var(--soft)}\n"
	".round{display:grid;grid-template-columns:minmax(0,20rem) minmax(0,1fr);gap:1rem;align-items:start;margin-top:.6rem}\n"
	".round>div{min-width:0}\n"
	".plain{grid-template-columns:minmax(0,1fr)}\n"
	".round svg{width:100%;height:auto;display:block}\n"
	"svg text{fill:var(--ink);font:13px system-ui,'DejaVu Sans',sans-serif;text-anchor:middle}\n"
	"svg .label{font-size:12px;paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}\n"
	"svg circle{fill:var(--card);stroke:var(--soft);stroke-width:1.5}\n"
	"svg path.line{fill:none;stroke-width:2.5}\n"
	".copy{stroke:var(--copy)}.sum{stroke:var(--sum);stroke-dasharray:7 4}\n"
	"path.head{stroke:none}.copyhead{fill:var(--copy)}.sumhead{fill:var(--sum)}\n"
	"ul.sent{margin:.2rem 0 .8rem;padding-left:1.1rem;font-size:.94rem}\n"
	"td.new{background:var(--new);font-weight:700;box-shadow:inset 3px 0 var(--sum)}td.full{background:var(--full)}"
	"td.new.full{background:var(--new)}\n"
	"td.wrap{white-space:normal;overflow-wrap:anywhere;min-width:6rem}\n"
	"td.none{color:var(--soft)}\n"
	".key i{font-style:normal;border:1px solid var(--line);border-radius:4px;padding:0 .4rem;margin-right:.3rem}\n"
	".key .knew{background:var(--new);box-shadow:inset 3px 0 var(--sum)}.key .kfull{background:var(--full)}\n"
	".key span{margin-right:1.2rem}.ksum{color:var(--sum);font-weight:700}.kcopy{color:var(--copy);font-weight:700}\n"
	"th[scope=row]{text-align:left;font-weight:600}th.who{white-space:normal;min-width:6.5rem}\n"
	"tbody tr:last-child>th{border-bottom:0}\n"
	"pre{white-space:pre-wrap;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem;"
	"font:.875rem/1.5 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}\n"
	"@media (max-width:46rem){.round{grid-template-columns:minmax(0,1fr)}.round svg{max-width:18rem;margin:0 auto}"
	"th,td{padding:.28rem .4rem}.turn h3{flex:1 1 100%}}\n",
	"@media print{.strip,.turn label,.turn span{display:none}.panel{break-inside:avoid}}\n",
	NULL,
};
