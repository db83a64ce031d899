import type { SampleAgent } from "./agents";
import type { BreakdownType } from "./exceptions";
import type { Random } from "./random";
import { type Action, bad, type FailedTest, type Failure, sh, type Story, talk } from "./story";

/** The end of a trial. `reward` of a breakdown is null when no reward file was read. */
export type Outcome =
  | { readonly kind: "pass" }
  | { readonly kind: "fail" }
  | { readonly kind: "breakdown"; readonly type: BreakdownType; readonly reward: number | null };

/** The source of a generated trial. */
export interface TrialPlan {
  readonly story: Story;
  readonly agent: SampleAgent;
  readonly attempt: number;
  readonly outcome: Outcome;
  /** `subagents` embeds one helper's run and refers to another in a file of its own. */
  readonly shape: "plain" | "split" | "subagents";
  readonly late: boolean;
}

/** A complete run: actions, failed tests and the last message (null if the agent was cut off). */
export interface Told {
  readonly actions: readonly Action[];
  readonly failed: readonly FailedTest[];
  readonly report: string | null;
  readonly failure: Failure | null;
}

function inspect(story: Story, agent: SampleAgent, rng: Random): Action {
  const listing = [...new Set(story.explore.map((action) => action.target.split("/").at(-1) ?? ""))].filter(
    (name) => /^[\w.-]+$/.test(name),
  );
  const command = rng.pick(["ls -la", "pwd && ls", "ls -la && git status --short | head"]);
  return sh(
    `cd ${story.workdir} && ${command}`,
    ["README.md", ...listing].sort().join("\n"),
    rng.pick(agent.openings),
  );
}

function plan(story: Story, agent: SampleAgent, rng: Random): Action[] {
  if (agent.care < 0.6 || rng.chance(0.25)) return [];
  const points = [...story.work, ...story.fix]
    .map((action) => action.say)
    .filter((say) => say.length > 24 && say.length < 110)
    .slice(0, 2);
  const goals = story.tests
    .slice(0, 3)
    .map((test) => test.replace(/^test_/, "").replaceAll("_", " "))
    .join(", ");
  const lines = [
    `What has to hold in the end: ${goals}.`,
    "Plan: reproduce it first, change as little as possible, then check the result the way the task describes.",
  ];
  return [talk(lines.join(" "), points.length === 0 ? undefined : `Order of work. ${points.join(" ")}`)];
}

function readBack(action: Action, agent: SampleAgent, rng: Random): Action[] {
  if (action.tool !== "edit" && action.tool !== "write") return [action];
  if (!rng.chance(agent.care * 0.6)) return [action];
  const lines = (action.after ?? "").split("\n");
  const from = action.tool === "write" ? 1 : rng.int(4, 60);
  const numbered = lines
    .slice(0, 14)
    .map((line, index) => `${String(from + index).padStart(5)}  ${line}`)
    .join("\n");
  return [
    action,
    sh(
      `sed -n '${from},${from + Math.min(13, lines.length - 1)}p' ${action.target} | nl -ba -v${from}`,
      numbered,
      rng.pick(["Reading it back.", "", "Checking the edit in place."]),
    ),
  ];
}

function close(story: Story, rng: Random): Action[] {
  const files = [
    ...new Set(
      [...story.work, ...story.fix].filter((action) => action.tool === "edit").map((action) => action.target),
    ),
  ];
  if (files.length === 0 || rng.chance(0.25)) return [];
  const stat = files.map(
    (file) =>
      ` ${file.replace(`${story.workdir}/`, "").padEnd(28)} | ${rng.int(2, 19)} ${"+".repeat(rng.int(1, 8))}${"-".repeat(rng.int(1, 4))}`,
  );
  return [
    sh(
      `cd ${story.workdir} && git diff --stat`,
      `${stat.join("\n")}\n ${files.length} file${files.length === 1 ? "" : "s"} changed`,
      rng.pick(["A last look at what changed.", "Checking that nothing else was touched.", ""]),
    ),
  ];
}

