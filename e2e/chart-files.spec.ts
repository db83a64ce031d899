import { readFileSync } from "node:fs";

import type { Download, Locator, Page } from "@playwright/test";

import { expect, test } from "./fixtures/app";

const JOB = "/jobs/voltage-drop-aec?tab=dimensions";

async function save(page: Page, chart: Locator, what: "SVG" | "PNG" | "CSV"): Promise<string | Buffer> {
  const menu = chart.locator("details.chart-menu").first();
  if ((await menu.getAttribute("open")) === null) await menu.locator("summary").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    menu.getByText(what, { exact: true }).click(),
  ]);
  return what === "PNG" ? readFileSync(await file.path()) : readText(file);
}

async function readText(file: Download): Promise<string> {
  return readFileSync(await file.path(), "utf8");
}

/** Positions of a drawing's markers, from its left edge and from the first marker. */
function listMarkers(page: Page, svg: string | null, selector: string) {
  return page.evaluate(
    ([markup, wanted]) => {
      const host = document.createElement("div");
      if (markup !== null) {
        host.innerHTML = markup;
        document.body.append(host);
      }
      const within = markup === null ? document.querySelector("[data-chart]") : host;
      const boxes = [...(within?.querySelectorAll(wanted) ?? [])].map((one) => one.getBoundingClientRect());
      const [first] = boxes;
      host.remove();
      return boxes
        .map((box) => [Math.round(box.x - (first?.x ?? 0)), Math.round(box.y - (first?.y ?? 0))] as const)
        .map(([x, y]) => `${x} ${y}`);
    },
    [svg, selector] as const,
  );
}

test("the picture of the dimensions matches the page", async ({ page }) => {
  await page.goto(JOB);
  const chart = page.getByRole("region", { name: "Dimensions, worst first" });
  const svg = String(await save(page, chart, "SVG"));
  await page.keyboard.press("Escape");
  // Agent marks are paths on their own grid, with a marker's transform only.
  const drawn = await listMarkers(page, null, "table svg.share-row g[transform^='scale'] > path:first-child");
  expect(drawn.length).toBeGreaterThan(20);
  const markup = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    if (parsed.querySelector("parsererror") !== null) throw new Error("not well-formed");
    return new XMLSerializer().serializeToString(parsed);
  }, svg);
  const kept = await listMarkers(
    page,
    markup,
    "svg[aria-label*='interval'] g[transform^='scale'] > path:first-child",
  );
  expect(kept).toEqual(drawn);
  for (const name of await chart.locator("table .dimension-name").allInnerTexts())
    expect(svg).toContain(`>${name}<`);
  expect(svg).not.toContain("var(--");
});

test("the CSV of the dimensions equals the table @long", async ({ page }) => {
  await page.goto(JOB);
  const chart = page.getByRole("region", { name: "Dimensions, worst first" });
  const lines = String(await save(page, chart, "CSV"))
    .trim()
    .split("\r\n");
  const [head = "", ...rows] = lines.map((line) => line.split(","));
  const at = (name: string) => head.indexOf(name);
  const table = chart.getByRole("table", { name: "Dimensions, worst first" });
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows.slice(0, 12)) {
    const line = table.getByRole("row").filter({
      has: page.getByRole("rowheader", {
        name: row[at("dimension")] ?? "",
        exact: row[at("kind")] === "dimension",
      }),
    });
    const [agent, mean] = [row[at("agent")] ?? "", Number(row[at("mean")])];
    const cell = line
      .first()
      .getByTitle(new RegExp(`^${mean.toFixed(3)}.*, ${row[at("n")] ?? ""} trial`, "u"));
    await expect(cell.first(), agent).toHaveText(mean.toFixed(2));
  }
});

