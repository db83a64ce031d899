import { join } from "node:path";

import { expect, it } from "vitest";

import { type FolderFiles, makeFolder, readOnlyJob, trialResult } from "@/lib/testing/folder.fixture";

import { readEvaluation } from ".";

const NAME = "drop__aaaaaaa";
const CANCELLED = [
  `Trial ${NAME} cancelled`,
  "Traceback (most recent call last):",
  '  File "/lib/harbor/verifier/verifier.py", line 199, in verify',
  "asyncio.exceptions.CancelledError",
].join("\n");
const DIED =
  'Traceback (most recent call last):\n  File "/tests/grade.py", line 3, in <module>\nKeyError: 1\n';

/** The gate of the verifier of a trial with this reward, and the contract's own value of it. */
async function readGate(reward: number, files: FolderFiles, over: FolderFiles = {}) {
  const own = Object.entries(files).map(([path, content]) => [`run/${NAME}/${path}`, content] as const);
  const folder = makeFolder({
    "run/job.log": "",
    [`run/${NAME}/result.json`]: trialResult(NAME, reward, over),
    [`run/${NAME}/verifier/reward.txt`]: `${reward}\n`,
    ...Object.fromEntries(own),
  });
  const [trial] = readOnlyJob(folder).trials;
  if (trial === undefined) throw new Error("there is no trial");
  const result = await readEvaluation({ trial, path: join(folder, trial.folder), judgments: [] });
  const gate = result.gates.find(({ name }) => name === "verifier_completed");
  return {
    met: gate?.met,
    doubt: gate?.doubt,
    says: result.provenance.verifier_completed.rule,
    stated: (result.evaluation ?? result.partial)?.validity.verifier_completed,
  };
}

it("notes at a reward file that the verifier was cancelled, and leaves the contract's value unchanged", async () => {
  const gate = await readGate(0, { "trial.log": CANCELLED });
  expect(gate).toMatchObject({ met: true, stated: true });
  expect(gate.doubt).toEqual({ place: { file: "trial.log", line: 1 }, says: "the verifier was cancelled" });
  expect(gate.says).toBe("It wrote verifier/reward.txt. But the verifier was cancelled: trial.log, line 1.");
  // For any reward.
  expect((await readGate(1, { "trial.log": CANCELLED })).doubt).not.toBeNull();
});

it("says so of a verifier that died or raised", async () => {
  const died = await readGate(0, { "verifier/test-stdout.txt": DIED });
  expect(died.doubt?.place).toEqual({ file: "verifier/test-stdout.txt", line: 1 });
  const raised = { exception_type: "VerifierTimeoutError", exception_message: "", exception_traceback: "" };
  const late = await readGate(0, {}, { exception_info: raised });
  expect(late.doubt?.says).toBe("the verifier raised VerifierTimeoutError");
});

it("doubts nothing without proof", async () => {
  const timeout = { exception_type: "AgentTimeoutError", exception_message: "", exception_traceback: "" };
  const gates = [
    await readGate(0, { "trial.log": `Trial ${NAME} cancelled` }),
    await readGate(0, {}, { exception_info: timeout }),
    // Output of a passed trial's verifier is not a crash.
    await readGate(1, { "verifier/test-stdout.txt": DIED }),
  ];
  for (const gate of gates) expect(gate).toMatchObject({ met: true, doubt: null });
  for (const { says } of gates) expect(says).toBe("It wrote verifier/reward.txt.");
});
