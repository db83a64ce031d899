import fc from "fast-check";
import { expect, it } from "vitest";

import type { Signal, SignalKind } from "../signals";
import { clusterOf } from "./cluster-of";
import { joinClusters, type StoredCluster } from "./join-clusters";
import { findPattern, splitPattern } from "./pattern";

const signal = (kind: SignalKind, text: string, step: string | null = null): Signal => ({
  kind,
  text,
  place: { file: "result.json", line: null, step },
});
const TRAITS = { outcome: "failed", taskName: "tar-sparse", failedDimensions: [] } as const;
const keyOf = (kind: SignalKind, text: string, taskName: string = TRAITS.taskName) =>
  clusterOf([signal(kind, text)], { ...TRAITS, taskName }).key;

it("takes out of a text what differs between runs of one failure, and keeps it as values", () => {
  expect(
    findPattern(
      "2026-01-02T03:04:05Z AssertionError: out/disk.img: st_blocks 24 != 16 in 0.31s at 0x7f3a10 of 3f2b9c1d for 'a b'",
    ),
  ).toEqual({
    text: "⟨time⟩ AssertionError: ⟨path⟩: st_blocks ⟨number⟩ != ⟨number⟩ in ⟨number⟩s at ⟨address⟩ of ⟨id⟩ for ⟨text⟩",
    slots: ["2026-01-02T03:04:05Z", "out/disk.img", "24", "16", "0.31", "0x7f3a10", "3f2b9c1d", "a b"],
  });
});

it("keeps what tells failures apart: exit codes, statuses and names of code", () => {
  expect(keyOf("exception", "RuntimeError: Command failed (exit 137)")).not.toBe(
    keyOf("exception", "RuntimeError: Command failed (exit 1)"),
  );
  expect(
    findPattern("Error code: 402 - {'message': 'needs more credits', 'user_id': 'user_2vhXw9P4VIL'}").text,
  ).toBe("Error code: 402 - {'message': 'needs more credits', 'user_id': '⟨id⟩'}");
  expect(findPattern("'NoneType' object has no attribute 'usage'").slots).toEqual([]);
});

it("has as many values as slots for any text, in bounded time and length", () => {
  const hostile = fc.oneof(
    fc.string({ maxLength: 500 }),
    fc
      .array(fc.constantFrom("⟨number⟩", "'", "1", ",", " ", "/", ":", "a1", "__", "{", "-", "\n"), {
        maxLength: 300,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const pattern = findPattern(text);
      expect(splitPattern(pattern.text)).toHaveLength(2 * pattern.slots.length + 1);
      expect(pattern.text.length).toBeLessThan(320);
    }),
  );
  for (const text of [
    "a".repeat(1e6),
    "'".repeat(1e6),
    "a1_".repeat(3e5),
    "/a:1".repeat(3e5),
    "1,".repeat(5e5),
  ]) {
    expect(findPattern(text).text.length).toBeLessThan(320);
  }
});

it("puts an exception into one cluster in all tasks, and a failed test into one of its task", () => {
  const timeout = "AgentTimeoutError: Agent execution timed out after ";
  expect(keyOf("exception", `${timeout}900.0 seconds`)).toBe(
    keyOf("exception", `${timeout}3600 seconds`, "other"),
  );
  expect(keyOf("failed-test", "t.py::test_size: expected 3")).not.toBe(
    keyOf("failed-test", "t.py::test_size: expected 3", "other"),
  );
});

it("chooses what the service said where a command failed, and the assertion where a test only says that it failed", () => {
  const refused = clusterOf(
    [
      signal("exception", "ApiError: Command failed (exit 1): agent -- 'the whole prompt'\nstdout: None"),
      signal("failed-test", "t.py::test_a: expected 1"),
      signal("provider-error", "Trial tar-sparse__aB3dE7x failed: Command failed"),
      signal("provider-error", "Rate limit reached for org-12345678, try again in 20s"),
    ],
    TRAITS,
  );
  expect(refused.pattern).toBe(
    "ApiError: Command failed (exit 1) Rate limit reached for ⟨id⟩, try again in ⟨number⟩s",
  );
  const asserted = clusterOf(
    [
      signal(
        "failed-test",
        "../tests/t.py::test_a: The test failed in the call phase due to an assertion error",
      ),
      signal("verifier-output", "t.py::test_a FAILED     [100%]"),
      signal("verifier-output", "E       AssertionError: 24 != 16"),
    ],
    TRAITS,
  );
  expect(asserted).toMatchObject({
    kind: "failed-test",
    pattern: "test_a: AssertionError: ⟨number⟩ != ⟨number⟩",
    slots: ["24", "16"],
  });
});

