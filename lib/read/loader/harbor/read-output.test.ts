import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, it } from "vitest";

import { EMPTY_DIGEST } from "@/lib/core/domain/verifier-check";
import { makeFolder, writeFiles } from "@/lib/testing/folder.fixture";

import { readOutput } from "./read-output";
import { findVerifierCrash } from "./trial-log";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const rootOf = (path: string) => ({ index: 0, label: "jobs", path });
const outputOf = (folder: string, steps: readonly string[] = []) => readOutput(rootOf(folder), "t", steps);
const MANIFEST = "t/artifacts/manifest.json";
const listed = (destination: string, status = "ok") => ({
  source: "/x",
  destination,
  type: "directory",
  status,
});

it("of a trial is the first of its output files, byte for byte, an empty one too", () => {
  const folder = makeFolder({
    "t/agent/output.jsonl": "{}\n",
    "t/artifacts/agent/output.md": "other",
  });
  expect(outputOf(folder)).toEqual({ kind: "known", digest: sha("{}\n"), path: "agent/output.jsonl" });
  writeFiles(folder, { "t/agent/output.md": "" });
  expect(outputOf(folder)).toEqual({ kind: "known", digest: sha(""), path: "agent/output.md" });
  expect(EMPTY_DIGEST).toBe(sha(""));
});

it("of a trial without such a file is what its manifest lists: names and contents, logs left out", () => {
  const files = {
    [MANIFEST]: [listed("artifacts/out"), listed("artifacts/none", "empty")],
    "t/artifacts/out/b.txt": "b",
    "t/artifacts/out/deep/a.txt": "a",
    "t/artifacts/out/run.log": "took 3 s",
    "t/artifacts/unlisted.txt": "x",
  };
  const first = outputOf(makeFolder(files));
  const second = outputOf(
    makeFolder({ ...files, "t/artifacts/out/run.log": "took 4 s", "t/artifacts/unlisted.txt": "y" }),
  );
  expect(first).toMatchObject({ kind: "known", path: "artifacts" });
  expect(second).toEqual(first);
  expect(outputOf(makeFolder({ ...files, "t/artifacts/out/b.txt": "c" }))).not.toEqual(first);
  const { "t/artifacts/out/b.txt": b, ...moved } = files;
  expect(outputOf(makeFolder({ ...moved, "t/artifacts/out/c.txt": b }))).not.toEqual(first);
});

it("of a multi-step trial is that of all its steps", () => {
  const files = { "t/steps/one/agent/output.md": "1", "t/steps/two/agent/output.md": "2" };
  const first = outputOf(makeFolder(files), ["one", "two"]);
  expect(first).toMatchObject({ kind: "known", path: "steps" });
  const other = { ...files, "t/steps/two/agent/output.md": "3" };
  expect(outputOf(makeFolder(other), ["one", "two"])).not.toEqual(first);
});

it("is unknown, with the reason, where nothing, too much or nothing readable was left", () => {
  const reasonOf = (files: Readonly<Record<string, unknown>>) => {
    const output = outputOf(makeFolder(files));
    return output.kind === "unknown" ? output.reason : output;
  };
  expect(reasonOf({ "t/result.json": {} })).toBe("none");
  expect(reasonOf({ [MANIFEST]: [listed("artifacts/logs/artifacts", "empty")] })).toBe("none");
  expect(reasonOf({ [MANIFEST]: [listed("artifacts/x", "failed")] })).toBe("unreadable");
  expect(reasonOf({ [MANIFEST]: "[{" })).toBe("unreadable");
  expect(reasonOf({ [MANIFEST]: [listed("artifacts/../../other/result.json")] })).toBe("unreadable");
  expect(reasonOf({ "t/agent/output.md/x": "" })).toBe("unreadable");
  const large = makeFolder({ "t/agent/output.md": "" });
  truncateSync(join(large, "t/agent/output.md"), (64 << 20) + 1);
  expect(outputOf(large)).toEqual({ kind: "unknown", reason: "too_large" });
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`t/artifacts/o/${at}`, ""]));
  expect(reasonOf({ ...many, [MANIFEST]: [listed("artifacts/o")] })).toBe("too_large");
});

