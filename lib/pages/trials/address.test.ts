import { expect, test } from "vitest";

import { parseTrialParams, trialAddress, trialPageHref } from "../trial/address";
import {
  listUnknownTrialsValues,
  parseTrialsParams,
  readTrialsList,
  readTrialsRequest,
  trialsFileHref,
  trialsListHref,
  trialsPageHref,
  type TrialsParams,
  writeTrialsList,
} from "./address";

/** The list of a trial's page as its address has it, read back. */
function follow(params: Partial<TrialsParams>): TrialsParams | null {
  const href = trialPageHref("j", "t", { tab: "log", list: writeTrialsList(params) });
  const { list } = parseTrialParams(Object.fromEntries(new URL(href, "http://x").searchParams));
  return list === null ? null : readTrialsList(list);
}

const PLAIN = parseTrialsParams({});

test.each<Partial<TrialsParams>>([
  { outcomes: ["failed"] },
  { outcomes: ["failed", "errored"], sort: "cost", descending: false },
  { sort: "task", descending: true },
  { text: "a&b=c#d%20 ü+☃ ?list=q", rewardKey: "tests & style", rewardMin: 0, columns: ["agent", "reward"] },
  { tasks: ["<script>", "a,b"], groups: ["orca__m1__d1"], exceptions: ["", "E"], isDivided: true },
  { judgments: ["none"], verifier: ["suspect"], flips: ["up"], tags: ["x"], figure: "stats.mean" },
  { dimension: "style", family: "web", shareMin: 0.5, shareBelow: 0.75, minutesMax: 3 },
] as const)("a list is followed through the address of a trial: %j", (change) => {
  const params = { ...PLAIN, ...change };
  expect(follow(params)).toMatchObject(params);
});

test("the list of all jobs is followed and named, filtered or not", () => {
  const all = parseTrialsParams({ job: ["a", "b c"], sort: "cost", tab: "nonsense" }, true);
  expect(all).toMatchObject({ tab: "trials", jobs: ["a", "b c"], isOfAllJobs: true });
  for (const params of [all, parseTrialsParams({}, true)]) expect(follow(params)).toEqual(params);
  expect(trialsListHref("j", all, 2, "t")).toBe("/trials?job=a&job=b+c&sort=cost&page=2#trial-j%2Ft");
  expect(trialsFileHref(null, all, "csv")).toBe("/trials.csv?job=a&job=b+c&sort=cost");
  expect(trialsPageHref(null, parseTrialsParams({}, true))).toBe("/trials");
});

test("a file and a queue keep the filter by run set", () => {
  const params = parseTrialsParams({ set: "s1" }, true);
  expect(trialsFileHref(null, params, "csv")).toBe("/trials.csv?set=s1");
  expect(readTrialsRequest("http://x/trials.csv?set=s1", true).runSets).toEqual(["s1"]);
  expect(follow(params)).toEqual(params);
});

test("filters of one job are unknown for all jobs, and vice versa", () => {
  const search = { tag: "x", dim: "style", figure: "f", settings: "split" };
  expect(parseTrialsParams(search, true)).toEqual(parseTrialsParams({}, true));
  expect(listUnknownTrialsValues(search, true)).toEqual(["tag", "figure", "dim", "settings"]);
  expect(listUnknownTrialsValues({ job: "a" })).toEqual(["job"]);
  expect(listUnknownTrialsValues({ outcom: "failed", verdict: "mismatch", page: "2" }, true)).toEqual([
    "outcom",
    "verdict",
  ]);
  expect(parseTrialsParams({ job: "a" }).jobs).toEqual([]);
  for (const name of ["figure", "outcom"])
    expect(() => readTrialsRequest(`http://x/trials.csv?${name}=failed`, true)).toThrow(name);
  expect(() => readTrialsRequest("http://x/jobs/j/trials.csv?outcom=failed")).toThrow("outcom");
});

test("a list is written as a few readable words, and omitted if it is the whole list in its own order", () => {
  const list = writeTrialsList({ ...PLAIN, outcomes: ["failed"], sort: "cost", descending: true });
  expect(list).toBe("outcome=failed&sort=cost");
  expect(trialPageHref("j", "t", { list })).toBe("/jobs/j/trials/t?list=outcome=failed%26sort=cost");
  for (const change of [{}, { page: 7 }, { columns: ["agent"] }, { rewardKey: "style" }, { isDivided: true }])
    expect(writeTrialsList({ ...PLAIN, ...change })).toBeNull();
});

test("values of other parts of a job's page are not part of a list", () => {
  const elsewhere = { ...PLAIN, page: 3, allKeys: true, patterns: ["never"], groupsFrom: 40 } as const;
  expect(writeTrialsList({ ...elsewhere, outcomes: ["failed"] })).toBe("outcome=failed");
});

test("a filter that would fill a page with addresses is not carried along", () => {
  const long = Array.from({ length: 40 }, (_, n) => `task number ${n}`);
  expect(writeTrialsList({ ...PLAIN, tasks: long })).toBeNull();
  expect(readTrialsList(`q=${"a".repeat(100)}&outcome=failed${"&task=x".repeat(40)}`)).toBeNull();
});

test.each([
  "nonsense",
  "outcome=broken",
  "outcome=failed&sort=passed",
  "outcome=failed&min=<b>",
  "outcome=failed&page=zero",
  "%E0%A4%A",
  "\uD800",
  `q=${"a".repeat(400)}`,
  "tab=errors",
  "list=outcome%3Dfailed",
])("an empty or unknown list is ignored and reported once: %j", (list) => {
  expect(parseTrialParams({ list }).list).toBeNull();
  expect(trialAddress.listUnknown({ list })).toEqual(["list"]);
});

test("an absent or empty list is not reported", () => {
  expect(trialAddress.listUnknown({})).toEqual([]);
  expect(trialAddress.listUnknown({ list: "" })).toEqual([]);
});

test("a list written otherwise is read as its own short form", () => {
  const list = "tab=config&foo=1&sort=cost&dir=desc&page=4&outcome=failed#part";
  expect(parseTrialParams({ list }).list).toBe("outcome=failed&sort=cost");
});

test("the back link opens the page and row of the trial", () => {
  const list = readTrialsList("outcome=failed");
  if (list === null) throw new Error("this list is known");
  expect(trialsListHref("j", list, 3, "a b/ü#")).toBe(
    "/jobs/j?tab=trials&outcome=failed&page=3#trial-a%20b%2F%C3%BC%23",
  );
  expect(trialsListHref("j", list, 1, null)).toBe("/jobs/j?tab=trials&outcome=failed");
});
