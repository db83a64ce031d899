import { aggregateRewards, ulpDistance } from "@/lib/core/scoring";

import { LAMP, ORCA } from "../agents";
import { parseInstant } from "../clock";
import { preparePlainTrial } from "../plain-trial";
import type { Random } from "../random";
import type { JobRecord } from "../record";
import { scheduleTrials } from "../schedule";
import { type Action, edit, type FailedTest, read, sh } from "../story";
import { prepareVerifierFiles } from "../verifier-output";
import { finishJob } from "./finish-job";
import { formatTrialName } from "./terminal-mix";

const REPAIRS = [
  {
    task: "slugify-combining-marks",
    file: "slug/core.py",
    line: "text = text.lower()",
    fix: 'text = unicodedata.normalize("NFKD", text).lower()',
    tests: 7,
  },
  {
    task: "retry-after-http-date",
    file: "client/retry.py",
    line: "delay = int(header)",
    fix: "delay = parse_retry_after(header, now)",
    tests: 9,
  },
  {
    task: "toml-dotted-keys",
    file: "conf/toml.py",
    line: "key = part.strip()",
    fix: "key = split_dotted(part)",
    tests: 11,
  },
  {
    task: "lru-ttl-eviction",
    file: "cache/lru.py",
    line: "self.order.append(key)",
    fix: "self.order.move_to_end(key)",
    tests: 6,
  },
  {
    task: "glob-double-star",
    file: "paths/glob.py",
    line: 'pattern.replace("**", ".*")',
    fix: "translate(pattern)",
    tests: 13,
  },
  {
    task: "decimal-bankers-round",
    file: "money/round.py",
    line: "round(x, 2)",
    fix: "x.quantize(CENT, ROUND_HALF_EVEN)",
    tests: 7,
  },
  {
    task: "csv-bom-header",
    file: "io/table.py",
    line: "open(path)",
    fix: 'open(path, encoding="utf-8-sig")',
    tests: 3,
  },
  { task: "graph-topo-stable", file: "plan/topo.py", line: "ready = set()", fix: "ready = []", tests: 9 },
] as const;

type Repair = (typeof REPAIRS)[number];

function actionsFor(repair: Repair, passed: number): Action[] {
  return [
    sh(
      "git log --oneline | head -3 && git status --short",
      "c41f0aa release 1.4\n91d02be tests for the reported case\n0be7714 drop python 3.9",
    ),
    read(repair.file, `...\n    ${repair.line}\n...`, "The line the report points at."),
    edit(repair.file, repair.line, repair.fix, "The smallest change that covers the report."),
    sh(
      "python -m pytest -q 2>&1 | tail -3",
      `${passed} passed, ${repair.tests - passed} failed in 1.92s`,
      "Running the package's own tests.",
    ),
  ];
}

/** A stream whose fractional rewards give a mean that differs by exactly one ulp between plain and compensated sums. */
function findStream(rng: Random, count: number): readonly [Random, number[][]] {
  for (let salt = 0; salt < 500; salt += 1) {
    const stream = rng.fork(`draw/${salt}`);
    const passed = [0, 1].map(() =>
      Array.from({ length: count }, (_, index) => {
        const tests = REPAIRS[index % REPAIRS.length]?.tests ?? 1;
        return stream.chance(0.45) ? tests : stream.int(0, tests);
      }),
    );
    const means = ["cpython-3.12", "sequential"].map((summation) => {
      const rewards = (passed[1] ?? []).map(
        (value, index) => new Map([["reward", value / (REPAIRS[index % REPAIRS.length]?.tests ?? 1)]]),
      );
      const result = aggregateRewards(
        "mean",
        rewards,
        summation === "sequential" ? "sequential" : "cpython-3.12",
      );
      const mean = result.ok ? result.value.get("mean") : null;
      return typeof mean === "number" ? mean : 0;
    });
    if (ulpDistance(means[0] ?? 0, means[1] ?? 0) === 1) return [stream, passed];
  }
  throw new RangeError("no stream gives a difference of one ulp");
}

/** Rewards are the share of tests passed; recorded by an older runner that sums from left to right. */
export function prepareSweMini(rng: Random): JobRecord {
  const attempts = 3;
  const agents = [ORCA, LAMP];
  const [stream, passes] = findStream(rng.fork("swe"), REPAIRS.length * attempts);
  const makers = Array.from({ length: attempts }, (_, attempt) => attempt).flatMap((attempt) =>
    REPAIRS.flatMap((repair, place) =>
      agents.map((agent, column) => {
        const own = stream.fork(`${repair.task}/${agent.spec.name}/${attempt}`);
        const passed = passes[column]?.[attempt * REPAIRS.length + place] ?? 0;
        const reward = passed / repair.tests;
        const names = Array.from(
          { length: repair.tests },
          (_, index) => `test_${repair.task.split("-")[0] ?? "case"}_${String(index + 1).padStart(2, "0")}`,
        );
        const failed = names
          .slice(passed)
          .map((name): FailedTest => [name, "assert actual == expected", "AssertionError: values differ"]);
        return (from: number) => {
          const files = prepareVerifierFiles(names, failed, from, own.fork("verifier")).map((file) =>
            file.path === "verifier/reward.txt" ? { ...file, content: `${reward}\n` } : file,
          );
          return preparePlainTrial(
            {
              name: formatTrialName(repair.task, own),
              task: repair.task,
              attempt: attempt + 1,
              agent,
              late: false,
              minutes: 2.4,
              prompt: `The issue in ISSUE.md is about ${repair.file}. Fix it; the reward is the share of hidden tests that pass.`,
              actions: actionsFor(repair, passed),
              report: `${repair.file} now uses \`${repair.fix}\`. ${passed} of ${repair.tests} tests pass here.`,
              rewards: new Map([["reward", reward]]),
              verifierFiles: files,
            },
            from,
            own,
          );
        };
      }),
    ),
  );
  const startedAt = parseInstant("2026-11-13T00:14:55.400Z") + 63;
  const dataset = {
    name: "swe-mini",
    version: "1.3",
    gitUrl: "https://git.example.org/bench/swe-mini.git",
    commit: "6e1b7dd2095cf84a3b0e9f16c7d2a85b40e3f991",
  };
  const job = finishJob(
    {
      id: rng.fork("id").uuid(),
      name: "swe-mini-31",
      flavour: "0.13.1",
      dataset,
      tasks: REPAIRS.map((repair) => repair.task),
      agents: agents.map((agent) => agent.spec),
      attempts,
      concurrent: 4,
      startedAt,
      offsetMinutes: 0,
    },
    scheduleTrials(makers, 4, startedAt),
  );
  return { ...job, summation: "sequential" };
}
