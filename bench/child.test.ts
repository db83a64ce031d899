import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { runChild, startChild } from "./child";

/** A process that starts another one, says its id, and waits. */
const WITH_CHILD = `
const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
console.log("child " + child.pid);
setInterval(() => {}, 1000);
`;

/** A zombie has ended and only waits for its parent to collect it. */
function isAlive(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [^Z]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("child", () => {
  it.runIf(process.platform === "linux")("ends with everything it started", async () => {
    const child = startChild(process.execPath, ["-e", WITH_CHILD]);
    const [, pid = ""] = await child.waitFor(/child (\d+)/, 30_000);
    expect(isAlive(Number(pid))).toBe(true);
    await child.stop();
    await expect.poll(() => isAlive(Number(pid)), { timeout: 10_000 }).toBe(false);
  });

  it("says how it ended, and what is wrong when an awaited line never comes", async () => {
    const { code, stdout } = await runChild(process.execPath, [
      "-e",
      "console.log(6 * 7); process.exitCode = 3",
    ]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "42\n" });
    const child = startChild(process.execPath, ["-e", "console.error('no port'); process.exitCode = 4"]);
    await expect(child.waitFor(/Assay is at/, 30_000)).rejects.toThrow("ended with 4: no port");
  });

  it("is killed when it takes too long", async () => {
    const { code } = await runChild(process.execPath, ["-e", "setInterval(() => {}, 1000)"], 200);
    expect(code).not.toBe(0);
  });

  it.runIf(process.platform === "linux")("knows the highest memory, and not the last", async () => {
    const script = "Buffer.alloc(150e6, 1); setTimeout(() => {}, 200)";
    const { peakBytes } = await runChild(process.execPath, ["-e", script]);
    expect(peakBytes).toBeGreaterThan(150e6);
  });
});
