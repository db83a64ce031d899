import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { groupRef } from "@/lib/pages/address/href";
import { parseCompareParams } from "@/lib/pages/compare/address";
import { getSharedIndex } from "@/lib/store/indexer";
import { readHeads } from "@/lib/store/tables";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { getDataset, getDatasetsPage } from "../datasets/list";
import { getStore } from "../shell/catalog";
import { getComparePage } from "./page";

vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));

/** Repeats the attempts of a run under other ids, so that nothing but their results tells that they are copies. */
function repeatRun(from: string, to: string, name: string): void {
  cpSync(from, to, { recursive: true });
  for (const file of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".json")) continue;
    const text = readFileSync(join(to, file), "utf8");
    const other = text.replaceAll(/[0-9a-f](?=[0-9a-f]{7}-[0-9a-f]{4}-)/g, (digit) =>
      digit === "0" ? "1" : "0",
    );
    writeFileSync(join(to, file), other.replaceAll("bench-0000", name));
  }
}

it("offers to count repeats together, but no possible copies", async () => {
  const jobs = makeFolder({});
  writeSyntheticJobs(jobs, { trials: 40, seed: 7, jobs: 2, attempts: 1 });
  repeatRun(join(jobs, "bench-0000"), join(jobs, "bench-0002"), "bench-0002");
  process.env["ASSAY_ROOTS"] = JSON.stringify([jobs]);
  process.env["ASSAY_DATA"] = makeFolder({});
  const index = await getSharedIndex();
  onTestFinished(() => index.close());
  await index.refresh();
  await index.settle();
  const store = await getStore();
  const [row] = (await getDatasetsPage(1)).rows;
  const dataset = await getDataset(row?.id ?? "");
  const heads = await readHeads(store, dataset?.groups.map(({ jobRowId }) => jobRowId) ?? []);
  const suggest = async (...names: readonly string[]) => {
    const runs = names.flatMap((name) => {
      const head = heads.find((job) => job.name === name);
      return head === undefined ? [] : [groupRef(head.key, head.groups[0]?.group.key ?? "")];
    });
    expect(runs).toHaveLength(names.length);
    return (await getComparePage(parseCompareParams({ g: [...runs] }))).suggested;
  };
  expect(await suggest("bench-0000", "bench-0001")).toHaveLength(1);
  expect(await suggest("bench-0000", "bench-0002")).toEqual([]);
});
