import { realpathSync, symlinkSync } from "node:fs";

import { expect, it } from "vitest";

import { prepareRoots } from "@/lib/read/catalog";
import { makeFolder, readOnlyJob, writeFiles } from "@/lib/testing/folder.fixture";

import { readLedgerDetails } from "./ledger-details";
import { FIRST, firstRecord, MANIFEST, SECOND, WRITTEN } from "./ledger.fixture";

async function readDetails(folder: string, file: string) {
  const trial = readOnlyJob(folder).trials.find((one) => one.folder === file);
  if (trial === undefined) throw new Error(`no trial of ${file}`);
  return readLedgerDetails({ index: 0, label: "jobs", path: realpathSync(folder) }, trial);
}

it("lists a record with everything that is about its trial, and nothing else", async () => {
  const { entries, named, issues } = await readDetails(makeFolder(WRITTEN), SECOND);
  expect(entries.filter(({ kind }) => kind === "file").map(({ path }) => path)).toEqual([
    "feedback/adjudications/trial-001/decision-1.json",
    "feedback/annotations/trial-001/a0.json",
    "feedback/annotations/trial-001/a1.json",
    "ledger/experiment-001/_annotations/trial-001.json",
    MANIFEST,
    SECOND,
  ]);
  expect(entries[0]).toEqual({ path: "feedback", kind: "folder", sizeBytes: null, depth: 0 });
  expect(named).toMatchObject([{ name: "output", path: "/workspace/output.jsonl", file: null }]);
  expect(named[0]?.problem).toContain("outside the opened folder");
  expect(issues).toEqual([]);
});

it("opens files that a record names where they lie in the opened folder, and no others", async () => {
  const folder = makeFolder({ "runs/out.md": "x", "ledger/experiment-001/beside.md": "y" });
  const elsewhere = makeFolder({ "secret.md": "z" });
  symlinkSync(`${elsewhere}/secret.md`, `${folder}/linked.md`);
  const name = async (path: string) => {
    const outputs = { agent_output: null, raw_output_path: path };
    writeFiles(folder, { [FIRST]: firstRecord({ outputs }) });
    const { named } = await readDetails(folder, FIRST);
    return named[0]?.file ?? named[0]?.problem;
  };
  expect(await name("runs/out.md")).toBe("runs/out.md");
  expect(await name("beside.md")).toBe("ledger/experiment-001/beside.md");
  expect(await name(`${realpathSync(folder)}/runs/out.md`)).toBe("runs/out.md");
  expect(await name("runs/gone.md")).toBe("It is not in the opened folder.");
  expect(await name("runs")).toBe("It is not in the opened folder.");
  expect(await name("linked.md")).toBe("It is not in the opened folder.");
  expect(await name("../../../secret.md")).toContain("outside the opened folder");
  expect(await name(`${elsewhere}/secret.md`)).toContain("outside the opened folder");
  expect(await name(`${realpathSync(folder)}/../x`)).toContain("outside the opened folder");
});

it("opens nothing that a record names in a folder inside of this one that is opened as well", async () => {
  const folder = makeFolder({ "runs/out.md": "x", "inner/job/result.json": "secret" });
  symlinkSync("../inner/job/result.json", `${folder}/runs/linked.md`);
  const name = async (path: string) => {
    const outputs = { agent_output: { output_path: path }, raw_output_path: null };
    writeFiles(folder, { [FIRST]: firstRecord({ outputs }) });
    const [trial] = readOnlyJob(folder).trials.filter((one) => one.folder === FIRST);
    const [root] = prepareRoots([folder, `${folder}/inner`]);
    if (trial === undefined || root === undefined) throw new Error("no trial");
    const { named, entries } = await readLedgerDetails(root, trial);
    expect(entries.filter((entry) => entry.path.startsWith("inner"))).toEqual([]);
    return named[0]?.file;
  };
  expect(await name("runs/out.md")).toBe("runs/out.md");
  for (const path of [
    "inner/job/result.json",
    `${realpathSync(folder)}/inner/job/result.json`,
    "runs/linked.md",
  ])
    expect(await name(path), path).toBeNull();
});
