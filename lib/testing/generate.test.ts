import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { inflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { dumpPythonJson, parsePythonJson, pythonRepr, ulpDistance } from "@/lib/core/scoring";
import { itLong } from "@/lib/testing/it-long.fixture";

import { prepareSampleFiles } from "./generate";
import { member, readJson, readTrials, recomputeEvals } from "./read-job-back";
import { getSampleFolder } from "./samples.fixture";

const FINISHED = [
  "kernel-steps",
  "sql-repair-rubric",
  "tb2-baseline",
  "tb2-orca-next",
  "terminal-mix-oracle",
  "voltage-drop-aec",
];
const OPEN = ["infra-smoke-interrupted", "tb2-canary-running"];

const root = getSampleFolder();

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
    .sort();
}

/** Path to hash, from the generator itself: nothing is written. */
function hashFiles(options: Parameters<typeof prepareSampleFiles>[0], limit = Infinity): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { path, content } of prepareSampleFiles(options)) {
    if (hashes.size === limit) break;
    hashes.set(path, createHash("sha256").update(content).digest("hex"));
  }
  return hashes;
}

function trialFolders(job: string): string[] {
  return readdirSync(join(root, job), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(root, job, entry.name)] : [],
  );
}

describe("the sample set", () => {
  it("is byte-identical for the same seed, on disk as in memory, and another seed tells other runs", () => {
    // Those of seed 1, unless another one is named.
    const same = hashFiles({});
    const onDisk = new Map(
      listFiles(root).map((file) => [
        relative(root, file),
        createHash("sha256").update(readFileSync(file)).digest("hex"),
      ]),
    );
    expect(onDisk).toEqual(same);
    expect(onDisk.size).toBeGreaterThan(5000);
    const known = new Set(same.values());
    // The whole set takes as long as the rest of the file.
    const other = hashFiles({ seed: 2 }, 1000);
    expect(other.size).toBe(1000);
    expect([...other.values()].filter((hash) => known.has(hash)).length).toBeLessThan(other.size / 2);
  });

  itLong()("lets the present change the running job only", () => {
    const before = hashFiles({});
    const later = hashFiles({ now: new Date("2027-02-01T08:30:00.000Z") });
    const changed = [...later]
      .filter(([file, hash]) => before.get(file) !== hash)
      .map(([file]) => file.split("/")[0]);
    expect(new Set(changed)).toEqual(new Set(["tb2-canary-running"]));
  });

  it("says that it is synthetic and stays small", () => {
    expect(readFileSync(join(root, "README.txt"), "utf8")).toContain("invented tasks, agents, models");
    const bytes = listFiles(root).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(40_000_000);
  });

  it("gives every trial a name and an id of its own", () => {
    const ids = readdirSync(root)
      .filter((job) => job !== "README.txt")
      .flatMap((job) => readTrials(join(root, job)).map((trial) => trial.trialName));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(700);
  });
});