it("is unknown, and not none, where the artifacts lie behind a link", () => {
  const folder = makeFolder({ "shared/manifest.json": [listed("artifacts/out.txt")], "shared/out.txt": "x" });
  mkdirSync(join(folder, "t"));
  symlinkSync(join(folder, "shared"), join(folder, "t/artifacts"));
  expect(outputOf(folder)).toEqual({ kind: "unknown", reason: "unreadable" });
});

it("is never read through a link out of the opened folder; links among artifacts count by where they point", () => {
  const outside = makeFolder({ "secret/output.md": "secret", "secret/x": "y" }, "outside");
  const folder = makeFolder({ "t/result.json": {} });
  symlinkSync(join(outside, "secret"), join(folder, "t/agent"));
  expect(outputOf(folder)).toEqual({ kind: "unknown", reason: "none" });
  const file = makeFolder({ "t/agent/": "" });
  symlinkSync(join(outside, "secret/output.md"), join(file, "t/agent/output.md"));
  expect(outputOf(file)).toEqual({ kind: "unknown", reason: "unreadable" });
  const linked = (target: string) => {
    const made = makeFolder({ [MANIFEST]: [listed("artifacts/o")], "t/artifacts/o/a": "a" });
    symlinkSync(target, join(made, "t/artifacts/o/link"));
    return outputOf(made);
  };
  expect(linked(outside)).toMatchObject({ kind: "known" });
  expect(linked(join(outside, "secret"))).not.toEqual(linked(outside));
});

const CRASH = `Traceback (most recent call last):\n  File "/tests/verify.py", line 4, in <module>\nKeyError: 'x'\n`;
const crashOf = (files: Readonly<Record<string, unknown>>, steps: readonly string[] = []) =>
  findVerifierCrash(rootOf(makeFolder(files)), "t", steps);

it("a crash is found in any log of a verifier, of a step too, at its line however long the log is", () => {
  expect(crashOf({ "t/verifier/test-stderr.txt": `\u001b[31mgo\u001b[0m\n${CRASH}` })).toEqual({
    file: "verifier/test-stderr.txt",
    line: 2,
  });
  expect(crashOf({ "t/steps/build/verifier/run.log": CRASH }, ["build"])).toEqual({
    file: "steps/build/verifier/run.log",
    line: 1,
  });
  const long = "a line of a log\n".repeat(50_000);
  expect(crashOf({ "t/verifier/test-stdout.txt": long + CRASH })?.line).toBe(50_001);
});

it("tests that ran to their end explain a 0, wherever they said so", () => {
  const stderr = { "t/verifier/test-stderr.txt": CRASH };
  expect(crashOf({ ...stderr, "t/verifier/test-stdout.txt": "=== 2 failed in 0.1s ===\n" })).toBeNull();
  expect(crashOf({ ...stderr, "t/verifier/test-stdout.txt": "=== 2 passed in 0.1s ===\n" })).not.toBeNull();
  expect(crashOf({ ...stderr, "t/verifier/ctrf.json": {} })).toBeNull();
});

it("a log that leads out of the opened folder is not read", () => {
  const outside = makeFolder({ "log.txt": CRASH }, "outside");
  const folder = makeFolder({ "t/verifier/": "" });
  const path = join(folder, "t/verifier/test-stdout.txt");
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(outside, "log.txt"), path);
  expect(findVerifierCrash(rootOf(folder), "t", [])).toBeNull();
  writeFileSync(join(folder, "t/verifier/own.txt"), CRASH);
  expect(findVerifierCrash(rootOf(folder), "t", [])?.file).toBe("verifier/own.txt");
});
