# SPDX-License-Identifier: BSD-3-Clause
# The latency curves of one core kind, from the raw series of a measurement:
#   gnuplot -e "raw='DIR/raw'; kind='all'; out='cache.svg'" cache.gp
# Top: loads over all lines with the spread of the visits, and translation alone (one line per page).
# Bottom: the same loads at other access rates, each against its own slowest figure: a capacity stays
# where it is, the reach of a cache that others turn over moves with the rate.
if (!exists("kind")) kind = 'all'
if (!exists("out")) out = 'cache.svg'
file(what) = sprintf("%s/cache-%s-%s.csv", raw, kind, what)

set datafile separator comma
rates = "slow lines fast4 fast8"
names = "'a delay after each load' 'one chain' '4 chains at once' '8 chains at once'"
array worst[words(rates)]
do for [i = 1 : words(rates)] {
  stats file(word(rates, i)) skip 1 using ($1 <= 2**27 ? $2 : 1/0) nooutput
  worst[i] = STATS_max
}

set terminal svg size 900,900 font "sans,13" background "white"
set output out
set logscale x 2
set logscale y
set grid
set xrange [4 : *]
set xtics ("4 KiB" 4, "16" 16, "64" 64, "256" 256, "1 MiB" 1024, "4" 4096, "16" 16384, "64" 65536, \
           "256" 262144, "1 GiB" 1048576)
set key top left
set xlabel "working set"
set multiplot layout 2,1

set ylabel "ns per load"
plot file('lines') skip 1 using ($1/1024):2:3:4 with yerrorlines pointtype 7 pointsize 0.4 \
       title "all lines, random order", \
     file('pages') skip 1 using ($1/1024):2 with linespoints pointtype 6 pointsize 0.4 \
       title "one line per page (span of the pages)"

set ylabel "share of the slowest load"
unset logscale y
set yrange [0 : 1.1]
set xrange [256 : 262144]
plot for [i = 1 : words(rates)] file(word(rates, i)) skip 1 using ($1/1024):($2/worst[i]) \
       with linespoints pointtype 7 pointsize 0.4 title word(names, i)
unset multiplot