describe("recorded figures", () => {
  it.each([...FINISHED, ...OPEN])("of %s are those that follow from its trials, to the last bit", (job) => {
    const recorded = readJson(root, job, "result.json");
    const finished = member(recorded, "finished_at") !== null;
    const evals = recomputeEvals(readTrials(join(root, job)), finished);
    expect(dumpPythonJson(member(recorded, "stats", "evals"))).toBe(dumpPythonJson(evals));
    expect(finished).toBe(FINISHED.includes(job));
  });

  it("of the baseline are the figures of its plan", () => {
    const evals = member(readJson(root, "tb2-baseline", "result.json"), "stats", "evals");
    const mean = (key: string): string => dumpPythonJson(member(evals, key, "metrics"));
    expect(mean("orca__meridian-4.5__terminal-mix")).toBe(`[{"mean": ${pythonRepr(89 / 120)}}]`);
    expect(mean("lamp__halyard-2__terminal-mix")).toBe(`[{"mean": ${pythonRepr(74 / 120)}}]`);
    expect(mean("tern__kestrel-35b__terminal-mix")).toBe(`[{"mean": ${pythonRepr(45 / 120)}}]`);
    expect(dumpPythonJson(member(evals, "tern__kestrel-35b__terminal-mix", "exception_stats"))).toContain(
      "CancelledError",
    );
  });

  it("of the edited job disagree in the one mean that was edited", () => {
    const recorded = member(readJson(root, "infra-smoke-edited", "result.json"), "stats", "evals");
    const evals = recomputeEvals(readTrials(join(root, "infra-smoke-edited")), true);
    const [key = ""] = evals.keys();
    expect(dumpPythonJson(member(recorded, key, "metrics"))).toBe('[{"mean": 0.75}]');
    expect(dumpPythonJson(member(evals.get(key), "metrics"))).not.toBe('[{"mean": 0.75}]');
    expect(dumpPythonJson(member(recorded, key, "pass_at_k"))).toBe(
      dumpPythonJson(member(evals.get(key), "pass_at_k")),
    );
  });

  it("of swe-mini-31 are exact for plain sums and one ulp away for compensated ones", () => {
    const trials = readTrials(join(root, "swe-mini-31"));
    const recorded = dumpPythonJson(member(readJson(root, "swe-mini-31", "result.json"), "stats", "evals"));
    expect(recorded).toBe(dumpPythonJson(recomputeEvals(trials, true, "sequential")));
    const means = [recomputeEvals(trials, true), recomputeEvals(trials, true, "sequential")].map((evals) => {
      const metrics = member(evals.get("lamp__halyard-2__swe-mini"), "metrics");
      const mean = Array.isArray(metrics) ? member(metrics[0], "mean") : null;
      return typeof mean === "number" ? mean : Number.NaN;
    });
    expect(ulpDistance(means[0] ?? 0, means[1] ?? 0)).toBe(1);
  });

  it("of the old schema have the old counters and no pass@k", () => {
    const result = readJson(root, "legacy-2025", "result.json");
    expect(member(result, "stats", "n_trials")).toBe(24n);
    expect(dumpPythonJson(result)).not.toContain("pass_at_k");
    expect(dumpPythonJson(member(result, "started_at"))).not.toContain("Z");
    const [folder = ""] = trialFolders("legacy-2025");
    expect(dumpPythonJson(member(readJson(folder, "result.json"), "started_at"))).not.toContain("Z");
  });
});

describe("counters", () => {
  it.each([...FINISHED, ...OPEN])("of %s sum up, and every trial is in the lists in Harbor's form", (job) => {
    const result = readJson(root, job, "result.json");
    const stats = member(result, "stats");
    const count = (key: string): number => Number(member(stats, key));
    const trials = readTrials(join(root, job));
    expect(count("n_completed_trials")).toBe(trials.length);
    expect(count("n_completed_trials") + count("n_running_trials") + count("n_pending_trials")).toBe(
      Number(member(result, "n_total_trials")),
    );
    const listed = (names: "reward_stats" | "exception_stats"): string =>
      [...(member(stats, "evals") instanceof Map ? [dumpPythonJson(member(stats, "evals"))] : [])]
        .join("")
        .split(`"${names}"`)
        .join("\n");
    for (const trial of trials) {
      const hits = listed("reward_stats").split(`"${trial.trialName}"`).length - 1;
      expect(hits).toBe((trial.rewards?.size ?? 0) + (trial.exceptionType === null ? 0 : 1));
    }
  });

  it("tell a running job from an interrupted one", () => {
    const running = readJson(root, "tb2-canary-running", "result.json");
    const interrupted = readJson(root, "infra-smoke-interrupted", "result.json");
    expect(Number(member(running, "stats", "n_running_trials"))).toBeGreaterThan(0);
    expect(member(interrupted, "stats", "n_running_trials")).toBe(0n);
    expect(member(interrupted, "stats", "n_retries")).toBe(3n);
    expect(member(interrupted, "trial_results")).toEqual([]);
    const open = trialFolders("tb2-canary-running").filter(
      (folder) => !existsSync(join(folder, "result.json")),
    );
    expect(open).toHaveLength(Number(member(running, "stats", "n_running_trials")));
    expect(open.every((folder) => existsSync(join(folder, "config.json")))).toBe(true);
  });

  it("hold timeouts that still carry a reward, even a full one, and breakdowns without any", () => {
    const trials = readTrials(join(root, "tb2-baseline"));
    const timeouts = trials.filter((trial) => trial.exceptionType === "AgentTimeoutError");
    expect(timeouts.some((trial) => trial.rewards?.get("reward") === 1)).toBe(true);
    expect(timeouts.some((trial) => trial.rewards?.get("reward") === 0)).toBe(true);
    expect(trials.filter((trial) => trial.rewards === null).map((trial) => trial.exceptionType)).toContain(
      "EnvironmentStartTimeoutError",
    );
  });
});

