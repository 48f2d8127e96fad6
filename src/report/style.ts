/**
 * How reports look: one column, system fonts, one accent. Text and its ground differ by 4.5 to 1
 * at least in both schemes (WCAG 2.2, AA); a test in a browser holds it to that.
 */
export const styleSheet = `
:root{color-scheme:light dark;--paper:#fcfbf9;--card:#fff;--ink:#211f1c;--soft:#66605a;--line:#e5e0d9;--accent:#4a3fb5;--good:#146c43;--bad:#b3261e;--warn:#8a5300;--add:#e6f4ea;--add-strong:#b5e2c3;--cut:#fdecea;--cut-strong:#f7c4bf;--bar:#8f88d6;
--mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{--paper:#151618;--card:#1c1d20;--ink:#e8e5df;--soft:#a39d94;--line:#303135;--accent:#b3abff;--good:#6fd49c;--bad:#ff9c92;--warn:#f0b866;--add:#14291d;--add-strong:#1f5133;--cut:#331b1a;--cut-strong:#6b2c28;--bar:#746bd0}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0 auto;max-width:60rem;padding:0 1.25rem 4rem;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.25;font-weight:650;letter-spacing:-.011em;text-wrap:balance}
h1{font-size:clamp(1.6rem,4.6vw,2.4rem);letter-spacing:-.022em;margin:.35rem 0 1rem}
h2{font-size:1.3rem;margin:0 0 1rem;scroll-margin-top:1.5rem}
h3{font-size:1rem;margin:1.75rem 0 .6rem}
p{margin:.5rem 0}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
code,pre,.name{font-family:var(--mono);font-size:.84em}
code{white-space:pre-wrap}
ul{padding-left:1.2rem}
.top{padding-top:2.5rem}
.brand{font-weight:700;letter-spacing:-.01em;margin:0 0 2.25rem;color:var(--accent)}
.brand .quiet{font-weight:400}
.state{margin:0}
.task{max-width:44rem;margin:0 0 1.5rem;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--accent);font-size:1.06rem;white-space:pre-line}
.next{padding:.7rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.9rem 1.5rem;margin:1rem 0}
.facts dt{font-size:.78rem;color:var(--soft)}
.facts dd{margin:0;font-variant-numeric:tabular-nums}
.top>.facts{padding:1.1rem 0;margin:0;border-block:1px solid var(--line)}
.top>.facts dd{font-weight:550}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;margin:.8rem 0 0;padding:0;font-size:.92rem}
nav a{display:inline-block;padding:.25rem 0;text-decoration:none}
nav a:hover,summary:hover{text-decoration:underline}
section{margin-top:3.5rem}
.quiet,.left-out,.neutral,.open{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.warning{color:var(--warn)}
.badge{font-weight:600}
.state .badge{font-size:.95rem}
.table{width:100%;border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums;margin:.5rem 0}
.table th,.table td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);font-weight:400}
.table th:last-child,.table td:last-child{padding-right:0}
.table thead th{font-size:.78rem;color:var(--soft);padding-top:0}
.table .figure{text-align:right;overflow-wrap:normal}
.sums tbody tr:last-child>*{border-bottom:0;padding-top:.7rem}
.settings th{width:45%}
.table .joined>*{border-bottom:0}.table .joined+tr>td{padding-top:0}
.asked{color:var(--soft);margin:0}.asked .name{color:var(--ink)}
.status{white-space:nowrap;width:6.5rem}
.time-line th{width:30%}
.time-line .track{width:auto}.time-line .figure{width:1%}.lane{display:block;position:relative;height:1.4rem}
.time-line td{white-space:nowrap}
.time-line tbody>tr>*{border-bottom:0;padding-block:.3rem}
.time-line tbody>tr>.track{background:linear-gradient(var(--line),var(--line)) left/1px 100% no-repeat}
.level-1{padding-left:1rem}.level-2{padding-left:2rem;color:var(--soft)}
.level-1,.level-2{display:inline-block}
.bar{position:absolute;top:50%;height:.7rem;margin-top:-.35rem;min-width:3px;border-radius:3px;background:var(--bar)}
.bar-0{height:.35rem;margin-top:-.175rem;opacity:.5}
.bar-2{height:.45rem;margin-top:-.225rem;opacity:.75}
.bar.good{background:var(--good)}.bar.bad{background:var(--bad)}
.bar.open{background:repeating-linear-gradient(90deg,var(--bar) 0 4px,transparent 4px 8px)}
details{margin:.6rem 0}
summary{cursor:pointer;color:var(--accent);padding:.25rem 0}
.file{border:1px solid var(--line);border-radius:8px;background:var(--card);margin:.9rem 0;overflow:hidden}
.file>details{margin:0}
.file summary{padding:.55rem .9rem;color:var(--ink)}
.file .path{font-weight:600}
.file .left-out{padding:0 .9rem}
.stat{white-space:nowrap;font-size:.86rem;font-variant-numeric:tabular-nums;margin-left:.5rem}
.printed,.diff{margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;tab-size:4}
.printed{padding:.75rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
.diff{margin:0;padding:.35rem 0;border-top:1px solid var(--line)}
.diff code{display:block;font-size:1em;white-space:inherit}
.diff code>*{display:block;position:relative;padding:0 .9rem 0 5.2em;text-indent:-1ch;text-decoration:none;unicode-bidi:isolate}
.diff [data-n]::before{content:attr(data-n);position:absolute;left:0;width:3.4em;text-align:right;text-indent:0;color:var(--soft)}
.diff ins{background:var(--add)}.diff ins b{background:var(--add-strong)}
.diff del{background:var(--cut)}.diff del b{background:var(--cut-strong)}
.diff b{font-weight:400;border-radius:2px}
.diff .hunk,.diff .note{color:var(--soft)}
.attempt{border:1px solid var(--line);border-left:3px solid var(--bad);border-radius:8px;background:var(--card);padding:1.1rem 1.25rem;margin:1rem 0;color:var(--ink)}
.attempt.good{border-left-color:var(--good)}
.attempt>h3{margin-top:0}
.attempt>h3 .badge{margin-left:.3rem}.attempt>:last-child{margin-bottom:0}
.attempt .printed,.attempt .file{background:var(--paper)}
.failure{font-weight:550}
.move{font-weight:400;color:var(--soft)}
.verdicts .printed{font-size:.8rem;margin:.4rem 0 .2rem}
.verdicts .name{font-size:.84rem}
.findings{list-style:none;padding:0}.findings li{padding:.5rem 0;border-bottom:1px solid var(--line)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1.25rem;margin:1rem 0}
figure{margin:0}
figcaption{font-size:.86rem;color:var(--soft);margin-bottom:.4rem}
.chart{display:block;width:100%;height:7rem;overflow:visible}
.chart .axis{stroke:var(--line);stroke-width:1}
.chart .line{fill:none;stroke:var(--accent);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}
.chart .dot{stroke:var(--accent);stroke-width:7;stroke-linecap:round;vector-effect:non-scaling-stroke}
.chart .column{fill:var(--bar)}.chart .column.good{fill:var(--good)}.chart .column.bad{fill:var(--bad)}
.scale{display:flex;justify-content:space-between;font-size:.78rem;color:var(--soft);margin:.2rem 0 0;font-variant-numeric:tabular-nums}
.share{position:relative;display:block;height:.9rem;min-width:5rem;background:linear-gradient(var(--line),var(--line)) center/100% 1px no-repeat}
.share i{position:absolute;top:.3rem;height:.3rem;border-radius:3px;background:var(--bar)}
.share b{position:absolute;top:.1rem;width:.7rem;height:.7rem;margin-left:-.35rem;border-radius:50%;background:var(--accent)}
.small{font-size:.8rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
footer{margin-top:4rem;padding-top:.5rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
@media(max-width:40rem){body{padding-inline:1rem}section{margin-top:2.75rem}.table th,.table td{padding-right:.5rem}.status{width:auto}
.attempt{padding:.9rem .9rem .8rem}.time-line{font-size:.82rem}.time-line th{width:34%}.level-1{padding-left:.5rem}.level-2{padding-left:1rem}
.diff code>*{padding:0 .5rem 0 4.2em}.diff [data-n]::before{width:2.6em}
.stacked .wide{display:none}}
@media print{body{max-width:none}nav{display:none}.file,.attempt{break-inside:avoid}}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
`;
