import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { BesideSteps } from "@/lib/read/trial-reading";

import "./alignment-figure.css";

const WIDTH = 1_000;
const TOP = { from: 6, to: 16 };
const BOTTOM = { from: 60, to: 70 };
/** More steps cannot be told apart in a strip. */
const MOST_PARTS = 300;

export function AlignmentFigure({ steps, nA, nB }: { steps: BesideSteps; nA: number; nB: number }) {
  const { map, divergence, counts } = steps;
  const hasErrors = map.nErrors.a + map.nErrors.b > 0;
  return (
    <figure className="alignment">
      <div className="alignment-labels caption">
        <span>A, {formatPlural(nA, "step")}</span>
        <span>B, {formatPlural(nB, "step")}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} 76`} preserveAspectRatio="none" role="img" aria-label={describe(steps)}>
        {map.ribbons.map(({ relation, a, b }) => (
          <path
            key={`${a.from} ${b.from}`}
            className={`alignment-ribbon alignment-${relation}`}
            d={drawRibbon([a.from / nA, a.to / nA], [b.from / nB, b.to / nB])}
          />
        ))}
        <Strip total={nA} y={TOP} />
        <Strip total={nB} y={BOTTOM} />
        {hasErrors ? (
          <path className="alignment-error" d={drawTicks(map.errors.a, 0) + drawTicks(map.errors.b, 72)} />
        ) : null}
        {divergence === null ? null : (
          <path
            className="alignment-divergence"
            d={drawDivergence(share(divergence.places.a, nA), share(divergence.places.b, nB))}
          />
        )}
      </svg>
      <figcaption className="caption">
        <span className="alignment-key alignment-key-same">same call and result</span>
        <span className="alignment-key alignment-key-result">same call, result differs</span>
        <span className="alignment-key alignment-key-call">call or text differs</span>
        {divergence === null ? null : (
          <span className="alignment-key alignment-key-divergence">first divergence</span>
        )}
        {hasErrors ? <span className="alignment-key alignment-key-error">step with an error</span> : null}
        {map.nRibbons > map.ribbons.length ? (
          <span>
            the {formatCount(map.ribbons.length)} longest of {formatCount(map.nRibbons)} runs are drawn
          </span>
        ) : null}
        <span className="alignment-counts">
          {formatCount(counts.same)} same, {formatCount(counts.result + counts.call + counts.text)} differ,{" "}
          {formatCount(counts["only-a"])} only A, {formatCount(counts["only-b"])} only B
        </span>
      </figcaption>
    </figure>
  );
}

function Strip({ total, y }: { total: number; y: typeof TOP }) {
  const dash = WIDTH / total;
  return (
    <line
      className="alignment-strip"
      x1={0}
      x2={WIDTH}
      y1={(y.from + y.to) / 2}
      y2={(y.from + y.to) / 2}
      {...(total > MOST_PARTS
        ? {}
        : { strokeDasharray: `${(dash * 0.85).toFixed(3)} ${(dash * 0.15).toFixed(3)}` })}
    />
  );
}

const place = (at: number) => (at * WIDTH).toFixed(1);

function drawRibbon(top: readonly [number, number], bottom: readonly [number, number]): string {
  return `M${place(top[0])} ${TOP.to}L${place(top[1])} ${TOP.to}L${place(bottom[1])} ${BOTTOM.from}L${place(bottom[0])} ${BOTTOM.from}Z`;
}

function drawTicks(shares: readonly number[], y: number): string {
  return shares.map((at) => `M${place(at)} ${y}v4`).join("");
}

function share(index: number | null, total: number): number | null {
  return index === null ? null : index / total;
}

function drawDivergence(a: number | null, b: number | null): string {
  const top = a === null ? "" : `M${place(a)} ${TOP.from - 4}V${TOP.to}`;
  const bottom = b === null ? "" : `M${place(b)} ${BOTTOM.from}V${BOTTOM.to + 4}`;
  const joint = a === null || b === null ? "" : `M${place(a)} ${TOP.to}L${place(b)} ${BOTTOM.from}`;
  return top + joint + bottom;
}

function describe({ counts, divergence }: BesideSteps): string {
  const parts = [
    `${formatPlural(counts.same, "step")} the same`,
    `${formatCount(counts.result + counts.call + counts.text)} that differ`,
    `${formatCount(counts["only-a"])} only in A`,
    `${formatCount(counts["only-b"])} only in B`,
  ];
  if (divergence === null) return `Alignment: ${parts.join(", ")}`;
  const places = [["A", divergence.a] as const, ["B", divergence.b] as const].flatMap(([letter, key]) =>
    key === null ? [] : `${letter} ${key}`,
  );
  return `Alignment: ${parts.join(", ")}; first divergence at ${places.join(", ")}`;
}