test("scores against cost have a chart and a table, and the URL selects the axis @long", async ({
  page,
  assay,
}) => {
  const jobs = JSON.parse(await (await page.request.get(`${assay.url}/jobs.json`)).text()) as {
    readonly jobs: readonly { readonly job_key: string; readonly evals_group: string }[];
  };
  const refs = jobs.jobs
    .filter(({ job_key: key }) => key === "voltage-drop-aec")
    .map(({ job_key: key, evals_group: group }) => `g=${encodeURIComponent(`${key}:${group}`)}`);
  await page.goto(`/compare?${refs.join("&")}&tab=cost`);
  const chart = page.getByRole("region", { name: "Score and cost" });
  await expect(chart.getByRole("img", { name: /Score against cost/ })).toBeVisible();
  const png = await save(page, chart, "PNG");
  expect(Buffer.isBuffer(png) && png.subarray(1, 4).toString()).toBe("PNG");
  const csv = String(await save(page, chart, "CSV"))
    .trim()
    .split("\r\n");
  expect(csv).toHaveLength(refs.length + 1);
  const cost = Number(csv[1]?.split(",")[4]);
  const table = chart.getByRole("table");
  await expect(table.getByRole("row").nth(1)).toContainText(cost.toFixed(2));
  await page.keyboard.press("Escape");
  await chart.getByRole("link", { name: "Time" }).click();
  await expect(page).toHaveURL(/spent=time/);
  await expect(chart.getByRole("columnheader", { name: "Time per attempt" })).toBeVisible();
});

/** Painted share of each quarter of a marker's box in a PNG, and the colour of the PNG's corner. */
function examine(page: Page, png: string, box: { x: number; y: number; width: number; height: number }) {
  return page.evaluate(
    async ([source, at]) => {
      const bytes = Uint8Array.from(atob(source), (sign) => sign.codePointAt(0) ?? 0);
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.drawImage(image, 0, 0);
      const read = (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data].join(" ");
      const paper = read(0, 0);
      const quarters = [0, 0, 0, 0];
      for (let x = 0; x < at.width; x++)
        for (let y = 0; y < at.height; y++) {
          const quarter = (x < at.width / 2 ? 0 : 1) + (y < at.height / 2 ? 0 : 2);
          if (read(at.x + x, at.y + y) !== paper) quarters[quarter] = (quarters[quarter] ?? 0) + 1;
        }
      return { paper, quarters };
    },
    [png, box] as const,
  );
}

for (const theme of ["light", "dark"] as const) {
  test(`the copied picture is a PNG of the ${theme} chart with whole markers @long`, async ({
    page,
    context,
    assay,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: assay.url });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto("/tasks/hmac-log-audit?dataset=terminal-mix");
    const chart = page.getByRole("region", { name: "What attempts took", exact: true }).first();
    const menu = chart.locator("details.chart-menu");
    await menu.locator("summary").click();
    await menu.getByText("Copy image").click();
    await expect(menu.getByRole("status")).toHaveText("Copied");
    const png = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const blob = await item?.getType("image/png");
      const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""));
    });
    expect(Buffer.from(png, "base64").subarray(1, 4).toString()).toBe("PNG");
    // The marker furthest from the others, by page position; a picture is twice as large, with a margin.
    const box = await chart.evaluate((region) => {
      const frame = region.getBoundingClientRect();
      const marks = [...region.querySelectorAll(".plane-mark .agent-shape")].map((mark) =>
        mark.getBoundingClientRect(),
      );
      const last = marks.toSorted((a, b) => b.x - a.x)[0] ?? frame;
      const [x, y] = [2 * (last.x - frame.x + 16), 2 * (last.y - frame.y + 16)];
      return { x: Math.round(x), y: Math.round(y), width: 2 * last.width, height: 2 * last.height };
    });
    const { paper, quarters } = await examine(page, png, {
      ...box,
      width: Math.round(box.width),
      height: Math.round(box.height),
    });
    const [red = 0] = paper.split(" ").map(Number);
    expect(red < 128).toBe(theme === "dark");
    for (const painted of quarters) expect(painted).toBeGreaterThan(20);
  });
}

test("texts of a picture are as wide as on the page, in any font @long", async ({ page }) => {
  await page.goto(JOB);
  const chart = page.getByRole("region", { name: "Dimensions, worst first" });
  const svg = String(await save(page, chart, "SVG"));
  const overlaps = await page.evaluate((markup) => {
    const host = document.createElement("div");
    host.style.fontFamily = "monospace";
    host.innerHTML = markup.replaceAll(/font-family="[^"]*"/g, 'font-family="monospace"');
    document.body.append(host);
    const boxes = [...host.querySelectorAll("svg > g > text")].map((text) => text.getBoundingClientRect());
    host.remove();
    return boxes.filter((box, at) =>
      boxes.some(
        (other, nth) =>
          nth > at && Math.abs(other.y - box.y) < 2 && other.x < box.right - 2 && box.x < other.right - 2,
      ),
    ).length;
  }, svg);
  expect(overlaps).toBe(0);
});
