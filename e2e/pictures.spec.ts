import { readFileSync } from "node:fs";

import type { Locator, Page } from "@playwright/test";

import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import {
  type CurveRow,
  type DrawnCurves,
  findDifferences,
  readCurves,
  readCurvesCsv,
} from "../lib/testing/read-curves";
import { expect, test as base, withAssay } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

/** Pixels: markers are drawn to thousandths of the plot's width. */
const TOLERANCE = 0.25;

/** As long as real names, and equal at both ends. */
const LONG_NAMES = ["low", "medium", "high", "low-overview", "low-overview-refs", "low-overview-def"].map(
  (form) => `codex-gpt-9.4-mini-${form}-mapnav@0fa615582af5-parser-explicit-resource-declarations-rep24`,
);

/** With the long job names of a long run. */
const testLong = base.extend<object, { readonly assay: Parameters<Parameters<typeof withAssay>[0]>[0] }>({
  assay: [
    async ({}, run) =>
      withAssay(run, ({ jobsFolder }) => {
        for (const name of LONG_NAMES) copyJob(jobsFolder, "voltage-drop-aec", name);
      }),
    { scope: "worker", timeout: 90_000 },
  ],
});
const test = IS_LONG_RUN ? testLong : base;

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface DrawnPanel {
  readonly title: string;
  readonly curves: DrawnCurves;
  /** Names beside the curves. */
  readonly labels: readonly Box[];
  /** All texts of the panel, including names. */
  readonly texts: readonly Box[];
  readonly frame: Box;
}

/** Screenshot of an element, in screen pixels. */
function collectPanel(panel: Element): DrawnPanel {
  const find = (within: Element, selector: string) => [
    ...within.querySelectorAll<SVGGraphicsElement>(selector),
  ];
  const place = (element: SVGGraphicsElement, x: number, y: number) => {
    const matrix = element.getScreenCTM() ?? new DOMMatrix();
    return { x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f };
  };
  const corners = (element: SVGGraphicsElement) => {
    if (element instanceof SVGLineElement) {
      const { x1, y1, x2, y2 } = element;
      return [
        place(element, x1.baseVal.value, y1.baseVal.value),
        place(element, x2.baseVal.value, y2.baseVal.value),
      ];
    }
    const d = element.getAttribute("d") ?? "";
    let at = { x: 0, y: 0 };
    return Array.from(d.matchAll(/([MLHV])([^MLHVZ]*)/g), ([, command, list = ""]) => {
      const [first = 0, second = 0] = list
        .trim()
        .split(/[\s,]+/)
        .map(Number);
      at =
        command === "H"
          ? { ...at, x: first }
          : command === "V"
            ? { ...at, y: first }
            : { x: first, y: second };
      return place(element, at.x, at.y);
    });
  };
  const box = (element: Element): Box => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { text: element.textContent, left, right, top, bottom };
  };
  const shown = (boxes: readonly Box[]) => boxes.filter(({ left, right }) => right > left);
  const lines = find(panel, ".plot-grid");
  const groups = find(panel, ".curve-series");
  const nSeries = find(panel, ".curve-line").length;
  return {
    title: panel.querySelector("figcaption b, tspan")?.textContent ?? "",
    curves: {
      yTicks: find(panel, ".plot-y-tick").map((tick, index) => {
        const line = lines[index];
        const pixel = line === undefined ? NaN : (corners(line)[0]?.y ?? NaN);
        const { top, bottom } = box(tick);
        // A number must be at its line.
        return { text: tick.textContent, pixel: Math.abs((top + bottom) / 2 - pixel) < 4 ? pixel : NaN };
      }),
      xTicks: find(panel, ".plot-x-tick").map((tick) => {
        const { left, right, text } = box(tick);
        const pixel =
          tick instanceof SVGTextElement ? place(tick, tick.x.baseVal.getItem(0).value, 0).x : NaN;
        // A number must be at its place; fonts may differ by a fraction of a pixel.
        return { text, pixel: Math.abs((left + right) / 2 - pixel) < 1 ? pixel : NaN };
      }),
      series: Array.from({ length: nSeries }, (_, index) => {
        const own = groups.filter((__, at) => at % nSeries === index);
        const of = (selector: string) => own.flatMap((group) => find(group, selector));
        return {
          points: of(".curve-point").flatMap((point) => {
            const [glyph] = find(point, "path");
            return glyph === undefined ? [] : [place(glyph, 6, 6)];
          }),
          line: of(".curve-line").flatMap(corners),
          intervals: of(".curve-band, .curve-whisker").map(corners),
          recorded: of("circle.curve-recorded").map((ring) => {
            const { left, right, top, bottom } = box(ring);
            return { x: (left + right) / 2, y: (top + bottom) / 2 };
          }),
        };
      }),
    },
    labels: shown(find(panel, ".curve-label").map(box)),
    texts: shown(find(panel, "text").map(box)),
    frame: box(panel),
  };
}

async function readPanels(panels: Locator): Promise<readonly DrawnPanel[]> {
  return Promise.all((await panels.all()).map((panel) => panel.evaluate(collectPanel)));
}

/** Rows of the file for a panel, by curve. */
function selectRows(
  rows: readonly CurveRow[],
  { title }: DrawnPanel,
  measure: string,
): readonly (readonly CurveRow[])[] {
  const isDifference = title.startsWith("Difference");
  const own = rows.filter((row) => row.measure === measure && (row.minus !== "") === isDifference);
  return [...Map.groupBy(own, ({ job, group }) => `${job}:${group}`).values()];
}

