import type { SampleAgent } from "./agents";
import { MINUTE, SECOND } from "./clock";
import type { Micros } from "./clock";
import { prepareException } from "./exceptions";
import type { BreakdownType } from "./exceptions";
import { formatJson } from "./json-text";
import type { Random } from "./random";
import type { SampleFile, Span, TrialRecord, Usage } from "./record";
import { prepareAnalysis, prepareManifest, prepareSetupFiles, prepareTranscript, prepareTrialLog } from "./side-files";
import { bad, sh } from "./stories/story";
import type { Action, FailedTest, Failure, Story } from "./stories/story";
import { prepareRunSteps, prepareTrajectory, splitTrajectory } from "./trajectory";
import type { RunScript, RunSteps } from "./trajectory";
import { prepareSubagents } from "./subagents";
import { prepareVerifierFiles } from "./verifier-output";

/** How a trial ends. `reward` of a breakdown is null when no reward file was read. */
export type Outcome =
  | { readonly kind: "pass" }
  | { readonly kind: "fail" }
  | { readonly kind: "breakdown"; readonly type: BreakdownType; readonly reward: number | null };

/** What a trial is told from. */
export interface TrialPlan {
  readonly story: Story;
  readonly agent: SampleAgent;
  readonly attempt: number;
  readonly outcome: Outcome;
  /** `subagents` embeds one helper's run and refers to another in a file of its own. */
  readonly shape: "plain" | "split" | "subagents";
  readonly late: boolean;
}

interface Told {
  readonly actions: readonly Action[];
  readonly failed: readonly FailedTest[];
  readonly report: string | null;
  readonly failure: Failure | null;
}

function look(story: Story, agent: SampleAgent, rng: Random): Action[] {
  const listing = [...new Set(story.explore.map((action) => action.target.split("/").at(-1) ?? ""))].filter((name) => /^[\w.-]+$/.test(name));
  const command = rng.pick(["ls -la", "pwd && ls", "ls -la && git status --short | head"]);
  return [sh(`cd ${story.workdir} && ${command}`, ["README.md", ...listing].sort().join("\n"), rng.pick(agent.openings))];
}

function close(story: Story, rng: Random): Action[] {
  const files = [...new Set([...story.work, ...story.fix].filter((action) => action.tool === "edit").map((action) => action.target))];
  if (files.length === 0 || rng.chance(0.35)) return [];
  const stat = files.map((file) => ` ${file.replace(`${story.workdir}/`, "").padEnd(28)} | ${rng.int(2, 19)} ${"+".repeat(rng.int(1, 8))}${"-".repeat(rng.int(1, 4))}`);
  return [sh(`cd ${story.workdir} && git diff --stat`, `${stat.join("\n")}\n ${files.length} file${files.length === 1 ? "" : "s"} changed`, rng.pick(["A last look at what changed.", "Checking that nothing else was touched.", ""]))];
}

function mishap(story: Story, rng: Random): Action[] {
  if (rng.chance(0.55)) return [];
  return [rng.pick([
    bad(127, "rg --version", "bash: rg: command not found", "No ripgrep here; grep will do."),
    sh("nproc && free -m | sed -n 2p", "4\nMem:            7961        1204        5120          12        1636        6479"),
    bad(2, `ls ${story.workdir}/tests`, `ls: cannot access '${story.workdir}/tests': No such file or directory`, "The verifier's tests are not mounted, so I need checks of my own."),
    sh("python3 --version; gcc --version | head -1", "Python 3.13.1\ngcc (Debian 12.2.0-14) 12.2.0"),
  ])];
}

