// Times readers on text that is as slow as possible for them, next to a loop over the same characters. Prints one JSON line of
// milliseconds of processor time. Bundled before it runs.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findTaskFamily } from "@/lib/core/domain/task-family";
import { normalizeReasonCode, validateRewards } from "@/lib/core/scoring";
import { parseRunnerText } from "@/lib/read/loader/detail/test-reports/parse-runner-text";
import { readTrajectory } from "@/lib/read/loader/trace/read-trajectory";
import { findCommonSubsequence } from "@/lib/read/trial-reading/diff/align";

const LENGTH = 500_000;
const ENTRIES = 5_000;

const fill = (piece: string): string => piece.repeat(LENGTH / piece.length);

const HEAD = `========== test session starts ==========\n========== short test summary info ==========\nRunning 1 test using 1 worker\n`;
const RUNNER_PIECES = [
  ...[
    "=",
    "= ",
    "1 passed, ",
    " in ",
    "a::b PASSED [",
    "FAILED [ - ",
    "[ 50%]",
    "\n",
    "\r",
    "\u001b[",
    "\u001b]",
  ],
  ...["  ✓ 1 ›", " (", "()", `${"= ".repeat(1_000)}=\n`, `${"(".repeat(3_000)}\n`],
  ...[`  - 1 a › ${" (".repeat(1_000)}\n`, `${"a".repeat(1_900)}::${" PASSED (".repeat(200)} [ 5%]\n`],
].map((piece) => HEAD + fill(piece));
const REWARDS = [`x${fill(" ")}x`, fill("1"), `${fill("0_")}x`];
const FAMILIES = [`a${fill("_")}b`, `${fill("-1")}x`];

function writeTrajectory(): { readonly folder: string; readonly text: string } {
  const ids = Array.from({ length: 20_000 }, (_, index) => `c${index}`);
  const results = ids.map((id) => ({
    source_call_id: id,
    content: `out ${id}`,
    subagent_trajectory_ref: [{ trajectory_id: id }],
  }));
  const step = {
    ...{ step_id: 1, source: "agent", message: "All at once." },
    tool_calls: ids.map((id) => ({ tool_call_id: id, function_name: "bash", arguments: { command: id } })),
    observation: { results },
  };
  const text = JSON.stringify({ schema_version: "ATIF-v1.4", steps: [step] });
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  mkdirSync(join(folder, "agent"));
  writeFileSync(join(folder, "agent/trajectory.json"), text);
  return { folder, text };
}

const sequences = [4, 4_000].map((kinds) => {
  let state = 1;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state * kinds) / 2 ** 32);
  };
  return [Array.from({ length: ENTRIES }, draw), Array.from({ length: ENTRIES }, draw)] as const;
});

/** Milliseconds of processor time that `work` takes. */
async function time(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function loopOver(texts: readonly string[]): number {
  let sum = 0;
  for (const text of texts) for (let at = 0; at < text.length; at++) sum ^= text.charCodeAt(at);
  return sum;
}

/** One step for each 32 cells of the table of both sequences. */
function loopOverWords(): number {
  let sum = 0;
  for (const [a, b] of sequences) for (let at = 0; at < (a.length * b.length) / 32; at++) sum ^= at;
  return sum;
}

const { folder, text } = writeTrajectory();
const rows = [
  {
    name: "runner text",
    read: () => RUNNER_PIECES.map((piece) => parseRunnerText(piece, { file: "stdout.txt", step: null })),
    loop: () => loopOver(RUNNER_PIECES),
  },
  {
    name: "reward values",
    read: () => REWARDS.map((reward) => validateRewards(new Map([["reward", reward]]))),
    loop: () => loopOver(REWARDS),
  },
  {
    name: "reason codes",
    read: () => REWARDS.map(normalizeReasonCode),
    loop: () => loopOver(REWARDS),
  },
  {
    name: "task families",
    read: () => FAMILIES.map(findTaskFamily),
    loop: () => loopOver(FAMILIES),
  },
  {
    name: "trajectory of 20,000 calls",
    read: () => readTrajectory(folder),
    loop: () => loopOver([text]),
  },
  {
    name: "alignment of 5,000 by 5,000",
    read: () => sequences.map(([a, b]) => findCommonSubsequence(a, b)),
    loop: loopOverWords,
  },
];
const times = [];
for (const { name, read, loop } of rows)
  times.push({ name, readMs: await time(read), bareMs: await time(loop) });
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ times })}\n`);
