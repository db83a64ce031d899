import { writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { BUNDLED_SCANNERS } from "./bundled";
import { prepareScannerSet, readOwnScanners, scanTrialFolder } from "./index";
import { TimedScan } from "./scan-trial";

const HEAD = `id = "became-root"
version = 2
title = "Became root"
meaning = "The agent ran a command as root."
category = "conduct"
severity = "low"
`;
const ROOT = `${HEAD}scope = "steps"

[[when]]
role = "agent"
arguments = '\\bsudo\\b'
not.arguments = '-n true'

[[matches]]
arguments = "sudo ls"

[[misses]]
arguments = "sudo -n true"
`;

const prepare = (...texts: readonly string[]) =>
  prepareScannerSet(texts.map((text, at) => ({ file: `${String(at)}.toml`, text, isOwn: true })));

const scan = async (files: Parameters<typeof makeFolder>[0], ...texts: readonly string[]) => {
  const set = prepare(...texts);
  expect(set.refused).toEqual([]);
  const own = set.scanners.filter(({ isOwn }) => isOwn);
  return (await scanTrialFolder(makeFolder(files), null, own)).results;
};

const bash = (id: number, command: string, output: string) => ({
  step_id: id,
  source: "agent",
  message: "",
  tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command } }],
  observation: { results: [{ source_call_id: "c", content: output }] },
});
const trace = (...steps: readonly object[]) => ({
  "agent/trajectory.json": {
    schema_version: "ATIF-v1.6",
    session_id: "s",
    agent: { name: "orca", version: "1" },
    steps,
  },
});

it("takes every scanner that comes along", () => {
  const { scanners, refused } = prepareScannerSet([]);
  expect(refused).toEqual([]);
  expect(scanners.map(({ file }) => file)).toEqual(BUNDLED_SCANNERS.map(({ file }) => file));
});

it("finds exactly the steps that match all conditions, with the place", async () => {
  const files = trace(
    bash(1, "ls", ""),
    bash(2, "cd /app && sudo make install", "done"),
    bash(3, "sudo -n true", ""),
    { step_id: 4, source: "user", message: "sudo!" },
  );
  expect(await scan(files, ROOT)).toEqual([
    {
      scanner: "became-root",
      version: 2,
      nPlaces: 1,
      stopped: null,
      places: [
        {
          file: "agent/trajectory.json",
          line: null,
          step: "2",
          before: "cd /app && ",
          match: "sudo",
          after: " make install",
        },
      ],
    },
  ]);
});

const REPEATED = ROOT.replace('scope = "steps"', 'scope = "steps"\nrepeats = 3')
  .replace("'\\bsudo\\b'", "'.'")
  .replace(/\[\[matches\]\][\s\S]*/, "").concat(`[[matches]]
steps = [{ arguments = "ls" }, { arguments = "ls" }, { arguments = "ls" }]
[[misses]]
steps = [{ arguments = "ls" }, { arguments = "ls", output = "a" }, { arguments = "ls" }]
`);

it("tells a call that was repeated with the same output from one with another, and looks at the last step alone when asked to", async () => {
  const files = trace(
    bash(1, "make", "no"),
    bash(2, "make", "no"),
    bash(3, "ls", "a"),
    bash(4, "make", "no"),
  );
  const places = (await scan(files, REPEATED)).flatMap((one) => one.places);
  expect(places.map(({ step }) => step)).toEqual(["4"]);
  const atEnd = ROOT.replace('scope = "steps"', 'scope = "steps"\nat_end = true');
  expect(await scan(trace(bash(1, "sudo ls", ""), bash(2, "ls", "")), atEnd)).toEqual([]);
  expect(await scan(trace(bash(1, "ls", ""), bash(2, "sudo ls", "")), atEnd)).toHaveLength(1);
});

const LOGS = `${HEAD}scope = "files"
[[when]]
path = '^verifier/.*\\.txt$'
text = 'refused'
[[matches]]
path = "verifier/a.txt"
text = "connection refused"
[[misses]]
path = "agent/a.txt"
text = "connection refused"
`;