function tell(plan: TrialPlan, rng: Random): Told {
  const { story, agent, outcome } = plan;
  const count = Math.max(1, Math.round(story.explore.length * Math.min(1, agent.care + rng.between(-0.15, 0.25))));
  const start = [...look(story, agent, rng), ...rng.sample(story.explore, count), ...mishap(story, rng), ...story.work];
  if (outcome.kind === "pass") return { actions: [...start, ...story.fix, ...close(story, rng)], failed: [], report: story.report, failure: null };
  const weights = agent.care > 0.6 ? story.failures : [...story.failures].reverse();
  const failure = rng.pick(rng.chance(0.5) ? weights.slice(0, 1) : story.failures);
  if (outcome.kind === "fail") return { actions: [...start, ...failure.actions], failed: failure.failed, report: failure.report, failure };
  if (outcome.type === "AgentTimeoutError") {
    const done = outcome.reward === 1 ? [...start, ...story.fix] : start;
    const wait = bad(124, story.work.at(-1)?.target ?? "make check", "(no output for 600 s)", "This run takes longer than expected; waiting for it.");
    return { actions: [...done, wait], failed: outcome.reward === 1 ? [] : failure.failed, report: null, failure: null };
  }
  const reached = outcome.type === "NonZeroAgentExitCodeError" || outcome.type === "CancelledError" ? start.slice(0, Math.max(3, Math.floor(start.length * 0.7))) : [...start, ...story.fix];
  const finished = outcome.type === "VerifierTimeoutError" || outcome.type === "RewardFileNotFoundError";
  return { actions: reached, failed: failure.failed, report: finished ? story.report : null, failure: null };
}

interface Phases {
  readonly environmentSetup: Span;
  readonly agentSetup: Span | null;
  readonly agentExecution: Span | null;
  readonly verifier: Span | null;
  readonly end: Micros;
}

function planPhases(plan: TrialPlan, from: Micros, steps: number, rng: Random): Phases {
  const { outcome, agent, story } = plan;
  const type = outcome.kind === "breakdown" ? outcome.type : null;
  const jitter = (): Micros => rng.int(1000, 400_000);
  const prepare = type === "EnvironmentStartTimeoutError" ? 600 * SECOND + jitter() : rng.int(2, 24) * SECOND + jitter();
  const environmentSetup = { from: from + jitter() / 100, to: from + prepare };
  const rounded = { from: Math.round(environmentSetup.from), to: environmentSetup.to };
  if (type === "EnvironmentStartTimeoutError") return { environmentSetup: rounded, agentSetup: null, agentExecution: null, verifier: null, end: rounded.to + jitter() };
  const agentSetup = { from: rounded.to + 61, to: rounded.to + rng.int(4, 21) * SECOND + jitter() };
  const work = type === "AgentTimeoutError" ? 900 * SECOND + jitter() : Math.round(story.minutes * agent.pace * rng.between(0.6, 1.35) * MINUTE * (0.5 + steps / 30)) + jitter();
  const agentExecution = { from: agentSetup.to + 88, to: agentSetup.to + work };
  if (type === "CancelledError") return { environmentSetup: rounded, agentSetup, agentExecution, verifier: null, end: agentExecution.to + jitter() };
  const check = type === "VerifierTimeoutError" ? 300 * SECOND + jitter() : rng.int(4, 38) * SECOND + jitter();
  const verifier = { from: agentExecution.to + 240_000 + jitter() / 4, to: 0 };
  const checked = { from: Math.round(verifier.from), to: Math.round(verifier.from) + check };
  return { environmentSetup: rounded, agentSetup, agentExecution, verifier: checked, end: checked.to + jitter() };
}

function trajectoryFiles(plan: TrialPlan, script: RunScript, run: RunSteps, rng: Random): SampleFile[] {
  const file = (name: string, value: Parameters<typeof formatJson>[0]): SampleFile => ({ path: `agent/${name}`, content: formatJson(value, 2) });
  if (plan.shape === "split" && run.steps.length > 10) {
    const at = Math.floor(run.steps.length * 0.55);
    const summary = `Summary of the work so far, handed over after the context was compacted:\n- ${script.actions.slice(0, at - 2).filter((action) => action.say !== "").map((action) => action.say).slice(-4).join("\n- ")}\nContinue from here.`;
    const [one, two] = splitTrajectory(script, run, at, summary);
    return [file("trajectory.json", one), file("trajectory.cont-1.json", two), ...run.images];
  }
  if (plan.shape === "subagents") {
    const { steps, embedded, external } = prepareSubagents(script, run, plan.story, rng);
    const root = prepareTrajectory(script, { ...run, steps }, { subagent_trajectories: [embedded] });
    return [file("trajectory.json", root), file("trajectory.review-1.json", external), ...run.images];
  }
  return [file("trajectory.json", prepareTrajectory(script, run)), ...run.images];
}