describe("trajectories", () => {
  it("resolve every reference they make", () => {
    let images = 0;
    let parts = 0;
    let helpers = 0;
    for (const file of listFiles(root).filter((path) => /trajectory[^/]*\.json$/.test(path))) {
      const body = readFileSync(file, "utf8");
      for (const [, path = ""] of body.matchAll(/"path": "(images\/[^"]+)"/g)) {
        images += 1;
        const png = readFileSync(join(dirname(file), path));
        const at = png.indexOf("IDAT");
        expect(inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))).length).toBe(
          160 * (360 * 3 + 1),
        );
      }
      for (const [, path = ""] of body.matchAll(
        /"(?:continued_trajectory_ref|trajectory_path)": "([^"]+)"/g,
      )) {
        parts += 1;
        expect(existsSync(join(dirname(file), path))).toBe(true);
      }
      for (const [, id = ""] of body.matchAll(
        /"subagent_trajectory_ref": \[\s*\{\s*"trajectory_id": "([^"]+)"/g,
      )) {
        helpers += 1;
        expect(body.split(`"trajectory_id": "${id}"`)).toHaveLength(3);
      }
    }
    expect(Math.min(images, parts, helpers)).toBeGreaterThan(20);
  });

  it("of the baseline are 10 to 30 steps long where the agent came to an end", () => {
    const lengths = readTrials(join(root, "tb2-baseline"))
      .filter((trial) => trial.exceptionType === null)
      .map((trial) => {
        const steps = member(
          readJson(root, "tb2-baseline", trial.trialName, "agent", "trajectory.json"),
          "steps",
        );
        const rest = join(root, "tb2-baseline", trial.trialName, "agent", "trajectory.cont-1.json");
        const more = existsSync(rest) ? member(readJson(rest), "steps") : [];
        return (Array.isArray(steps) ? steps.length : 0) + (Array.isArray(more) ? more.length : 0);
      });
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(7);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(32);
    expect(lengths.reduce((sum, value) => sum + value, 0) / lengths.length).toBeGreaterThan(12);
  });
});

describe("the damaged job", () => {
  it("holds one trial of each kind of damage next to sound ones", () => {
    const folders = trialFolders("archive-damaged");
    const states = folders.map((folder) => {
      const file = join(folder, "result.json");
      if (!existsSync(file)) return "absent";
      const body = readFileSync(file, "utf8");
      if (body === "") return "empty";
      try {
        const reward = member(parsePythonJson(body), "verifier_result", "rewards", "reward");
        if (reward === null) return "foreign";
        const recorded = Number(readFileSync(join(folder, "verifier", "reward.txt"), "utf8"));
        if (recorded !== Number(reward)) return "disagreeing";
        const details = join(folder, "verifier", "details.json");
        return existsSync(details) && readFileSync(details, "utf8").includes("NaN") ? "nan" : "sound";
      } catch {
        return "torn";
      }
    });
    expect(states.toSorted()).toEqual([
      "absent",
      "disagreeing",
      "empty",
      "foreign",
      "nan",
      "sound",
      "sound",
      "sound",
      "sound",
      "torn",
    ]);
  });
});
