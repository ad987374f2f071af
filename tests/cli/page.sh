#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The page in a real browser: nothing is wider than a phone's or a desk's window, no error on the console, light, dark and on paper. A script of the
# test's own is put into a copy of the page and writes what it measures into the title. Without Chromium only what needs no browser is tested.

. tests/cli/lib.sh

data=$PWD/tests/data/report
cp -R "$data/clean" "$data/hostile" "$scratch/" || exit 1
cd "$scratch" || exit 1
export XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache HOME=$scratch
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v "$name")
done

# Runs with all that a page can show: two paths, several numbers of ranks, long texts without a blank, an import.
mkdir tcp ranks
for file in all_reduce sendrecv; do
	awk -F, -v OFS=, 'NR > 1 { $8 = "tcp"; for (i = 24; i <= 26; i++) $i *= 1.5 + NR * 0.3; $27 /= 10; $28 /= 10 } 1' clean/$file.csv >tcp/$file.csv
done
awk -F, -v OFS=, 'NR == 1 { print; next }
	{ $2 = $3 = ""; for (r = 2; r <= 16; r *= 2) { $11 = r; $4 = "s" r; $24 = 2 * r + $18 / 2000; $25 = $24 * 0.98; $26 = $24 * 1.02; print } }' \
	clean/all_reduce.csv >ranks/all_reduce.csv
long=$(printf '%0300d' 7)
awk -F, -v OFS=, -v long="$long" 'NR > 1 { $4 = long; $7 = long; $8 = "p" long; $9 = long; $2 = $3 = "" } 1' clean/all_reduce.csv >long.csv
sed 's/,,2026/,imported,2026/' clean/all_reduce.csv >imported.csv
mkdir gpu
awk -F, -v OFS=, '{ sub(/\r$/, "") } NR == 1 { print $0, "kernel_us", "enqueue_us"; next } { print $0, $24 / 2, 3 }' clean/all_reduce.csv >gpu/all_reduce.csv

report() { # NAME INPUT...
	name=$1
	shift
	run 60 "$bin/collperf" report "$@" -o "$name"
	verdict $((rc == 0)) "$name is reported" "$scratch/err"
}

has() { # FILE WORDS WHAT
	grep -qF -- "$2" "$1"
	verdict $((! $?)) "$3"
}

report both clean tcp
report many ranks --alpha 5us --bandwidth 2GB/s
report evil hostile
report wide long.csv --link nvlink3
report foreign imported.csv
report device gpu

has both/index.html "close to the bound" "the summary has a verdict in words"
has both/index.html "<th>n&frac12;</th>" "half sizes are told"
has both/index.html "<h3>Fit: t = a + b S</h3>" "fits are a table"
has wide/index.html "of link" "with --link it is the link that counts"
has many/index.html "given, not measured" "what was given is not called measured"
has foreign/index.html "<title>collperf report: imported from another tool&#39;s log</title>" "the title tells an import"
has foreign/report.md "# Collective performance: imported from another tool" "so does report.md"
has device/index.html "<th>kernel</th><th>enqueue</th>" "kernel and enqueue times are shown where there are any"
! grep -q "<th>kernel</th>" both/index.html
verdict $((! $?)) "and not where there are none"
awk '/<h2/ { print }' both/index.html | head -n 2 | tr -d '\n' | grep -q 'id="findings".*id="summary"'
verdict $((! $?)) "findings and summary come first"

# What is folded away are warnings and notes, never an error.
for n in 1 2 3 4 5 6 7; do
	awk -F, -v OFS=, -v n=$n 'NR == n + 8 { $24 = "fast" } 1' clean/all_reduce.csv >broken$n.csv
done
run 60 "$bin/collperf" report broken?.csv -o broken
[ "$(awk '/<details/ { exit } /class="error"/ { n++ } END { print n }' broken/index.html)" = 7 ]
verdict $((! $?)) "no error is folded away"

# A comment of a pull request has 65000 characters.
mkdir big
for coll in all_reduce all_gather reduce_scatter alltoall broadcast reduce gather scatter sendrecv; do
	awk -F, -v OFS=, -v coll=$coll 'NR == 1 { print } NR == 2 { $2 = $3 = ""; $5 = coll; if (coll !~ /reduce/) $14 = ""; if (coll ~ /^(broadcast|reduce|gather|scatter)$/) $15 = 0
		for (n = 1; n <= 2000; n++) { $17 = $18 = 4 * n; $9 = "algorithm-" int(n / 400); $24 = 10 + n / 100; $25 = $26 = $27 = $28 = ""; print } }' clean/all_reduce.csv >big/$coll.csv
