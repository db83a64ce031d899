import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { findProjectRoot } from "../read/processes/project-root";
import { formatElapsed } from "./progress.mjs";

describe("start", () => {
  it("names the missing folder before it builds anything", () => {
    const entry = join(findProjectRoot(), "lib", "server", "start.ts");
    const run = spawnSync(process.execPath, [entry, "no-such-folder"], {
      cwd: findProjectRoot(),
      encoding: "utf8",
      env: { ...process.env, npm_lifecycle_event: "start", INIT_CWD: "/callers/folder" },
    });
    expect(run.status).toBe(2);
    expect(run.stderr).toBe("Folder /callers/folder/no-such-folder does not exist.\n");
  });
});

describe("elapsed time", () => {
  it.each([
    [400, "0.4 s"],
    [59_940, "59.9 s"],
    [65_000, "1 min 05 s"],
    [119_700, "2 min 00 s"],
  ])("%i ms is %s", (elapsedMs, text) => expect(formatElapsed(elapsedMs)).toBe(text));
});
