import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, onTestFinished } from "vitest";

import { writeReport } from "@/components/report/write-report";
import { runCli } from "@/lib/cli/run-cli";
import { orderByStart, prepareCompareJson } from "@/lib/core/comparison";
import { API_SCHEMAS } from "@/lib/output/api";
import { readReportDocument } from "@/lib/output/report";
import { parseCompareParams, writeRunSet } from "@/lib/pages/compare/address";
import { openIndex } from "@/lib/store/indexer";
import { planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { formatComparisonCsv, makeReport, toCompared } from "./files";
import { findGroups, readChosenGroups } from "./groups";
import { compareGroups, type Comparison } from "./page";

const { numRuns, seed } = planRuns({ short: 1, long: 40 });

async function run(...args: readonly string[]): Promise<string> {
  let stdout = "";
  const sink = { write: () => true, once: () => undefined };
  const code = await runCli(args, {
    stdout: { ...sink, write: (text: string) => ((stdout += text), true) },
    stderr: sink,
    env: {},
  });
  expect(code).toBe(0);
  return stdout;
}

/** The index of some jobs, the command's output for them, and the page of the same groups. */
async function openJobs(jobs: { readonly trials: number; readonly seed: number; readonly jobs: number }) {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const root = join(folder, "jobs");
  writeSyntheticJobs(root, jobs);
  const index = await openIndex({ roots: [root], environment: { ASSAY_DATA: join(folder, "data") } });
  onTestFinished(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await index.refresh();
  await index.settle();
  const html = await run("report", root, "--pool", "numbers");
  const document = readReportDocument(html);
  const { inputs, jobs: named = [] } = document ?? {};
  const refs = (inputs?.groups ?? []).flatMap(({ runs }) =>
    writeRunSet(runs.map(({ job, group }) => `${named[job]?.name ?? ""}:${group}`)),
  );
  const { chosen } = await findGroups(index.store, refs, () => 0);
  const filter = { ...parseCompareParams({}), refs };
  const comparison = compareGroups(await readChosenGroups(index.store, chosen), filter);
  return { root, html, document, comparison, filter, store: index.store };
}

/** The result of a trial that is compared. */
function findResult(root: string, { groups: [group] }: Comparison): string {
  const [trial] = group?.contents[0]?.trials ?? [];
  return join(root, group?.runs[0].job.folder ?? "", trial?.key ?? "", "result.json");
}

const asRecord = (value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
/** As a client reads it. */
const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

it("page, command, report and API agree, to the last byte of the report", async () => {
  const random = new Random(`reports ${String(seed)}`);
  for (let nth = 0; nth < numRuns; nth++) {
    const sizes = { trials: 40 + random.int(0, 60), seed: random.int(1, 1e6), jobs: 2 + (nth % 3) };
    const { root, html, document, comparison, filter, store } = await openJobs(sizes);
    const printed: unknown = JSON.parse(await run("compare", root, "--pool", "numbers", "--json"));
    const api = asJson(prepareCompareJson(toCompared(comparison, filter)));
    expect(document?.comparison, JSON.stringify(sizes)).toEqual(printed);
    expect(API_SCHEMAS.Comparison.parse(api), JSON.stringify(sizes)).toEqual(printed);
    for (const [at, { certainty, curve }] of comparison.groups.entries())
      expect(api).toHaveProperty(
        ["groups", at],
        expect.objectContaining(asRecord({ mean: certainty.mean, pass_curve: curve })),
      );
    for (const [at, { words, comparison: paired }] of comparison.pairs.entries())
      expect(api).toHaveProperty(
        ["pairs", at],
        expect.objectContaining(asRecord({ sentence: words.sentence, comparison: paired })),
      );
    const report = await makeReport(store, comparison, filter);
    expect(report.document.command).toBeNull();
    const command = document?.command ?? null;
    const written = writeReport(
      { ...report, document: { ...report.document, command } },
      renderToStaticMarkup,
    );
    expect(written, JSON.stringify(sizes)).toBe(html);
  }
});

it("writes the name of a saved run set, which the command accepts", async () => {
  const { root, comparison, filter, store } = await openJobs({ trials: 40, seed: 9, jobs: 4 });
  const saved = { id: "s", name: "Before <the> change", isDeleted: false, missing: [] };
  const named = comparison.groups.map((group, at) =>
    at === 0 ? { ...group, saved, givenName: saved.name, label: saved.name } : group,
  );
  const report = await makeReport(store, compareGroups(named, filter), filter);
  const html = writeReport(report, renderToStaticMarkup);
  expect(html).toContain("Before &lt;the&gt; change");
  const file = join(root, "..", "report.html");
  writeFileSync(file, html);
  expect(await run("report", "--check", file, root)).toContain("The report is valid");
});

it("writes no report if files changed", async () => {
  const { root, comparison, filter, store } = await openJobs({ trials: 20, seed: 3, jobs: 2 });
  rmSync(findResult(root, comparison));
  await expect(makeReport(store, comparison, filter)).rejects.toThrow("changed since they were read");
});

it("writes no report that mixes two sets of rules, and says why a job has no classes", async () => {
  const { comparison, filter, store } = await openJobs({ trials: 20, seed: 5, jobs: 2 });
  const [{ rowId, name } = { rowId: 0, name: "" }] = comparison.groups.flatMap(({ runs }) =>
    runs.map(({ job }) => job),
  );
  const setRules = async (failureRules: string) => {
    await store.db.updateTable("jobs").set({ failureRules }).where("id", "=", rowId).execute();
  };
  const { failureRules } = await store.db.selectFrom("jobs").select("failureRules").executeTakeFirstOrThrow();
  await setRules("");
  await expect(makeReport(store, comparison, filter)).rejects.toThrow(`${name} are still being classified`);
  await setRules("others");
  await expect(makeReport(store, comparison, filter)).rejects.toThrow("still being classified");
  await setRules(failureRules);
  expect((await makeReport(store, comparison, filter)).document.rules).toBe(failureRules);
  const unknown = comparison.groups.map((group) => ({
    ...group,
    trials: group.trials.map((trial) => ({ ...trial, exclusion: "unknown" as const })),
  }));
  const issue = {
    root: 0,
    position: 0,
    origin: "failures",
    code: "classifying_failed",
    isProblem: 1,
  } as const;
  const texts = { path: "", detail: "It took too long.", search: "", trialKey: null, file: null };
  await store.db
    .insertInto("issues")
    .values({ jobRowId: rowId, ...issue, ...texts })
    .execute();
  await expect(makeReport(store, { ...comparison, groups: unknown }, filter)).rejects.toThrow(
    `${name} could not be classified, and the report requires it. It took too long.`,
  );
});

it("tells a change that changes no figure by the hash of its file alone", async () => {
  const { root, document, comparison, filter, store } = await openJobs({ trials: 20, seed: 4, jobs: 2 });
  appendFileSync(findResult(root, comparison), "\n");
  const now = (await makeReport(store, comparison, filter)).document;
  expect(now.comparison).toEqual(document?.comparison);
  expect(now.jobs).not.toEqual(document?.jobs);
});

it("subtracts the older run in every output, in any order of the runs", async () => {
  const { root, store } = await openJobs({ trials: 80, seed: 5, jobs: 2 });
  const folders = [join(root, "bench-0001"), join(root, "bench-0000")];
  const printed = API_SCHEMAS.Comparison.parse(JSON.parse(await run("compare", ...folders, "--json")));
  const text = await run("compare", ...folders);
  const html = await run("report", ...folders);
  const named = printed.groups.flatMap(({ runs }) => runs.map(({ job, group }) => `${job}:${group}`));
  // The newer job first.
  const refs = [...named.slice(2), ...named.slice(0, 2)];
  const { chosen } = await findGroups(store, refs, () => 0);
  const filter = { ...parseCompareParams({}), refs };
  const page = compareGroups(await readChosenGroups(store, orderByStart(chosen)), filter);
  const outputs = [
    printed,
    API_SCHEMAS.Comparison.parse(JSON.parse(JSON.stringify(prepareCompareJson(toCompared(page, filter))))),
    API_SCHEMAS.Comparison.parse(readReportDocument(html)?.comparison),
  ];
  const csv = formatComparisonCsv(page, filter);
  expect(page.pairs.length).toBe(3);
  for (const { first, second, words, comparison } of page.pairs) {
    expect(second.runs[0].job.name).toBe("bench-0000");
    if (comparison.kind === "unavailable") throw new Error("Nothing to compare.");
    const { meanFirst, meanSecond, difference } = comparison;
    expect(difference).toBeCloseTo(meanFirst - meanSecond, 12);
    const found = outputs.flatMap(({ pairs }) =>
      pairs.filter((one) => one.first === first.label && one.second === second.label),
    );
    expect(found).toHaveLength(outputs.length);
    for (const one of found) {
      expect(one.sentence).toBe(words.sentence);
      expect(one.comparison).toMatchObject({ difference });
    }
    const row = text
      .split("\n")
      .find((line) => line.startsWith(first.label) && line.includes(words.difference ?? ""));
    expect(row?.indexOf(second.label, first.label.length)).toBeGreaterThan(0);
    for (const output of [text, html]) expect(output).toContain(words.sentence);
    expect(html).toContain(words.difference);
    expect(csv).toContain(`${second.runs[0].job.name}: ${second.runs[0].group.key}`);
  }
});
