import { LAMP, ORCA, ORCA_NEXT, type SampleAgent, TERN } from "../agents";
import { type Micros, parseInstant } from "../clock";
import type { Random } from "../random";
import type { DatasetSpec, Flavour, JobRecord } from "../record";
import { lastEnd, scheduleTrials, type TrialMaker } from "../schedule";
import { STORIES, type Story } from "../story";
import { type Outcome, prepareStoryTrial, type TrialPlan } from "../story-trial";
import { type BreakdownPlan, PASSES, planOutcomes, repeat } from "./outcomes";

/** The invented benchmark most sample jobs run. */
export const TERMINAL_MIX: DatasetSpec = {
  name: "terminal-mix",
  version: "2.0",
  gitUrl: "https://git.example.org/bench/terminal-mix.git",
  commit: "4be1c09f2a7d5e83610cf94db7a2c8815d3e6f70",
};

/** An agent-model pair of a job: the agent, its passes by task and what breaks down. */
interface AgentModel {
  readonly agent: SampleAgent;
  readonly passes: (task: string) => number;
  readonly breakdowns: readonly BreakdownPlan[];
}

/** The differences between terminal-mix jobs. */
interface MixPlan {
  readonly name: string;
  readonly flavour: Flavour;
  readonly dataset: DatasetSpec;
  readonly stories: readonly Story[];
  readonly agentModels: readonly AgentModel[];
  readonly attempts: number;
  readonly concurrent: number;
  readonly startedAt: Micros;
  readonly offsetMinutes: number;
}

/** Columns of the pass table, as agent-model pairs' lookups. */
export function passesOf(column: 0 | 1 | 2 | 3): (task: string) => number {
  return (task) => PASSES[task]?.[column] ?? 0;
}

/** `<task, cut at 32>__<7 characters>`, as Harbor names trials. */
export function formatTrialName(task: string, rng: Random): string {
  return `${task.slice(0, 32)}__${rng.shortId()}`;
}

function pickShape(plan: MixPlan, agent: SampleAgent, index: number): TrialPlan["shape"] {
  if (plan.flavour === "0.22.0" && index % 2 === 0) return "subagents";
  return agent === LAMP && index % 5 === 2 ? "split" : "plain";
}

/**
 * A job of stories, planned like Harbor does: attempts outermost, then tasks, then agents.
 *
 * @param rng - the job's own stream
 */
export function prepareMixJob(plan: MixPlan, rng: Random): JobRecord {
  const tasks = plan.stories.map((story) => story.task);
  const outcomes = plan.agentModels.map((agentModel) =>
    planOutcomes(
      tasks,
      agentModel.passes,
      plan.attempts,
      agentModel.breakdowns,
      rng.fork(`outcomes/${agentModel.agent.spec.name}`),
    ),
  );
  const makers: TrialMaker[] = [];
  for (let attempt = 0; attempt < plan.attempts; attempt += 1) {
    for (const story of plan.stories) {
      plan.agentModels.forEach(({ agent }, column) => {
        const stream = rng.fork(`${story.task}/${agent.spec.name}/${attempt}`);
        const outcome: Outcome = outcomes[column]?.get(story.task)?.[attempt] ?? { kind: "fail" };
        const shape = pickShape(plan, agent, stream.int(0, 9));
        const name = formatTrialName(story.task, stream);
        makers.push((from) =>
          prepareStoryTrial(
            { story, agent, attempt: attempt + 1, outcome, shape, late: plan.flavour === "0.22.0" },
            name,
            plan.name,
            from,
            stream,
          ),
        );
      });
    }
  }
  const trials = scheduleTrials(makers, plan.concurrent, plan.startedAt);
  const end = lastEnd(trials, plan.startedAt) + 412_907;
  return {
    id: rng.fork("id").uuid(),
    name: plan.name,
    flavour: plan.flavour,
    dataset: plan.dataset,
    tasks,
    agents: plan.agentModels.map(({ agent }) => agent.spec),
    attempts: plan.attempts,
    concurrent: plan.concurrent,
    maxRetries: 0,
    startedAt: plan.startedAt,
    updatedAt: end,
    finishedAt: end,
    offsetMinutes: plan.offsetMinutes,
    retries: 0,
    trials,
    summation: "cpython-3.12",
    files: [],
    log: trials
      .map(
        (trial) =>
          `Skipping image OS validation for tm__${trial.task}: docker inspect returned 1\n${trial.exception === null ? "" : `Trial ${trial.name} failed: ${trial.exception.message}\n`}`,
      )
      .join(""),
  };
}

/** Three agents, 24 tasks, five attempts: the job most screens show. */
export function prepareBaseline(rng: Random): JobRecord {
  return prepareMixJob(
    {
      name: "tb2-baseline",
      flavour: "0.13.1",
      dataset: TERMINAL_MIX,
      stories: STORIES,
      attempts: 5,
      concurrent: 6,
      startedAt: parseInstant("2026-11-14T02:31:04.218Z") + 77,
      offsetMinutes: 0,
      agentModels: [
        {
          agent: ORCA,
          passes: passesOf(0),
          breakdowns: [
            ...repeat(1, "AgentTimeoutError", 1),
            ...repeat(4, "AgentTimeoutError", 0),
            ...repeat(1, "EnvironmentStartTimeoutError", null),
            ...repeat(1, "RewardFileNotFoundError", null),
          ],
        },
        {
          agent: LAMP,
          passes: passesOf(1),
          breakdowns: [
            ...repeat(1, "AgentTimeoutError", 1),
            ...repeat(5, "AgentTimeoutError", 0),
            ...repeat(1, "VerifierTimeoutError", null),
          ],
        },
        {
          agent: TERN,
          passes: passesOf(2),
          breakdowns: [
            ...repeat(7, "AgentTimeoutError", 0),
            ...repeat(2, "NonZeroAgentExitCodeError", 0),
            ...repeat(1, "NonZeroAgentExitCodeError", null),
            ...repeat(2, "EnvironmentStartTimeoutError", null),
            ...repeat(1, "RewardFileNotFoundError", null),
            ...repeat(1, "CancelledError", null),
          ],
        },
      ],
    },
    rng,
  );
}

/** The improved agent over the same tasks, recorded by a newer Harbor on a machine five hours behind UTC. */
export function prepareNext(rng: Random): JobRecord {
  return prepareMixJob(
    {
      name: "tb2-orca-next",
      flavour: "0.22.0",
      dataset: TERMINAL_MIX,
      stories: STORIES,
      attempts: 5,
      concurrent: 8,
      startedAt: parseInstant("2026-11-16T19:04:51.640Z") + 18,
      offsetMinutes: -300,
      agentModels: [
        {
          agent: ORCA_NEXT,
          passes: passesOf(3),
          breakdowns: [
            ...repeat(1, "AgentTimeoutError", 1),
            ...repeat(1, "AgentTimeoutError", 0),
            ...repeat(1, "EnvironmentStartTimeoutError", null),
          ],
        },
      ],
    },
    rng,
  );
}
