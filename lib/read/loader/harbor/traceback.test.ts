import { expect, it } from "vitest";

import { readTraceback } from "./traceback";

const REAL = `Traceback (most recent call last):
  File "/x/harbor/trial/trial.py", line 780, in _run
    await asyncio.wait_for(
    ...<2 lines>...
  File "/x/harbor/agents/base.py", line 9, in _exec
    raise error
`;
const frames = (path: string) =>
  `Traceback (most recent call last):\n  File "${path}", line 3, in f\n    f()\n`;
const AND = "\nDuring handling of the above exception, another exception occurred:\n\n";

it("takes only lines before the message as frames", () => {
  const fake = `${frames("/app/modal/a.py")}ValueError: bad`;
  for (const message of [
    `stdout: run\n${fake}`,
    `stdout: run\n${AND}${fake}`,
    `see  File "/app/modal/a.py", line 3, in f`,
  ]) {
    const read = readTraceback(`${REAL}lib.RuntimeError: ${message}\n`, message);
    expect(read?.frames, message).toContain("_exec");
    expect(read?.frames, message).not.toContain("modal");
  }
});

it("takes the last traceback of a chain, and none that a failed command wrote", () => {
  const chain = `${frames("/x/first.py")}TimeoutError\n${AND}${frames("/x/second.py")}ProcessLookupError\n`;
  expect(readTraceback(chain, "")).toMatchObject({
    frames: expect.stringContaining("second") as string,
    raised: "ProcessLookupError\n",
  });
  const failed = `${REAL}harbor.NonZeroAgentExitCodeError: Command failed (exit 1): run\nstdout: a\n${AND}${frames("/app/modal/a.py")}DaytonaError: gone\n`;
  const read = readTraceback(failed, null);
  expect(read?.frames).not.toContain("modal");
  expect(read?.raised).toMatch(/^harbor\.NonZeroAgentExitCodeError: Command failed/);
});

it("tells nothing of a text that has lost its start, and takes no second traceback where the message is another", () => {
  expect(readTraceback(REAL.slice(10), null)).toBeNull();
  const other = readTraceback(`${REAL}KeyError: a\n${AND}${frames("/app/modal/a.py")}`, "other\ntext");
  expect(other?.frames).toContain("_exec");
  expect(readTraceback("", "")).toBeNull();
});

it("reads any number of lines", () => {
  const long = `Traceback (most recent call last):\n${'  File "x", line 1, in f\n'.repeat(1e6)}KeyError: 1`;
  expect(readTraceback(long, "1")?.raised).toBe("KeyError: \n");
});
