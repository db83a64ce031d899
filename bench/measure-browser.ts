import { type Browser, chromium, type Page } from "@playwright/test";
import { z } from "zod";

import { ensureChromium } from "../lib/server/find-programs.ts";
import { listPageKinds, type PageKind } from "./addresses.ts";
import { startAssay } from "./assay.ts";
import type { DataSet } from "./data-set.ts";
import { requestPage } from "./load.ts";
import { prepareIndexes } from "./measure-index.ts";
import type { PartResult } from "./report.ts";
import { computeSpread, formatFigure, formatSpread } from "./samples.ts";

/** What Chromium said of one visit with an empty cache. */
interface Visit {
  /** Bytes of scripts as they came over the wire, until the load event. */
  readonly scriptBytes: number;
  /** The same a moment later: with what is loaded late, and what is fetched ahead for other pages. */
  readonly allScriptBytes: number;
  readonly lcpMs: number;
  readonly loadMs: number;
  readonly interaction: Interaction | null;
}

interface Interaction {
  /** What was clicked. */
  readonly target: string;
  /** From the click to the next painted frame, as Interaction to Next Paint counts it; steps of 8 ms. */
  readonly nextPaintMs: number;
  /** From the click to the address of the new view; null when the address did not change. */
  readonly newViewMs: number | null;
}

/** The first of these that a page has is its typical click. */
const TARGETS = [
  "main thead a",
  "main thead button",
  "main [role=tab]:not([aria-selected=true])",
  "main nav a:not([aria-current])",
  "main summary",
  "main button:not([disabled])",
  "main a[href^='/']",
] as const;

const AFTER_LOAD_MS = 1_500;
const NEW_VIEW_MS = 5_000;

/** Runs in the page before its own scripts; text, since it is never part of this program. */
const OBSERVER = `
globalThis.assayBench = { lcpMs: 0, nextPaintMs: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) assayBench.lcpMs = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
const noteEvents = (list) => {
  for (const entry of list.getEntries()) {
    if (entry.interactionId > 0 || entry.entryType === "first-input")
      assayBench.nextPaintMs = Math.max(assayBench.nextPaintMs, entry.duration);
  }
};
new PerformanceObserver(noteEvents).observe({ type: "event", durationThreshold: 16, buffered: true });
new PerformanceObserver(noteEvents).observe({ type: "first-input", buffered: true });
`;

const observed = z.object({ lcpMs: z.number(), nextPaintMs: z.number(), loadMs: z.number() });

interface PageVisits {
  readonly set: DataSet;
  readonly kind: PageKind;
  readonly visits: Visit[];
}

/** Scripts, largest paint and a click of every page in Chromium, each visit with an empty cache. */
export async function measureBrowser(sets: readonly DataSet[], runs: number): Promise<PartResult> {
  const failures = (await prepareIndexes(sets)).map((reason) => `index of ${reason}`);
  const pages: PageVisits[] = [];
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ["--no-sandbox"],
  });
  try {
    for (const set of sets) {
      try {
        pages.push(...(await visitPages(browser, set, runs, failures)));
      } catch (error) {
        failures.push(`${set.label}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return {
      tables: [
        {
          title: "In the browser",
          notes: [
            `Chromium ${browser.version()}, headless, 1440 x 900, an empty cache for every visit, the server's code warm. Scripts: ` +
              "kilobytes of 1,000 bytes as transferred, until the load event, and with what came within 1.5 s of it: parts that " +
              "are loaded late, such as charts, and what is fetched ahead for other pages. " +
              "Click: to the next frame (steps of 8 ms), and to the address of the new view.",
          ],
          columns: [
            "page",
            "trials",
            "scripts, kB",
            "scripts with late ones, kB",
            "LCP, ms",
            "load, ms",
            "click, next frame, ms",
            "click, new view, ms",
            "clicked",
          ],
          rows: pages.map(formatVisits),
        },
      ],
      raw: pages.map(({ set, kind, visits }) => ({ set: set.label, page: kind.name, visits })),
      failures,
    };
  } finally {
    await browser.close();
  }
}

async function visitPages(
  browser: Browser,
  set: DataSet,
  runs: number,
  failures: string[],
): Promise<PageVisits[]> {
  const server = await startAssay(set);
  try {
    const pages: PageVisits[] = [];
    for (const kind of listPageKinds(set)) {
      const { status } = await requestPage(new URL(kind.plain, server.url));
      if (status === 200) pages.push({ set, kind, visits: [] });
      else if (kind.name !== "trials list") failures.push(`${set.label}, ${kind.name}: status ${status}`);
    }
    for (let run = 0; run < runs; run += 1) {
      for (const { kind, visits } of pages) {
        try {
          visits.push(await visit(browser, new URL(kind.plain, server.url)));
        } catch (error) {
          failures.push(
            `${set.label}, ${kind.name}: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
    }
    return pages;
  } finally {
    await server.child.stop();
  }
}

async function visit(browser: Browser, url: URL): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    await context.addInitScript(OBSERVER);
    const page = await context.newPage();
    const readScriptBytes = await countScriptBytes(page);
    await page.goto(url.href, { waitUntil: "load", timeout: 60_000 });
    const scriptBytes = readScriptBytes();
    await page.waitForTimeout(AFTER_LOAD_MS);
    const allScriptBytes = readScriptBytes();
    const { lcpMs, loadMs } = await readObserved(page);
    return { scriptBytes, allScriptBytes, lcpMs, loadMs, interaction: await click(page) };
  } finally {
    await context.close();
  }
}

/** Counts what the network brought of scripts, headers included, compressed as it came. */
async function countScriptBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type === "Script" || response.mimeType.includes("javascript")) scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

async function readObserved(page: Page): Promise<z.infer<typeof observed>> {
  return observed.parse(
    await page.evaluate(
      "({ ...assayBench, loadMs: performance.getEntriesByType('navigation')[0].loadEventEnd })",
    ),
  );
}

async function click(page: Page): Promise<Interaction | null> {
  for (const target of TARGETS) {
    const element = page.locator(target).filter({ visible: true }).first();
    if ((await element.count()) === 0) continue;
    const before = page.url();
    const startedAt = performance.now();
    // oxlint-disable-next-line typescript/no-deprecated -- the navigation after the click is awaited and timed below
    await element.click({ timeout: 5_000, noWaitAfter: true });
    const newViewMs = await page
      .waitForURL((url) => url.href !== before, { timeout: NEW_VIEW_MS, waitUntil: "commit" })
      .then(() => performance.now() - startedAt)
      .catch(() => null);
    // Event timings are told some time after the frame.
    await page.waitForTimeout(300);
    const { nextPaintMs } = await readObserved(page);
    return { target, nextPaintMs, newViewMs };
  }
  return null;
}

function formatVisits({ set, kind, visits }: PageVisits): string[] {
  const spread = (read: (one: Visit) => number | null | undefined, scale = 1): string =>
    formatSpread(
      computeSpread(
        visits.flatMap((one) => {
          const value = read(one);
          return value === null || value === undefined ? [] : [value / scale];
        }),
      ),
      formatFigure,
    );
  return [
    kind.name,
    set.label,
    spread((one) => one.scriptBytes, 1000),
    spread((one) => one.allScriptBytes, 1000),
    spread((one) => one.lcpMs),
    spread((one) => one.loadMs),
    spread((one) => one.interaction?.nextPaintMs),
    spread((one) => one.interaction?.newViewMs),
    visits.find(({ interaction }) => interaction !== null)?.interaction?.target ?? "—",
  ];
}
