"use client";

const stroke = (width: number) =>
  `fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="${width}"`;
const solid = 'fill="currentColor"';

/** On a 12 px grid. Fail is heavier than pass, so that failures stand out without more colour. */
const STATUS: Readonly<Record<string, string>> = {
  passed: `<path ${stroke(1.7)} d="M2 6.5 4.8 9.2 10 3.1"/>`,
  failed: `<path ${stroke(1.9)} d="m2.8 2.8 6.4 6.4m0-6.4L2.8 9.2"/>`,
  partial: `<circle ${stroke(1.5)} cx="6" cy="6" r="4.25"/><path ${solid} d="M6 1.75a4.25 4.25 0 0 0 0 8.5z"/>`,
  errored: `<path ${stroke(2.2)} d="M6 1.9v4.9"/><circle ${solid} cx="6" cy="10" r="1.25"/>`,
  timeout: `<circle ${stroke(1.5)} cx="6" cy="6" r="4.5"/><path ${stroke(1.4)} d="M6 3.5v2.7l1.8 1.2"/>`,
  cancelled: `<circle ${stroke(1.5)} cx="6" cy="6" r="4.5"/><path ${stroke(1.5)} d="m3 9 6-6"/>`,
  invalid: `<circle ${stroke(1.5)} cx="6" cy="6" r="4.5"/><path ${stroke(1.4)} d="m4.3 4.3 3.4 3.4m0-3.4L4.3 7.7"/>`,
  running: `<path ${solid} d="M3.5 2.1v7.8L10 6z"/>`,
  missing: `<circle ${solid} cx="6" cy="6" r="1.4"/>`,
  unreadable: `<path ${stroke(1.5)} stroke-dasharray="1.6 2" d="M2.2 2.2h7.6v7.6H2.2z"/>`,
  unscored: `<path ${stroke(1.7)} d="M2.8 6h6.4"/>`,
  // A broken ring, because the verifier may not have finished.
  suspect: `<circle fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.2 1.53" cx="6" cy="6" r="4.75"/><path ${stroke(1.5)} d="M6 3.4v3.1M6 8.1v.6"/>`,
  defer: `<path ${stroke(1.8)} d="M3.7 4c.1-1.4 1.1-2.1 2.4-2.1 1.4 0 2.3.8 2.3 2C8.4 5.5 6 5.6 6 7.3"/><circle ${solid} cx="6" cy="10.1" r="1.15"/>`,
};

/** Drawn on a 16 px grid. All are rings, so that none looks like a status. */
const CHECKS: Readonly<Record<string, string>> = {
  exact: `<circle ${stroke(1.4)} cx="8" cy="8" r="6.2"/><circle ${solid} cx="8" cy="8" r="3.1"/>`,
  ulp: `<circle ${stroke(1.4)} cx="8" cy="8" r="6.2"/><path ${stroke(1.3)} d="M5.2 8.6c.9-1.3 1.9-1.3 2.8-.6s1.9.7 2.8-.6"/>`,
  explained: `<circle ${stroke(1.4)} cx="8" cy="8" r="6.2"/><path ${stroke(1.5)} d="M8 7.4v3.6"/><circle ${solid} cx="8" cy="5" r=".95"/>`,
  mismatch: `<circle ${stroke(1.6)} cx="8" cy="8" r="6.2"/><path ${stroke(1.8)} d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"/>`,
  incomplete: `<circle ${stroke(1.4)} cx="8" cy="8" r="6.2"/><path ${stroke(1.4)} d="M5.4 8h5.2"/>`,
  "unknown-rule": `<circle ${stroke(1.4)} cx="8" cy="8" r="6.2"/><path ${stroke(1.5)} d="M8 4.4v4.4"/><circle ${solid} cx="8" cy="11" r=".95"/>`,
  open: `<circle ${stroke(1.5)} stroke-dasharray=".1 2.78" cx="8" cy="8" r="6.2"/>`,
};

const drawSymbol = (id: string, size: number, shape: string) =>
  `<symbol id="${id}" viewBox="0 0 ${size} ${size}">${shape}</symbol>`;

/** Built once, because every page starts with it; constants only. */
const GLYPHS = {
  __html: [
    ...Object.entries(STATUS).map(([name, shape]) => drawSymbol(`mark-${name}`, 12, shape)),
    ...Object.entries(CHECKS).map(([name, shape]) => drawSymbol(`check-${name}`, 16, shape)),
  ].join(""),
};

/** Defines every glyph once; components refer to them with `<use>`. */
export function Sprite() {
  return (
    <svg
      width="0"
      height="0"
      aria-hidden="true"
      style={{ position: "absolute" }}
      dangerouslySetInnerHTML={GLYPHS}
    />
  );
}