done
report long big
[ "$(wc -m <long/report.md)" -lt 65000 ]
verdict $((! $?)) "report.md is no longer than a comment may be"
grep -q "more are in bounds.csv" long/report.md
verdict $((! $?)) "what was cut is told"

# --- colours: text on what it stands on, WCAG's ratio
contrast() { # LIGHT-OR-DARK INK GROUND: its ratio to stdout
	awk -v which="$1" -v ink="$2" -v ground="$3" '
		function part(hex, at) { v = (index("0123456789abcdef", substr(hex, at, 1)) - 1) * 16 + index("0123456789abcdef", substr(hex, at + 1, 1)) - 1
			v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4 }
		function light(hex) { if (length(hex) == 3) hex = substr(hex, 1, 1) substr(hex, 1, 1) substr(hex, 2, 1) substr(hex, 2, 1) substr(hex, 3, 1) substr(hex, 3, 1)
			return 0.2126 * part(hex, 1) + 0.7152 * part(hex, 3) + 0.0722 * part(hex, 5) }
		function find(name) { match(line, "--" name ":#[0-9a-f]+"); return substr(line, RSTART + length(name) + 4, RLENGTH - length(name) - 4) }
		/^:root/ && which == "light" { line = $0 }
		/^@media \(prefers-color-scheme:dark\)\{:root/ && which == "dark" { line = $0 }
		END { a = light(find(ink)); b = light(find(ground)); printf "%.2f", (a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05)) }' both/index.html
}
for theme in light dark; do
	low=
	for pair in ink:bg ink:card soft:bg soft:card accent:bg accent:card bad:bad-bg bad:card warn:warn-bg warn:card ink:bad-bg ink:warn-bg; do
		ratio=$(contrast $theme "${pair%:*}" "${pair#*:}")
		awk -v ratio="$ratio" 'BEGIN { exit !(ratio >= 4.5) }' || low="$low $pair $ratio"
	done
	[ -z "$low" ]
	verdict $((! $?)) "$theme: texts stand out from their ground${low:+, but not$low}"
done

# --- in the browser
cat >script.html <<'END'
<script>
addEventListener("load", () => {
	const width = document.documentElement.clientWidth, over = [];
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest(".box, svg, nav") && !e.matches(".box"))
			continue;
		if (e.getBoundingClientRect().right > width + 0.5)
			over.push(e.tagName + "." + e.className);
	}
	document.title = "measured " + width + " " + document.documentElement.scrollWidth + " " + over.slice(0, 3).join(" ");
});
</script>
END
measure() { # NAME: a copy that says in its title how wide it is
	sed -e '/<meta http-equiv="Content-Security-Policy"/d' -e '/^<\/body>/r script.html' "$1/index.html" >"$1/measured.html"
}

browse() { # WIDTH ARGUMENTS...
	window=$1
	shift
	run 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" --enable-logging=stderr --v=0 \
		--window-size="$window",900 --virtual-time-budget=3000 "$@"
}

if [ -z "$browser" ]; then
	verdict 1 "the page in a browser # SKIP no chromium"
	finish
fi
for name in both many evil wide device; do
	measure $name
	for width in 360 1440; do
		# A window of a headless Chromium may be no narrower than 500: the page is a frame of the wanted width then.
		printf '<!DOCTYPE html><title>-</title><body style="margin:0"><iframe src="%s/measured.html" style="border:0;width:%dpx;height:800px"></iframe><script>
			addEventListener("load", () => setTimeout(() => { document.title = document.querySelector("iframe").contentDocument.title; }, 500));
			</script>' "$name" $width >frame.html
		browse 1440 --allow-file-access-from-files --dump-dom "file://$scratch/frame.html"
		title=$(sed -n 's,.*<title>\(measured [^<]*\)</title>.*,\1,p' out | head -n 1)
		[ "$title" = "measured $width $width" ]
		verdict $((! $?)) "$name: nothing is wider than $width pixels (${title:-not measured})"
	done
	browse 1440 --screenshot="$scratch/$name.png" "file://$scratch/$name/index.html"
	[ -s $name.png ] && ! grep -q CONSOLE err
	verdict $((! $?)) "$name: no error on the console" "$scratch/err"
done
browse 800 --print-to-pdf="$scratch/paper.pdf" "file://$scratch/both/index.html"
[ "$(head -c 4 paper.pdf 2>/dev/null)" = %PDF ]
verdict $((! $?)) "the page can be printed" "$scratch/err"
finish