function mishaps(story: Story, rng: Random): Action[] {
  const known = [
    bad(127, "rg --version", "bash: rg: command not found", "No ripgrep here; grep will do."),
    sh(
      "nproc && free -m | sed -n 2p",
      "4\nMem:            7961        1204        5120          12        1636        6479",
    ),
    bad(
      2,
      `ls ${story.workdir}/hidden /tests`,
      `ls: cannot access '${story.workdir}/hidden': No such file or directory\nls: cannot access '/tests': No such file or directory`,
      "The verifier's tests are not mounted, so I need checks of my own.",
    ),
    sh("python3 --version; gcc --version | head -1", "Python 3.12.8\ngcc (Debian 12.2.0-14) 12.2.0"),
    sh(
      `du -sh ${story.workdir} && df -h ${story.workdir} | tail -1`,
      `38M\t${story.workdir}\noverlay          98G   21G   73G  23% /`,
    ),
  ];
  return rng.sample(known, rng.pick([0, 1, 1, 2]));
}

function recheck(story: Story, rng: Random): Action[] {
  const check = story.fix.findLast((action) => action.tool === "bash");
  if (check === undefined || rng.chance(0.5)) return [];
  return [
    {
      ...check,
      say: rng.pick([
        "Once more from a clean state.",
        "Running the check a second time, to be sure it is not luck.",
        "The same check again before I report.",
      ]),
    },
  ];
}

function pickFailure(story: Story, agent: SampleAgent, rng: Random): Failure {
  const likely = agent.care > 0.6 ? story.failures[0] : story.failures.at(-1);
  return likely !== undefined && rng.chance(0.5) ? likely : rng.pick(story.failures);
}

function tellBreakdown(
  told: { readonly start: readonly Action[]; readonly story: Story; readonly failure: Failure },
  type: BreakdownType,
  reward: number | null,
): Told {
  const { start, story, failure } = told;
  if (type === "AgentTimeoutError") {
    const done = reward === 1 ? [...start, ...story.fix] : start;
    const wait = bad(
      124,
      story.work.at(-1)?.target ?? "make check",
      "(no output for 600 s)",
      "This run takes longer than expected; waiting for it.",
    );
    return {
      actions: [...done, wait],
      failed: reward === 1 ? [] : failure.failed,
      report: null,
      failure: null,
    };
  }
  const cut = type === "NonZeroAgentExitCodeError" || type === "CancelledError";
  const actions = cut
    ? start.slice(0, Math.max(3, Math.floor(start.length * 0.7)))
    : [...start, ...story.fix];
  return { actions, failed: failure.failed, report: cut ? null : story.report, failure: null };
}

/**
 * Chooses the events of one run: a sample of the reading, habits of the agent, the work, and then the fix, a
 * failure or a breakdown, as the plan's outcome asks.
 */
export function tellRun(run: TrialPlan, rng: Random): Told {
  const { story, agent, outcome } = run;
  const count = Math.max(
    1,
    Math.round(story.explore.length * Math.min(1, agent.care + rng.between(-0.15, 0.25))),
  );
  const reading = [
    inspect(story, agent, rng),
    ...rng.sample(story.explore, count),
    ...mishaps(story, rng),
    ...plan(story, agent, rng),
  ];
  const start = [...reading, ...story.work.flatMap((action) => readBack(action, agent, rng))];
  if (outcome.kind === "pass") {
    const fix = story.fix.flatMap((action) => readBack(action, agent, rng));
    return {
      actions: [...start, ...fix, ...recheck(story, rng), ...close(story, rng)],
      failed: [],
      report: story.report,
      failure: null,
    };
  }
  const failure = pickFailure(story, agent, rng);
  if (outcome.kind === "breakdown")
    return tellBreakdown({ start, story, failure }, outcome.type, outcome.reward);
  return {
    actions: [...start, ...failure.actions.flatMap((action) => readBack(action, agent, rng))],
    failed: failure.failed,
    report: failure.report,
    failure,
  };
}