/** Compares every mark with the table and returns their number. */
function expectEqual(panels: readonly DrawnPanel[], rows: readonly CurveRow[]): number {
  let measure = "pass@k";
  return panels.reduce((sum, panel) => {
    if (panel.title.startsWith("pass")) measure = panel.title === "pass^k" ? "pass^k" : "pass@k";
    const read = readCurves(panel.curves, panel.title.startsWith("Difference"), TOLERANCE);
    const table = selectRows(rows, panel, measure);
    // With more than two curves, only the two in the title have bands.
    const isBare = table.map((_, at) => read.series[at]?.points.every(({ low }) => low === null) === true);
    if (table.length > 2) expect(isBare.filter((bare) => !bare)).toHaveLength(2);
    const drawn = table.map((own, at) =>
      table.length > 2 && isBare[at] === true ? own.map((row) => ({ ...row, low: null, high: null })) : own,
    );
    expect(findDifferences(read, drawn)).toEqual([]);
    return sum + read.nRead;
  }, 0);
}

/** No text may overlap another or leave the frame. */
function expectApart(texts: readonly Box[], frame: Box): void {
  texts.forEach((one, index) => {
    expect(one.left, one.text).toBeGreaterThanOrEqual(frame.left - 1);
    expect(one.right, one.text).toBeLessThanOrEqual(frame.right + 1);
    for (const other of texts.slice(index + 1)) {
      const isApart =
        one.right <= other.left ||
        other.right <= one.left ||
        one.bottom <= other.top + 2 ||
        other.bottom <= one.top + 2;
      expect(isApart, `${one.text} on ${other.text}`).toBe(true);
    }
  });
}

/** Compares page and file of a URL with its table; returns the number of marks. */
async function expectPictures(page: Page, query: string): Promise<number> {
  const rows = readCurvesCsv(await (await page.request.get(`/compare/curves.csv?${query}`)).text());
  let nRead = 0;
  let nPanels = 0;
  for (const [width, colorScheme] of [
    [1440, "light"],
    [1024, "dark"],
    [390, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto(`/compare?tab=curves&${query}`);
    const figures = page.getByRole("region", { name: "Curves", exact: true }).locator("figure");
    await expect(figures.first()).toBeVisible();
    const panels = await readPanels(figures);
    nPanels = panels.length;
    expect(nPanels).toBeGreaterThan(0);
    nRead += expectEqual(panels, rows);
    for (const { texts, frame } of panels) expectApart(texts, frame);
  }
  const file = await (await page.request.get(`/compare/curves.svg?${query}`)).text();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("about:blank");
  await page.setContent(file);
  const panels = await readPanels(page.locator(".curve-panel"));
  expect(panels).toHaveLength(nPanels);
  nRead += expectEqual(panels, rows);
  const svg = await page
    .locator("body > svg")
    .evaluate((element) => element.getBoundingClientRect().toJSON() as Box);
  const texts = await page.locator("body > svg text").evaluateAll((all) =>
    all.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { text: element.textContent, left, right, top, bottom };
    }),
  );
  expectApart(texts, svg);
  return nRead;
}

const ref = (job: string, group: string) => `g=${encodeURIComponent(`${job}:${group}`)}`;
const TB2 = [
  ref("tb2-orca-next", "orca__meridian-5__terminal-mix"),
  ref("tb2-baseline", "orca__meridian-4.5__terminal-mix"),
  ref("tb2-baseline", "lamp__halyard-2__terminal-mix"),
];
const PICTURES = [
  { name: "a pair with five attempts", query: TB2.slice(0, 2).join("&"), least: 100 },
  { name: "several groups", query: TB2.join("&"), least: 300 },
  {
    name: "one attempt a task",
    query: ["oracle", "nop"].map((agent) => ref("terminal-mix-oracle", `${agent}__terminal-mix`)).join("&"),
    least: 20,
  },
  {
    name: "six long names, all curves alike",
    query: LONG_NAMES.map((job) => ref(job, "orca__meridian-4.5__au-core")).join("&"),
    least: 100,
  },
  {
    name: "six long names at the lower end",
    query: `threshold=2&${LONG_NAMES.map((job) => ref(job, "orca__meridian-4.5__au-core")).join("&")}`,
    least: 100,
  },
];

for (const { name, query, least } of PICTURES) {
  test(`${name}: page and file match the table, and no texts overlap @long`, async ({ page }) => {
    const nRead = await expectPictures(page, query);
    test
      .info()
      .annotations.push({ type: "marks and ends of intervals read back", description: String(nRead) });
    expect(nRead).toBeGreaterThan(least);
  });
}

test("the curves are saved as a picture, twice as large and in the same colours @long", async ({ page }) => {
  const query = TB2.slice(0, 2).join("&");
  await page.goto(`/compare?tab=curves&${query}`);
  const saved = page.waitForEvent("download");
  const curves = page.getByRole("region", { name: "Curves" });
  await curves.locator("summary", { hasText: "Save" }).click();
  await curves.getByRole("button", { name: "PNG" }).click();
  const bytes = readFileSync(await (await saved).path());
  const svg = await (await page.request.get(`/compare/curves.svg?${query}`)).text();
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  // Offset of the size in a PNG.
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([Number(width) * 2, Number(height) * 2]);
  const colours = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0);
      const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const found = new Set<string>();
      for (let at = 0; at < pixels.length; at += 4) {
        found.add(
          [pixels[at], pixels[at + 1], pixels[at + 2]]
            .map((one) => (one ?? 0).toString(16).padStart(2, "0"))
            .join(""),
        );
      }
      return [...found];
    },
    `data:image/png;base64,${bytes.toString("base64")}`,
  );
  const strokes = new Set(
    Array.from(svg.matchAll(/class="curve-line"[^>]* stroke="#(\w+)"/g), ([, colour]) => colour),
  );
  expect(strokes.size).toBeGreaterThan(1);
  for (const colour of strokes) expect(colours).toContain(colour);
});