it("tells several failed tests by their names and by what the first of them says", () => {
  const tests = (...texts: readonly string[]) =>
    clusterOf(
      texts.map((text) => signal("failed-test", text)),
      TRAITS,
    );
  const missing = tests("t.py::test_b: FileNotFoundError: out/a.json", "t.py::test_a: AssertionErr...");
  expect(missing.pattern).toBe("FileNotFoundError: ⟨path⟩; test_a, test_b");
  expect(tests("../t.py::test_a", "t.py::test_b: FileNotFoundError: out/b.json").key).toBe(missing.key);
  expect(tests("t.py::test_a", "t.py::test_b: AssertionError: 3 rows are missing").key).not.toBe(missing.key);
});

it("takes the last error of a trajectory only where the run ended with it", () => {
  const error = signal("step-error", "exit 127: bash: line 1: pdfinfo: command not found", "7");
  expect(clusterOf([error, signal("end", "I give up.", "7")], TRAITS).pattern).toBe(
    "exit 127: bash: line ⟨number⟩: ⟨command⟩: command not found",
  );
  expect(clusterOf([error, signal("end", "I give up.", "9")], TRAITS).kind).toBe("end");
});

it("tells trials without any signal by their failed dimensions, else by the outcome", () => {
  expect(clusterOf([], { ...TRAITS, failedDimensions: ["speed", "cost"] })).toMatchObject({
    kind: "dimensions",
    pattern: "cost, speed",
    signal: null,
  });
  expect(clusterOf([], TRAITS)).toMatchObject({ kind: "outcome", pattern: "failed" });
});

const stored = (
  key: string,
  pattern: string,
  firstSeenMs: number | null = 1,
  scope = "task",
): StoredCluster => ({ key, kind: "failed-test", scope, pattern, firstSeenMs });
const SAME = [
  stored("b", "test_a: AssertionError: the archive has no manifest", 2),
  stored("a", "test_a: AssertionError: the archive has no manifest file", 3),
  stored("c", "test_a: AssertionError: the archive has no manifest at all", 4),
];

it("joins near-duplicates of one kind and scope to the oldest, in any given order", () => {
  const others = [
    stored("d", "test_b: TypeError: unsupported operand", 1),
    stored("e", "test_a: AssertionError: the archive has no manifest", 1, "other task"),
  ];
  const expected = { a: "b", b: "b", c: "b", d: "d", e: "e" };
  fc.assert(
    fc.property(fc.shuffledSubarray([...SAME, ...others], { minLength: 5 }), (clusters) => {
      expect(Object.fromEntries(joinClusters(clusters, new Set()))).toEqual(expected);
    }),
  );
});

it("never joins a named cluster to another one, old or new", () => {
  const older = stored("z", "test_a: AssertionError: the archive has no manifest in it", 0);
  const named = new Set(["a", "c"]);
  for (const clusters of [SAME, [older, ...SAME]]) {
    const joined = joinClusters(clusters, named);
    expect([joined.get("a"), joined.get("c")]).toEqual(["a", "c"]);
    expect(named).toContain(joined.get("b"));
  }
});

it("joins no two clusters with different codes", () => {
  const failed = (code: number) =>
    stored(String(code), `CommandError: the command failed with exit code ${String(code)}`);
  expect([...new Set(joinClusters([failed(1), failed(137)], new Set()).values())]).toHaveLength(2);
});

it("finds each pair that comparing all pairs finds", () => {
  const names = fc.subarray(["a", "b", "c", "d", "e", "f", "g", "h"], { minLength: 1 });
  fc.assert(
    fc.property(names, names, (a, b) => {
      const isSimilar = a.filter((one) => b.includes(one)).length / new Set([...a, ...b]).size >= 0.6;
      const joined = joinClusters([stored("a", a.join(", "), 1), stored("b", b.join(", "), 2)], new Set());
      expect(joined.get("b")).toBe(isSimilar ? "a" : "b");
    }),
    { numRuns: 300 },
  );
});
