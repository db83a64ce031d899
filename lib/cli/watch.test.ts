import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

const NAMES = ["alpha__aaaaaaa", "beta__bbbbbbb", "gamma__ccccccc", "delta__ddddddd"];
const limited = {
  exception_info: {
    exception_type: "ApiRateLimitError",
    exception_message: "429 too many requests",
    exception_traceback: "Traceback (most recent call last):\nApiRateLimitError",
    occurred_at: "2026-05-01T17:09:00",
  },
};

async function run(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => ((written[name] += text), true),
    once: () => undefined,
  });
  const code = await runCli(args, { stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  return { code, ...written };
}

/** A job whose trials fail by a limit of the provider, all but the last one. */
function makeBurning(): string {
  return makeFolder({
    "run/result.json": jobResult(Object.fromEntries(NAMES.map((name) => [name, 0]))),
    "run/config.json": { job_name: "run", n_attempts: 1, agents: [{ name: "orca" }], datasets: [] },
    ...Object.fromEntries(
      NAMES.map((name, at) => [`run/${name}/result.json`, trialResult(name, 0, at < 3 ? limited : {})]),
    ),
  });
}

describe("assay watch", () => {
  it("reports why most of an agent's latest trials failed, and exits with 1", async () => {
    const folder = makeBurning();
    const { code, stdout, stderr } = await run("watch", folder, "--once", "--data", makeFolder({}));
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(
      /^run: 3 of the last 4 trials of .+: provider failed \(.*429 too many requests\)\n$/,
    );
    const json: unknown = JSON.parse((await run("watch", folder, "--json", "--data", makeFolder({}))).stdout);
    expect(json).toMatchObject({
      schema: "assay.watch/1",
      n_running: 0,
      troubles: [{ job: "run", class: "provider", n_trials: 3, n_recent: 4 }],
    });
  });

  it("finds nothing if too few failed alike", async () => {
    const quiet = await run("watch", makeBurning(), "--once", "--share", "0.9", "--data", makeFolder({}));
    expect([quiet.code, quiet.stdout]).toEqual([0, "1 job: no trouble.\n"]);
  });

  it("uses the user's rules, and rejects broken ones", async () => {
    const data = makeFolder({});
    const file = join(data, "rules.toml");
    writeFileSync(
      file,
      '[[rule]]\nid = "mine"\nclass = "infrastructure"\nwhy = "Ours."\nmatch = [{ exception = "429" }]\n',
    );
    expect((await run("watch", makeBurning(), "--once", "--data", data)).stdout).toContain(
      "infrastructure failed",
    );
    writeFileSync(file, '[[rule]]\nid = "mine"\nclass = "nobody"\nwhy = "Ours."\n');
    const refused = await run("watch", makeBurning(), "--once", "--data", data);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("rules.toml");
  });
});
