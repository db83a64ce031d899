import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { type CurveInput, prepareCurveChart } from "@/lib/core/charts/curve-chart";
import { fitLabels, PLOT_HEIGHT } from "@/lib/core/charts/curve-layout";
import { measureText } from "@/lib/core/charts/text-fit";
import type { PassCurve } from "@/lib/core/stats";
import { planRuns } from "@/lib/testing/plan-runs";

import { CurveFigure } from "./curve-figure";
import { CurvesFile } from "./curves-file";
import { type DrawnElement, findByClass, parseMarkup, placeElements } from "./drawn-svg.fixture";

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The most that a line of text can take, with the bold and shifted parts of it. */
function measure(element: DrawnElement): number {
  const size = Number(element.attributes.get("font-size") ?? 12);
  const isBold = element.attributes.get("font-weight") === "600";
  const parts = element.children.filter(({ name }) => name === "tspan");
  const own = element.text.slice(
    0,
    element.text.length - parts.reduce((sum, { text }) => sum + text.length, 0),
  );
  return parts.reduce(
    (sum, part) =>
      sum + Number(part.attributes.get("dx") ?? 0) + measureText(part.text, { size, isBold: true }),
    measureText(own, { size, isBold }),
  );
}

/** Position of each text, at its widest. */
function listTexts(root: DrawnElement, size: { width: number; height: number }): readonly Box[] {
  return Array.from(placeElements(root, size)).flatMap(([element, { places }]): Box[] => {
    const [place] = places;
    if (element.name !== "text" || place === undefined) return [];
    const width = measure(element);
    const share = { middle: 0.5, end: 1 }[element.attributes.get("text-anchor") ?? ""] ?? 0;
    const left = place.x + Number(element.attributes.get("dx") ?? 0) - share * width;
    return [{ text: element.text, left, right: left + width, top: place.y - 9, bottom: place.y + 3 }];
  });
}

function expectApart(boxes: readonly Box[], least: number, most: number): void {
  boxes.forEach((box, index) => {
    if (box.left < least - 0.01 || box.right > most + 0.01) expect(box).toEqual({ least, most });
    const meets = (other: Box) =>
      box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
    const other = boxes.slice(index + 1).find(meets);
    if (other !== undefined) expect(box).toBe(other);
  });
}

/** Curves that all end at one value, or nearly. */
function createCurve(maxK: number, last: number): PassCurve {
  const value = { value: last, band: { kind: "unavailable", reason: "one-task" } } as const;
  return {
    kind: "computed",
    estimand: "new-tasks",
    nComparisons: 1,
    nTasks: 9,
    points: Array.from({ length: maxK }, (_, index) => ({
      k: index + 1,
      nTasks: 9,
      passAtK: value,
      passHatK: value,
    })),
    level: 0.95,
    resamples: 1,
    seed: 1,
    generator: "none",
  };
}

const anyWord = fc.constantFrom(
  "codex",
  "gpt-9.9-mini",
  "z-ai-glm-5",
  "terminal-bench-2.0",
  "WWWWWWWW",
  "in",
  "漢字",
  "openclaw",
  "low",
  "rep24",
);
const anyName = fc
  .tuple(fc.array(anyWord, { minLength: 1, maxLength: 14 }), fc.constantFrom("-", " ", "__", "/"))
  .map(([parts, by]) => parts.join(by));
/** Names that begin and end alike, as those of repeated jobs do. */
const anyNames = fc
  .tuple(
    fc.oneof(fc.constant(""), anyName),
    fc.array(anyName, { minLength: 1, maxLength: 6 }),
    fc.oneof(fc.constant(""), anyName),
  )
  .map(([head, names, tail]) => names.map((name) => `${head} ${name} ${tail}`.trim()));
const anyEnd = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const anyInputs = fc
  .tuple(
    anyNames,
    anyEnd,
    fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 6, maxLength: 6 }),
    fc.array(fc.constantFrom(1, 5, 16), { minLength: 6, maxLength: 6 }),
  )
  .map(([names, end, jitter, ks]) =>
    names.map((label, index): CurveInput => ({
      group: { id: String(index), label, identity: index, variant: 0 },
      curve: createCurve(ks[index] ?? 1, Math.min(1, Math.max(0, end + (jitter[index] ?? 0)))),
      recorded: new Map(),
    })),
  );
const frame = {
  id: "c",
  title: "pass@k",
  note: "at least one of k attempts passes",
  measure: "passAtK",
  chosenK: null,
} as const;
const plan = planRuns({ short: 50, long: 3000 });

test("names next to curves never overlap or leave their space on the page", () => {
  fc.assert(
    fc.property(
      anyInputs,
      fc.integer({ min: 140, max: 260 }),
      fc.integer({ min: 120, max: 700 }),
      (inputs, most, width) => {
        const chart = prepareCurveChart(inputs, frame);
        const { room, labels } = fitLabels(chart, most);
        expect(room).toBeLessThanOrEqual(Math.ceil(most));
        expect(labels).toHaveLength(inputs.length);
        const page = parseMarkup(renderToStaticMarkup(<CurveFigure chart={chart} room={room} />));
        const [svg] = findByClass(page, "plot");
        if (svg === undefined) throw new Error("nothing is drawn");
        expectApart(
          listTexts({ ...page, children: [svg] }, { width, height: PLOT_HEIGHT }),
          -40,
          width + room,
        );
        // Truncated names are repeated in full.
        const titles = findByClass(page, "curve-label").map(({ children }) => children[0]?.text);
        expect(titles.toSorted()).toEqual(inputs.map(({ group }) => group.label).toSorted());
      },
    ),
    plan,
  );
});

test("no text of the file overlaps another or leaves the drawing, and a name truncated next to its curve is repeated below", () => {
  fc.assert(
    fc.property(anyInputs, anyName, (inputs, caption) => {
      const level = prepareCurveChart(inputs, frame);
      const title = inputs.map(({ group }) => group.label).join(", ");
      const file = parseMarkup(
        renderToStaticMarkup(
          <CurvesFile charts={[level, { ...level, id: "e" }]} title={title} caption={caption} />,
        ),
      );
      const [svg] = file.children;
      const size = {
        width: Number(svg?.attributes.get("width")),
        height: Number(svg?.attributes.get("height")),
      };
      const boxes = listTexts(file, size);
      expectApart(boxes, 0, size.width);
      for (const { top, bottom } of boxes)
        expect(Math.max(-top, bottom - size.height)).toBeLessThanOrEqual(0);
      // Beside each curve in full, or in the list below.
      const beside = new Set(boxes.map(({ text }) => text.replace(/\d\.\d{3}.*$/, "")));
      const below = findByClass(file, "curve-legend").map(({ text }) => text);
      for (const { group } of inputs) {
        const isShown =
          beside.has(group.label) || below.some((text) => text === group.label || text.includes("…"));
        if (!isShown) expect([...beside, ...below]).toContain(group.label);
      }
    }),
    plan,
  );
});