function verifierFiles(plan: TrialPlan, told: Told, at: Micros, rng: Random): SampleFile[] {
  const { outcome, story } = plan;
  if (outcome.kind !== "breakdown" || outcome.reward !== null) return prepareVerifierFiles(story.tests, told.failed, at, rng);
  if (outcome.type === "VerifierTimeoutError") return prepareVerifierFiles(story.tests, [], at, rng).slice(0, 1).map((file) => ({ ...file, content: String(file.content).split("\n").slice(0, 7).join("\n") }));
  if (outcome.type !== "RewardFileNotFoundError") return [];
  return [{ path: "verifier/test-stdout.txt", content: "+ cd /tests\n+ uvx --with pytest==8.4.1 pytest --color=yes test_outputs.py -rA\n\u001b[31merror\u001b[0m: Failed to fetch: `https://packages.example.org/simple/pytest/`\n  Caused by: operation timed out\n" }];
}

function agentFiles(plan: TrialPlan, script: RunScript, run: RunSteps, rng: Random): SampleFile[] {
  const { spec } = plan.agent;
  return [...prepareSetupFiles(spec), ...trajectoryFiles(plan, script, run, rng), prepareTranscript(spec, script.actions, script.report)];
}

/** An agent that ended badly leaves an empty context; one that never ran leaves none. */
function silentUsage(ran: boolean): Usage | null {
  return ran ? { input: null, cache: null, output: null, costUsd: null } : null;
}

function rewardOf(outcome: Outcome): number | null {
  if (outcome.kind === "pass") return 1;
  return outcome.kind === "fail" ? 0 : outcome.reward;
}

/**
 * A complete single-step trial told from a story, with every file Harbor and the verifier leave.
 *
 * @param from - start of the trial
 * @param jobName - name of the job, for messages that quote paths
 */
export function prepareStoryTrial(plan: TrialPlan, name: string, jobName: string, from: Micros, rng: Random): TrialRecord {
  const { story, agent, outcome } = plan;
  const told = tell(plan, rng.fork("told"));
  const phases = planPhases(plan, from, told.actions.length, rng.fork("phases"));
  const script: RunScript = {
    agent: agent.spec, manner: agent.manner, system: agent.system, prompt: story.prompt, actions: told.actions, report: told.report,
    span: phases.agentExecution ?? { from, to: phases.end }, sessionId: rng.uuid(),
  };
  const run = phases.agentExecution === null ? null : prepareRunSteps(script, rng.fork("steps"));
  const reward = rewardOf(outcome);
  const exception = outcome.kind === "breakdown" ? prepareException(outcome.type, agent.spec.name, `${jobName}/${name}`, (phases.agentExecution ?? phases.environmentSetup).to, rng) : null;
  const silent = exception?.type === "CancelledError" || exception?.type === "NonZeroAgentExitCodeError";
  const files: SampleFile[] = [
    ...(run === null ? [] : agentFiles(plan, script, run, rng.fork("trajectory"))),
    ...(phases.verifier === null ? [] : [...verifierFiles(plan, told, phases.verifier.from, rng.fork("verifier")), prepareManifest(plan.late)]),
    ...(told.failure !== null && rng.chance(0.3) ? [prepareAnalysis(name, story, told.failure)] : []),
  ];
  return {
    id: rng.uuid(), name, task: story.task, attempt: plan.attempt, agent: agent.spec, state: "complete",
    span: { from, to: Math.round(phases.end) }, environmentSetup: phases.environmentSetup, agentSetup: phases.agentSetup, agentExecution: phases.agentExecution, verifier: phases.verifier,
    usage: run === null || silent ? silentUsage(silent) : run.usage,
    rewards: reward === null ? null : new Map([["reward", reward]]), exception, steps: null, files, log: prepareTrialLog(agent.spec, exception, rng.fork("log")),
  };
}
