import { type Micros, MINUTE, SECOND } from "./clock";
import { prepareDimensions } from "./dimensions";
import { prepareException } from "./exceptions";
import { formatJson } from "./json-text";
import type { Random } from "./random";
import type { SampleFile, Span, TrialRecord, Usage } from "./record";
import {
  prepareAnalysis,
  prepareManifest,
  prepareSetupFiles,
  prepareTranscript,
  prepareTrialLog,
} from "./side-files";
import { prepareSubagents } from "./subagents";
import { type Outcome, tellRun, type Told, type TrialPlan } from "./tell-run";
import { prepareRunSteps, prepareTrajectory, splitTrajectory } from "./trajectory";
import type { RunScript, RunSteps } from "./trajectory";
import { prepareVerifierFiles } from "./verifier-output";

export type { Outcome, TrialPlan } from "./tell-run";

/** Exceptions after which the agent's context was never filled in. */
const SILENT: ReadonlySet<string> = new Set(["CancelledError", "NonZeroAgentExitCodeError"]);

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
  const prepare =
    type === "EnvironmentStartTimeoutError" ? 600 * SECOND + jitter() : rng.int(2, 24) * SECOND + jitter();
  const environmentSetup = { from: from + jitter() / 100, to: from + prepare };
  const rounded = { from: Math.round(environmentSetup.from), to: environmentSetup.to };
  if (type === "EnvironmentStartTimeoutError")
    return {
      environmentSetup: rounded,
      agentSetup: null,
      agentExecution: null,
      verifier: null,
      end: rounded.to + jitter(),
    };
  const agentSetup = { from: rounded.to + 61, to: rounded.to + rng.int(4, 21) * SECOND + jitter() };
  const work =
    type === "AgentTimeoutError"
      ? 900 * SECOND + jitter()
      : Math.round(story.minutes * agent.pace * rng.between(0.6, 1.35) * MINUTE * (0.5 + steps / 30)) +
        jitter();
  const agentExecution = { from: agentSetup.to + 88, to: agentSetup.to + work };
  if (type === "CancelledError")
    return {
      environmentSetup: rounded,
      agentSetup,
      agentExecution,
      verifier: null,
      end: agentExecution.to + jitter(),
    };
  const check =
    type === "VerifierTimeoutError" ? 300 * SECOND + jitter() : rng.int(4, 38) * SECOND + jitter();
  const verifier = { from: agentExecution.to + 240_000 + jitter() / 4, to: 0 };
  const checked = { from: Math.round(verifier.from), to: Math.round(verifier.from) + check };
  return {
    environmentSetup: rounded,
    agentSetup,
    agentExecution,
    verifier: checked,
    end: checked.to + jitter(),
  };
}

function trajectoryFiles(plan: TrialPlan, script: RunScript, run: RunSteps, rng: Random): SampleFile[] {
  const file = (name: string, value: Parameters<typeof formatJson>[0]): SampleFile => ({
    path: `agent/${name}`,
    content: formatJson(value, 2),
  });
  if (plan.shape === "split" && run.steps.length > 10) {
    const at = Math.floor(run.steps.length * 0.55);
    const summary = `Summary of the work so far, handed over after the context was compacted:\n- ${script.actions
      .slice(0, at - 2)
      .filter((action) => action.say !== "")
      .map((action) => action.say)
      .slice(-4)
      .join("\n- ")}\nContinue from here.`;
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

function verifierFiles(plan: TrialPlan, told: Told, span: Span | null, rng: Random): SampleFile[] {
  return span === null ? [] : [...verifierOutput(plan, told, span.from, rng), prepareManifest(plan.late)];
}

function verifierOutput(plan: TrialPlan, told: Told, at: Micros, rng: Random): SampleFile[] {
  const { outcome, story } = plan;
  if (outcome.kind !== "breakdown" || outcome.reward !== null) {
    return [
      ...prepareVerifierFiles(story.tests, told.failed, at, rng),
      prepareDimensions(story, told.failed, told.failure?.kind ?? null, rng.fork("dimensions")),
    ];
  }
  if (outcome.type === "VerifierTimeoutError")
    return prepareVerifierFiles(story.tests, [], at, rng)
      .slice(0, 1)
      .map((file) => ({ ...file, content: String(file.content).split("\n").slice(0, 7).join("\n") }));
  if (outcome.type !== "RewardFileNotFoundError") return [];
  return [
    {
      path: "verifier/test-stdout.txt",
      content:
        "+ cd /tests\n+ uvx --with pytest==8.4.1 pytest --color=yes test_outputs.py -rA\n\u001b[31merror\u001b[0m: Failed to fetch: `https://packages.example.org/simple/pytest/`\n  Caused by: operation timed out\n",
    },
  ];
}

function agentFiles(plan: TrialPlan, script: RunScript, run: RunSteps | null, rng: Random): SampleFile[] {
  if (run === null) return [];
  const { spec } = plan.agent;
  return [
    ...prepareSetupFiles(spec),
    ...trajectoryFiles(plan, script, run, rng),
    prepareTranscript(spec, script.actions, script.report),
  ];
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
export function prepareStoryTrial(
  plan: TrialPlan,
  name: string,
  jobName: string,
  from: Micros,
  rng: Random,
): TrialRecord {
  const { story, agent, outcome } = plan;
  const told = tellRun(plan, rng.fork("told"));
  const phases = planPhases(plan, from, told.actions.length, rng.fork("phases"));
  const script: RunScript = {
    agent: agent.spec,
    manner: agent.manner,
    system: agent.system,
    prompt: story.prompt,
    actions: told.actions,
    report: told.report,
    span: phases.agentExecution ?? { from, to: phases.end },
    sessionId: rng.uuid(),
  };
  const run = phases.agentExecution === null ? null : prepareRunSteps(script, rng.fork("steps"));
  const reward = rewardOf(outcome);
  const exception =
    outcome.kind === "breakdown"
      ? prepareException(
          outcome.type,
          agent.spec.name,
          `${jobName}/${name}`,
          (phases.agentExecution ?? phases.environmentSetup).to,
          rng,
        )
      : null;
  const silent = exception !== null && SILENT.has(exception.type);
  const files: SampleFile[] = [
    ...agentFiles(plan, script, run, rng.fork("trajectory")),
    ...verifierFiles(plan, told, phases.verifier, rng.fork("verifier")),
    ...(told.failure !== null && rng.chance(0.3) ? [prepareAnalysis(name, story, told.failure)] : []),
  ];
  return {
    id: rng.uuid(),
    name,
    task: story.task,
    attempt: plan.attempt,
    agent: agent.spec,
    state: "complete",
    span: { from, to: Math.round(phases.end) },
    environmentSetup: phases.environmentSetup,
    agentSetup: phases.agentSetup,
    agentExecution: phases.agentExecution,
    verifier: phases.verifier,
    usage: run === null || silent ? silentUsage(silent) : run.usage,
    rewards: reward === null ? null : new Map([["reward", reward]]),
    exception,
    steps: null,
    files,
    log: prepareTrialLog(agent.spec, exception, rng.fork("log")),
  };
}
