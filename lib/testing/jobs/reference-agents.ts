import { NOP_SPEC, ORACLE_SPEC } from "../agents";
import { type Micros, parseInstant, SECOND } from "../clock";
import { prepareSetup } from "../plain-trial";
import type { Random } from "../random";
import type { AgentSpec, JobRecord, SampleFile, TrialRecord } from "../record";
import { scheduleTrials } from "../schedule";
import { prepareManifest } from "../side-files";
import { STORIES, type Story } from "../story";
import { prepareVerifierFiles } from "../verifier-output";
import { finishJob } from "./finish-job";
import { TERMINAL_MIX, formatTrialName } from "./terminal-mix";

function oracleLog(story: Story): SampleFile {
  const lines = story.fix
    .filter((action) => action.tool === "bash")
    .map((action) => `+ ${action.target.split("\n")[0] ?? ""}\n${action.output}`);
  return { path: "agent/oracle.txt", content: `${lines.join("\n")}\n` };
}

function prepareReferenceTrial(
  story: Story,
  spec: AgentSpec,
  name: string,
  from: Micros,
  rng: Random,
): TrialRecord {
  const solves = spec === ORACLE_SPEC;
  const [environmentSetup] = prepareSetup(from, rng);
  const agentSetup = { from: environmentSetup.to + 77, to: environmentSetup.to + 131 };
  const agentExecution = {
    from: agentSetup.to + 43,
    to: agentSetup.to + (solves ? rng.int(2, 40) * SECOND : 260) + rng.int(1, 999),
  };
  const verifier = { from: agentExecution.to + 240_907, to: agentExecution.to + rng.int(4, 30) * SECOND };
  const failed = solves
    ? []
    : story.tests
        .slice(0, Math.max(1, story.tests.length - 2))
        .map((test) => [test, "assert path.exists()", "AssertionError: nothing was changed"] as const);
  return {
    id: rng.uuid(),
    name,
    task: story.task,
    attempt: 1,
    agent: spec,
    state: "complete",
    span: { from, to: verifier.to + 2111 },
    environmentSetup,
    agentSetup,
    agentExecution,
    verifier,
    usage: { input: null, cache: null, output: null, costUsd: null },
    rewards: new Map([["reward", solves ? 1 : 0]]),
    exception: null,
    steps: null,
    files: [
      ...(solves ? [oracleLog(story)] : []),
      ...prepareVerifierFiles(story.tests, failed, verifier.from, rng.fork("verifier")),
      prepareManifest(false),
    ],
    log: "",
  };
}

/** The reference solution and an agent that does nothing: the two ends every task must keep apart. */
export function prepareReferenceAgents(rng: Random): JobRecord {
  const agents = [ORACLE_SPEC, NOP_SPEC];
  const makers = STORIES.flatMap((story) =>
    agents.map((spec) => {
      const stream = rng.fork(`${story.task}/${spec.name}`);
      const name = formatTrialName(story.task, stream);
      return (from: Micros): TrialRecord => prepareReferenceTrial(story, spec, name, from, stream);
    }),
  );
  const startedAt = parseInstant("2026-11-10T16:02:33.071Z") + 605;
  return finishJob(
    {
      id: rng.fork("id").uuid(),
      name: "terminal-mix-oracle",
      flavour: "0.13.1",
      dataset: TERMINAL_MIX,
      tasks: STORIES.map((story) => story.task),
      agents,
      attempts: 1,
      concurrent: 8,
      startedAt,
      offsetMinutes: 0,
    },
    scheduleTrials(makers, 8, startedAt),
  );
}
