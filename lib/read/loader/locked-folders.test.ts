import { chmodSync, renameSync, symlinkSync } from "node:fs";

import { expect, it, onTestFinished } from "vitest";

import { dropRights, jobFiles, listIssues, makeFolder, readOnlyJob } from "@/lib/testing/folder.fixture";

import { readTrialDerivedDetails } from "./harbor/read-derived-details";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

function lock(path: string): void {
  chmodSync(path, 0);
  onTestFinished(() => chmodSync(path, 0o700));
}

it("a folder that may not be listed is reported alone", () => {
  dropRights();
  const folder = makeFolder({ ...jobFiles("run", { [A]: 1 }), "locked/": null, "run/notes/": null });
  lock(`${folder}/locked`);
  lock(`${folder}/run/notes`);
  expect(listIssues(folder)).toEqual(["folder_unreadable jobs/locked", "folder_unreadable jobs/run/notes"]);
  expect(readOnlyJob(folder).trials).toHaveLength(1);
});

it.each([
  ["by the name that Harbor gives it", A],
  ["that the job's result names", "chosen-by-hand"],
])("a locked folder is an unreadable trial of its job, %s, and never a missing one", async (_, name) => {
  dropRights();
  const folder = makeFolder(jobFiles("run", { [name]: 1, [B]: 0 }));
  lock(`${folder}/run/${name}`);
  const { trials, issues } = readOnlyJob(folder);
  expect(trials.map(({ trialName, outcome }) => `${trialName} ${outcome}`).toSorted()).toEqual(
    [`${name} unreadable`, `${B} failed`].toSorted(),
  );
  const root = { index: 0, label: "jobs", path: folder };
  const found = (await readTrialDerivedDetails(root, `run/${name}`, null)).issues;
  expect([...issues, ...found].map(({ code, path }) => `${code} ${path}`)).toEqual([
    `folder_unreadable jobs/run/${name}`,
  ]);
});

it("a locked folder is a trial behind a link too", () => {
  dropRights();
  const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
  renameSync(`${folder}/run/${A}`, `${folder}/elsewhere`);
  symlinkSync("../elsewhere", `${folder}/run/${A}`);
  lock(`${folder}/elsewhere`);
  expect(readOnlyJob(folder).trials.map(({ outcome }) => outcome)).toEqual(["unreadable", "failed"]);
});
