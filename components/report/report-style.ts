/** Embedded in the report's single file. Paper is white, so dark applies to screens only. */
export const REPORT_STYLE = `
:root {
  color-scheme: light;
  --paper: #fbfbf9; --surface: #ffffff; --line: #e3e2dc; --line-strong: #838588; --ink: #17191c; --muted: #5c6066;
  --pass: #177544; --fail: #b3261e; --partial: #8a6100;
  --id-1: #0072b2; --id-2: #c26a00; --id-3: #a8437f; --id-4: #3d4146; --id-5: #00856a; --id-6: #857a00;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #0f1114; --surface: #15181c; --line: #262a30; --line-strong: #6a717a; --ink: #e8eaed; --muted: #9aa0a8;
    --pass: #4cc38a; --fail: #ff8a80; --partial: #e3b341;
    --id-1: #5aaae6; --id-2: #e8a33d; --id-3: #e08db8; --id-4: #c3c8ce; --id-5: #35b894; --id-6: #cfc24b;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 24px; max-width: 1200px; background: var(--paper); color: var(--ink);
  font: 14px/22px ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums;
}
html { background: var(--paper); }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 30px; }
h2 { margin: 32px 0 8px; font-size: 16px; }
p, ul, figure { margin: 0 0 8px; padding: 0; }
ul { list-style: none; }
h1, td, th, li, p, summary { overflow-wrap: anywhere; unicode-bidi: isolate; }
.muted { color: var(--muted); }
.verdict { font-size: 17px; line-height: 26px; font-weight: 600; margin: 16px 0 0; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--id-1); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 20px; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; color: var(--muted); vertical-align: bottom; }
thead th { overflow-wrap: normal; }
tbody th { color: var(--ink); vertical-align: top; }
tbody th, td { min-width: 96px; }
td.number, th.number { text-align: right; min-width: 0; overflow-wrap: normal; }
td.number { white-space: nowrap; }
td small, th small { display: block; font-weight: 400; color: var(--muted); font-size: 12px; line-height: 16px; white-space: normal; }
td.axis, th.axis { min-width: 180px; padding: 4px 28px; }
svg { overflow: visible; }
.axis svg { width: 100%; display: block; }
.agent-mark { vertical-align: -1px; margin-right: 6px; }
.curves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 24px; }
.curve { padding: 8px 0 44px 40px; }
.curve svg, .axis text { font-size: 12px; fill: var(--muted); }
.curve > svg { width: 100%; }
figcaption { margin-bottom: 4px; }
.state-same { color: var(--pass); } .state-differs { color: var(--partial); } .state-unknown { color: var(--muted); }
.better { color: var(--pass); } .worse { color: var(--fail); }
.matrix td { print-color-adjust: exact; }
.level-1 { background: color-mix(in srgb, var(--id-1) 6%, transparent); }
.level-2 { background: color-mix(in srgb, var(--id-1) 12%, transparent); }
.level-3 { background: color-mix(in srgb, var(--id-1) 18%, transparent); }
.level-4 { background: color-mix(in srgb, var(--id-1) 24%, transparent); }
.level-5 { background: color-mix(in srgb, var(--id-1) 30%, transparent); }
code, pre { font: 12px/18px ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
summary { cursor: pointer; }
@media (max-width: 700px) { body { padding: 12px; } }
@media print {
  body { padding: 0; max-width: none; background: #ffffff; }
  .scroll { overflow: visible; }
  h2 { break-after: avoid; }
  tr, figure, li { break-inside: avoid; }
  thead { display: table-header-group; }
}
`;
