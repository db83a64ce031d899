import { expect, it } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { findCancelledVerifier, markCommands } from "./trial-log";

/** The lines of a log that are no text of a command. */
function readOwn(log: string, isWhole = true): readonly string[] {
  const texts = log.split("\n");
  const commands = markCommands({ texts, isWhole });
  return texts.filter((text, at) => commands[at] !== true && text !== "");
}

it("belong to a command up to the line that ends it, with any quotes, heredocs and further lines", () => {
  const log = `Building
Running command: claude --print -- 'Fix the error.
Running command: no such thing
It can'"'"'t be "refused
' 2>&1 | tee out.txt
Command outputs captured
Running command: cat >auth <<EOF
don't fail
EOF
ln -sf auth "$HOME/error"
Command failed
Running command: mkdir a \\
  && echo error
Wrote the trajectory: error
`;
  expect(readOwn(log)).toEqual([
    "Building",
    "Command outputs captured",
    "Command failed",
    "Wrote the trajectory: error",
  ]);
});

it("end with their quotes where the time ran out before they did", () => {
  const log =
    "Running command: codex -- 'Fix the error.\n\nIt fails.\n' </dev/null\nFailed to download logs\n";
  expect(readOwn(log)).toEqual(["Failed to download logs"]);
});

it("are all lines before an end in a cut log, and before the next one if quotes stay open", () => {
  const log = "an error in 'the task\nCommand failed\nReal error\n";
  expect(readOwn(log, false)).toEqual(["Command failed", "Real error"]);
  expect(readOwn(log)).toContain("an error in 'the task");
  const open = "Running command: a 'b\nerror\nRunning command: c\nerror\nCommand failed\nReal error";
  expect(readOwn(open)).toEqual(["Command failed", "Real error"]);
});

it("read each line a few times at most", () => {
  const texts = Array.from({ length: 2_000 }, () => "Running command: 'a << \\");
  const odd = Array.from({ length: 2_001 }, (_, at) => `Running command: ${"'".repeat(at === 0 ? 1 : 2)}`);
  for (const lines of [texts, odd]) {
    let nReads = 0;
    const counted = new Proxy(lines, {
      get: (target, key, self): unknown => {
        nReads += 1;
        return Reflect.get(target, key, self);
      },
    });
    markCommands({ texts: counted, isWhole: false });
    expect(nReads / lines.length).toBeLessThan(20);
  }
});

const FRAMES = [
  "Traceback (most recent call last):",
  '  File "/lib/harbor/trial/single_step.py", line 52, in _run',
  "    await self._run_verifier()",
  '  File "/lib/harbor/verifier/verifier.py", line 199, in verify',
  "    await self.environment.exec(",
  "asyncio.exceptions.CancelledError",
].join("\n");
const CANCELLED = "Collecting artifacts\nTrial a__b cancelled\n";
const SKIPPED = "Skipping exception record because trial already has exception_info\n";

function find(files: Parameters<typeof makeFolder>[0]) {
  const found = findCancelledVerifier({ index: 0, label: "", path: makeFolder(files) }, "t");
  return found?.place ?? null;
}

it("says that a verifier was cancelled where the traceback of the cancelling goes through it", () => {
  const place = { file: "trial.log", line: 2 };
  expect(find({ "t/trial.log": CANCELLED + SKIPPED + FRAMES })).toEqual(place);
  // If the trial had no earlier exception, its own file has the traceback.
  expect(find({ "t/trial.log": CANCELLED, "t/exception.txt": FRAMES })).toEqual(place);
  expect(find({ "t/trial.log": CANCELLED })).toBeNull();
  const agent = FRAMES.replaceAll("/verifier/verifier.py", "/agents/base.py");
  expect(find({ "t/trial.log": CANCELLED + SKIPPED + agent })).toBeNull();
  // An agent's timeout has other words.
  expect(find({ "t/trial.log": `Trial a__b failed\n${FRAMES}` })).toBeNull();
  const quoted = `Running command: agent -- '\n${CANCELLED}${FRAMES}\n'\nCommand failed\n`;
  expect(find({ "t/trial.log": quoted })).toBeNull();
});