it("looks through files line by line, and names file and line", async () => {
  const files = { "verifier/out.txt": "ok\nconnection refused\n\nrefused", "agent/out.txt": "refused" };
  const [result] = await scan(files, LOGS);
  expect(result?.places.map(({ file, line }) => [file, line])).toEqual([
    ["verifier/out.txt", 2],
    ["verifier/out.txt", 4],
  ]);
});

it.each([
  ["an example that is not found", ROOT.replace('"sudo ls"', '"ls"'), 14, "matches 1 is not found"],
  ["an example that is found", ROOT.replace('"sudo -n true"', '"sudo"'), 17, "misses 1 is found"],
  ["no example", ROOT.replace(/\[\[misses[\s\S]*/, ""), 1, "misses"],
  ["no regular expression", ROOT.replace("'\\bsudo\\b'", "'(sudo'"), 11, "regular expression"],
  [
    "a slow expression",
    ROOT.replace("'\\bsudo\\b'", () => "'^(s|s)*$'").replace('"sudo ls"', `"${"s".repeat(40)}x"`),
    14,
    "too long",
  ],
  ["no TOML", ROOT.replace("version = 2", "version ="), 2, "TOML"],
  ["a key that nobody knows", `colour = "red"\n${ROOT}`, 1, "colour"],
  ["another severity", ROOT.replace('"low"', '"grave"'), 6, "severity"],
  ["an id with a blank", ROOT.replace("became-root", "became root"), 1, "id"],
  ["no text", "", 1, "empty"],
  ["no scope", HEAD, 1, "scope"],
])("refuses a file with %s, with its line", (_, text, line, reason) => {
  const { refused, scanners } = prepare(text);
  expect(refused).toEqual([{ file: "0.toml", line, reason: expect.stringContaining(reason) as string }]);
  expect(scanners.some(({ isOwn }) => isOwn)).toBe(false);
});

it("stops an expression that takes too long on a trial, says so, and runs the others", async () => {
  const slow = ROOT.replace("became-root", "slow").replace("'\\bsudo\\b'", "'^(s|s)*(udo)'");
  const files = trace(bash(1, `${"s".repeat(60)}x`, ""), bash(2, "sudo ls", ""));
  const results = await scan(files, slow, ROOT);
  expect(results.map(({ scanner, nPlaces, stopped }) => [scanner, nPlaces, stopped !== null])).toEqual([
    ["slow", 0, true],
    ["became-root", 1, false],
  ]);
});

it("no scanner that comes along is slow on what an agent may write", () => {
  const { scanners } = prepareScannerSet([]);
  const bits = [
    "a",
    " ",
    "\n",
    "? ",
    "sed -i ",
    "git log ",
    "find ",
    "curl ",
    "please provide ",
    "> ",
    "/tests",
    "cat ",
    "sk-",
    "sh: 1: ",
    "github.com/",
    "*** Update File: ",
  ];
  const texts = bits.map((bit) => bit.repeat(Math.ceil(200_000 / bit.length)));
  const patterns = scanners.flatMap(({ when }) =>
    when.flatMap(({ has, not }) => [...has, ...not].map(([, pattern]) => pattern)),
  );
  const slow = patterns.filter((pattern) => new TimedScan(20_000).match(pattern, texts) === null);
  expect(slow).toEqual([]);
});

it("reads own scanners from the data folder, in the place of those of the same id, and refuses an id twice", () => {
  const data = makeFolder({});
  expect(readOwnScanners(data)).toEqual([]);
  mkdirSync(join(data, "scanners"));
  const own = ROOT.replace("became-root", "tests-edited");
  for (const [name, text] of Object.entries({ "a.toml": own, "b.toml": own, "notes.txt": "" }))
    writeFileSync(join(data, "scanners", name), text);
  const { scanners, refused } = prepareScannerSet(readOwnScanners(data));
  expect(scanners.filter(({ id }) => id === "tests-edited").map(({ file }) => file)).toEqual(["a.toml"]);
  expect(scanners).toHaveLength(BUNDLED_SCANNERS.length);
  expect(refused.map(({ file }) => file)).toEqual(["b.toml"]);
});
