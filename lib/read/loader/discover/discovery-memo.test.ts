import { expect, it, onTestFinished } from "vitest";

import { jobFiles, makeFolder, writeFiles } from "@/lib/testing/folder.fixture";

import { watchLargeFiles } from "../large-files";
import { discoverJobs } from "./discover";
import { DiscoveryMemo } from "./discovery-memo";
import type { LoadRoot } from "./load-root";

/** A list of objects, larger than what is read without a word. */
const LIST = `[${"{},".repeat(500_000)}{}]`;
const TRIAL = "alpha__aaaaaaa";

/** The results of a search, and the large files that it read. */
function search(root: LoadRoot, memo: DiscoveryMemo) {
  const read: string[] = [];
  watchLargeFiles((file) => file && read.push(file.path.slice(root.path.length + 1)));
  onTestFinished(() => watchLargeFiles(() => undefined));
  const { jobs, issues } = discoverJobs(root, memo);
  return {
    jobs: jobs.map(({ folder }) => folder),
    issues: issues.map(({ code, path }) => [code, path]),
    read,
  };
}

it("a large file that is no result is read once, however often the folders are searched, until it changes", () => {
  const folder = makeFolder({ ...jobFiles("run", { [TRIAL]: 1 }), "other/result.json": LIST });
  const root: LoadRoot = { path: folder, label: "jobs", index: 0 };
  const memo = new DiscoveryMemo();
  const found = { jobs: ["run"], issues: [["result_foreign", "jobs/other/result.json"]] };
  expect(search(root, memo)).toEqual({ ...found, read: ["other/result.json"] });
  expect(search(root, memo)).toEqual({ ...found, read: [] });
  writeFiles(folder, { "other/result.json": `${LIST} ` });
  expect(search(root, memo)).toEqual({ ...found, read: ["other/result.json"] });
  writeFiles(folder, { "other/result.json": `{"id": "x", "stats": {}, "list": ${LIST}` });
  expect(search(root, memo)).toEqual({
    jobs: ["run"],
    issues: [["json_torn", "jobs/other/result.json"]],
    read: ["other/result.json"],
  });
  writeFiles(folder, { "other/result.json": `{"id": "x", "stats": {}, "list": ${LIST}}` });
  expect(search(root, memo)).toEqual({ jobs: ["other", "run"], issues: [], read: ["other/result.json"] });
});
