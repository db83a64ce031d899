import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { formatResumeCommand } from "./resume-command";

test("a shell passes the folder and each type to Harbor unchanged", () => {
  const folder = "/jobs/it's a $(touch x) `y`/2026-04-27__02-11-40";
  const types = ["DaytonaError", "a; rm -rf /", "-p", 'say "hi"', "--plugin=x:Y", "ä\\n"];
  const command = formatResumeCommand(folder, types);
  const script = `harbor() { for one in "$@"; do printf '%s\\n' "$one"; done; }; ${command}`;
  const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n");
  expect(words).toEqual(["jobs", "resume", "-p", folder, ...types.flatMap((type) => ["-f", type])]);
  expect(formatResumeCommand("/jobs/a", ["DaytonaError"])).toBe(
    "harbor jobs resume \\\n  -p /jobs/a \\\n  -f DaytonaError",
  );
});
