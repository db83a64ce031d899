import { chmodSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { dropRights, makeFolder } from "@/lib/testing/folder.fixture";

import { readTrajectory } from "./read-trajectory";

const ATIF = "agent/trajectory.json";
const MIB = 1 << 20;

const trajectory = (message: string, over: object = {}) => ({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1" },
  steps: [{ step_id: 1, source: "agent", message }],
  ...over,
});

const digestOf = async (folder: string) => (await readTrajectory(folder)).digest;
const digestOfFiles = (files: Readonly<Record<string, unknown>>) => digestOf(makeFolder(files));

test("a trajectory's digest covers all its files, regardless of their folder and neighbours", async () => {
  const subagent = {
    observation: {
      results: [{ content: "ok", subagent_trajectory_ref: [{ trajectory_path: "trajectory.sub.json" }] }],
    },
  };
  const main = trajectory("Go.");
  const files = (sub: string) => ({
    [ATIF]: { ...main, steps: main.steps.map((step) => ({ ...step, ...subagent })) },
    "agent/trajectory.sub.json": trajectory(sub),
  });
  const one = await digestOfFiles(files("I help."));
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(await digestOfFiles({ ...files("I help."), "artifacts/answer.txt": "42" })).toBe(one);
  expect(await digestOfFiles(files("I halp."))).not.toBe(one);
  expect(await digestOfFiles({ [ATIF]: main })).not.toBe(one);
});

test("bytes that decode to the same text have digests of their own", async () => {
  const bytes = (byte: number) =>
    Buffer.concat([
      Buffer.from('{"steps":[{"source":"agent","message":"'),
      Buffer.from([byte]),
      Buffer.from('"}]}'),
    ]);
  expect(await digestOfFiles({ [ATIF]: bytes(0xfe) })).not.toBe(await digestOfFiles({ [ATIF]: bytes(0xff) }));
});

test("a trial without a trajectory has the digest of no files, one that cannot be read has none", async () => {
  const none = await digestOfFiles({ "agent/": "", "verifier/reward.txt": "1" });
  expect(none).toBe(await digestOfFiles({ "verifier/": "" }));
  expect(none).not.toBeNull();
  dropRights();
  const folder = makeFolder({ [ATIF]: trajectory("Go.") });
  chmodSync(join(folder, ATIF), 0);
  expect(await digestOf(folder)).toBeNull();
});

test("of a file that is too large the size and the beginning count", async () => {
  const large = (mebibytes: number, beginning = "{") => {
    const folder = makeFolder({ [ATIF]: "" });
    const path = join(folder, ATIF);
    writeFileSync(path, `${beginning}"steps": [`);
    truncateSync(path, mebibytes * MIB);
    utimesSync(path, mebibytes, mebibytes);
    return folder;
  };
  const one = await digestOf(large(97));
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(await digestOf(large(97))).toBe(one);
  expect(await digestOf(large(98))).not.toBe(one);
  expect(await digestOf(large(97, " {"))).not.toBe(one);
});
