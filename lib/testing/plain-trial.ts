import type { SampleAgent } from "./agents";
import { type Micros, MINUTE, SECOND } from "./clock";
import { formatJson } from "./json-text";
import type { Random } from "./random";
import type { Rewards, SampleFile, Span, TrialRecord, Usage } from "./record";
import { prepareManifest, prepareSetupFiles, prepareTranscript, prepareTrialLog } from "./side-files";
import type { Action } from "./story";
import { prepareRunSteps, prepareTrajectory } from "./trajectory";

/** A run of an agent, told directly rather than from a story. */
interface PlainRun {
  readonly agent: SampleAgent;
  readonly prompt: string;
  readonly actions: readonly Action[];
  readonly report: string;
  readonly minutes: number;
}

/** A single-step trial without an exception. */
interface PlainTrial extends PlainRun {
  readonly name: string;
  readonly task: string;
  readonly attempt: number;
  readonly late: boolean;
  readonly rewards: Rewards;
  readonly verifierFiles: readonly SampleFile[];
  readonly extraFiles?: readonly SampleFile[];
}

/** The agent's part of a run: its span, what it used, and its files below `folder`. */
interface ToldRun {
  readonly span: Span;
  readonly usage: Usage;
  readonly files: readonly SampleFile[];
}

/** Generates a run that starts at `from`; files are below `folder`, `""` for the trial folder itself. */
export function prepareRun(run: PlainRun, folder: string, from: Micros, rng: Random): ToldRun {
  const span = {
    from,
    to:
      from + Math.round(run.minutes * run.agent.pace * rng.between(0.7, 1.3) * MINUTE) + rng.int(1, 999_999),
  };
  const script = {
    agent: run.agent.spec,
    manner: run.agent.manner,
    system: run.agent.system,
    prompt: run.prompt,
    actions: run.actions,
    report: run.report,
    span,
    sessionId: rng.uuid(),
  };
  const steps = prepareRunSteps(script, rng.fork("steps"));
  const files = [
    { path: "agent/trajectory.json", content: formatJson(prepareTrajectory(script, steps), 2) },
    prepareTranscript(run.agent.spec, run.actions, run.report),
    ...steps.images,
  ];
  return { span, usage: steps.usage, files: files.map((file) => ({ ...file, path: folder + file.path })) };
}

/** The environment and agent set-up before a run that starts at `from`. */
export function prepareSetup(from: Micros, rng: Random): readonly [environment: Span, agent: Span] {
  const environment = { from: from + 911, to: from + rng.int(3, 15) * SECOND + rng.int(1, 999_999) };
  return [
    environment,
    { from: environment.to + 55, to: environment.to + rng.int(4, 16) * SECOND + rng.int(1, 999_999) },
  ];
}

/** A whole trial around one run. */
export function preparePlainTrial(trial: PlainTrial, from: Micros, rng: Random): TrialRecord {
  const [environmentSetup, agentSetup] = prepareSetup(from, rng);
  const run = prepareRun(trial, "", agentSetup.to + 73, rng.fork("run"));
  const verifier = {
    from: run.span.to + 260_113,
    to: run.span.to + rng.int(5, 40) * SECOND + rng.int(1, 999_999),
  };
  return {
    id: rng.uuid(),
    name: trial.name,
    task: trial.task,
    attempt: trial.attempt,
    agent: trial.agent.spec,
    state: "complete",
    span: { from, to: verifier.to + rng.int(900, 90_000) },
    environmentSetup,
    agentSetup,
    agentExecution: run.span,
    verifier,
    usage: run.usage,
    rewards: trial.rewards,
    exception: null,
    steps: null,
    files: [
      ...prepareSetupFiles(trial.agent.spec),
      ...run.files,
      ...trial.verifierFiles,
      prepareManifest(trial.late),
      ...(trial.extraFiles ?? []),
    ],
    log: prepareTrialLog(trial.agent.spec, null, rng.fork("log")),
  };
}
