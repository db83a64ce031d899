import { SECOND, formatStepTime } from "./clock";
import type { Json } from "./json-text";
import type { Random } from "./random";
import { type Action, sh, type Story } from "./story";
import { prepareRunSteps, prepareTrajectory, type RunScript, type RunSteps } from "./trajectory";

type Fields = Record<string, Json>;

/** A lead agent's steps with two delegations in place, one helper's run embedded and one in a separate file. */
interface Delegation {
  readonly steps: readonly Fields[];
  readonly embedded: Fields;
  readonly external: Fields;
}

function delegateStep(
  script: RunScript,
  at: number,
  callId: string,
  request: string,
  answer: string,
  ref: Fields,
): Fields {
  return {
    step_id: 0n,
    timestamp: formatStepTime(at),
    source: "agent",
    ...(script.agent.model === null ? {} : { model_name: script.agent.model }),
    message: "",
    tool_calls: [
      {
        tool_call_id: callId,
        function_name: "delegate",
        arguments: { role: ref["trajectory_path"] === undefined ? "scout" : "reviewer", request },
      },
    ],
    observation: { results: [{ source_call_id: callId, content: answer, subagent_trajectory_ref: [ref] }] },
    llm_call_count: 1n,
  };
}

function helperRun(
  script: RunScript,
  name: string,
  prompt: string,
  actions: readonly Action[],
  report: string,
  from: number,
  rng: Random,
): readonly [Fields, string] {
  // A helper's run has no folder of its own, so there is no place for its pictures.
  const told = actions.map(({ tool, say, think, target, before, after, output, exitCode }): Action => ({
    tool,
    say,
    target,
    output,
    exitCode,
    ...(think === undefined ? {} : { think }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }));
  const helper: RunScript = {
    ...script,
    agent: { ...script.agent, name },
    prompt,
    actions: told,
    report,
    system: "You help a lead agent. Read and report; change nothing.",
    span: { from, to: from + 40 * SECOND },
  };
  const id = rng.uuid();
  return [prepareTrajectory(helper, prepareRunSteps(helper, rng), { trajectory_id: id }), id];
}

/**
 * Puts two delegations into a run: a scout before the work (embedded document) and a reviewer before the report
 * (a document of its own, referred to by path).
 */
export function prepareSubagents(script: RunScript, run: RunSteps, story: Story, rng: Random): Delegation {
  const { from, to } = script.span;
  const scoutTask = `Read the sources of ${story.workdir} and tell me where the behaviour the task describes is decided. Do not edit.`;
  const where =
    story.work.find((action) => action.tool === "edit")?.target ??
    story.fix.find((action) => action.tool === "edit")?.target ??
    story.workdir;
  const scoutAnswer = `The deciding place is ${where}. Nothing else in the tree writes the same state.`;
  const [embedded, scoutId] = helperRun(
    script,
    "orca-scout",
    scoutTask,
    story.explore.slice(0, 3),
    scoutAnswer,
    from + 5 * SECOND,
    rng.fork("scout"),
  );
  const reviewTask = "Review the diff against the instruction. List anything that is asked for and not done.";
  const reviewAnswer =
    story.tests.length > 8
      ? "Everything the instruction asks for is covered by the diff; no unrelated change."
      : "The diff matches the instruction.";
  const diff = sh(
    `cd ${story.workdir} && git diff`,
    [...story.work, ...story.fix]
      .filter((action) => action.tool === "edit")
      .map(
        (action) =>
          `--- a/${action.target}\n+++ b/${action.target}\n-${action.before ?? ""}\n+${action.after ?? ""}`,
      )
      .join("\n"),
  );
  const [external] = helperRun(
    script,
    "orca-reviewer",
    reviewTask,
    [diff],
    reviewAnswer,
    to - 60 * SECOND,
    rng.fork("review"),
  );
  const scout = delegateStep(script, from + 4 * SECOND, `call_${rng.hex(12)}`, scoutTask, scoutAnswer, {
    trajectory_id: scoutId,
    session_id: script.sessionId,
  });
  const review = delegateStep(script, to - 61 * SECOND, `call_${rng.hex(12)}`, reviewTask, reviewAnswer, {
    trajectory_path: "trajectory.review-1.json",
    session_id: script.sessionId,
  });
  const last = run.steps.length - (script.report === null ? 0 : 1);
  const ordered = [
    ...run.steps.slice(0, 3),
    scout,
    ...run.steps.slice(3, last),
    review,
    ...run.steps.slice(last),
  ];
  return {
    steps: ordered.map((step, index) => ({ ...step, step_id: BigInt(index + 1) })),
    embedded,
    external,
  };
}
