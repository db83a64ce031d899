import { SECOND, formatStepTime } from "./clock";
import type { Json } from "./json-text";
import { drawPlot } from "./png";
import type { Random } from "./random";
import type { AgentSpec, SampleFile, Span, Usage } from "./record";
import type { Action } from "./story";

type Fields = Record<string, Json>;

/** Price of an invented model in dollars per million tokens, and how it talks. */
export interface Manner {
  readonly inputPrice: number;
  readonly cachePrice: number;
  readonly outputPrice: number;
  readonly contextTokens: number;
  readonly thinks: boolean;
  readonly effort: string | null;
}

/** Settings of a generated run of steps. */
export interface RunScript {
  readonly agent: AgentSpec;
  readonly manner: Manner;
  readonly system: string;
  readonly prompt: string;
  readonly actions: readonly Action[];
  readonly report: string | null;
  readonly span: Span;
  readonly sessionId: string;
}

/** Steps of one trajectory with what they used and the pictures they refer to. */
export interface RunSteps {
  readonly steps: readonly Fields[];
  readonly usage: Usage;
  readonly images: readonly SampleFile[];
}

interface Meter {
  context: number;
  input: number;
  cache: number;
  output: number;
  costUsd: number;
}

const MILLION = 1_000_000;

function roundCost(value: number): number {
  return Math.round(value * MILLION) / MILLION;
}

function meterStep(meter: Meter, manner: Manner, text: string, observation: string, rng: Random): Json {
  const prompt = Math.round(meter.context);
  const cached = meter.input === 0 ? 0 : Math.round(prompt * rng.between(0.86, 0.97));
  const completion = Math.round(text.length / 3.6) + rng.int(120, 780);
  const cost = roundCost(
    ((prompt - cached) * manner.inputPrice + cached * manner.cachePrice + completion * manner.outputPrice) /
      MILLION,
  );
  meter.context += completion + observation.length / 3.4 + rng.int(20, 90);
  meter.input += prompt;
  meter.cache += cached;
  meter.output += completion;
  meter.costUsd = roundCost(meter.costUsd + cost);
  return {
    prompt_tokens: BigInt(prompt),
    completion_tokens: BigInt(completion),
    cached_tokens: BigInt(cached),
    cost_usd: cost,
  };
}

function toolCall(action: Action, id: string): Fields {
  const base = { tool_call_id: id, function_name: action.tool };
  switch (action.tool) {
    case "bash":
      return { ...base, arguments: { command: action.target, timeout_sec: 120n } };
    case "read":
      return { ...base, arguments: { path: action.target } };
    case "edit":
      return {
        ...base,
        arguments: { path: action.target, old_string: action.before ?? "", new_string: action.after ?? "" },
      };
    case "write":
      return { ...base, arguments: { path: action.target, content: action.after ?? "" } };
    case "none":
      return base;
  }
}

function formatObservation(action: Action): string {
  if (action.tool !== "bash" || action.exitCode === 0) return action.output;
  return `${action.output}\n[exit code ${action.exitCode}]`;
}

function observe(action: Action, id: string, image: SampleFile | null): Fields {
  const text = formatObservation(action);
  const name = image === null ? "" : image.path.replace(/^agent\//, "");
  const content: Json =
    image === null
      ? text
      : [
          { type: "text", text },
          { type: "image", source: { media_type: "image/png", path: name } },
        ];
  return { results: [{ source_call_id: id, content }] };
}

function plotImage(action: Action, stepId: number): SampleFile | null {
  if (action.plot === undefined) return null;
  const colours: readonly (readonly [number, number, number])[] = [
    [38, 84, 160],
    [196, 92, 32],
    [60, 130, 80],
  ];
  const lines = action.plot.map(
    (values, index) => ({ values, rgb: colours[index % 3] ?? [0, 0, 0] }) as const,
  );
  return { path: `agent/images/step_${stepId}_obs_0_img_0.png`, content: drawPlot(360, 160, lines) };
}

function stepTimes(count: number, span: Span, rng: Random): number[] {
  const weights = Array.from({ length: count }, () => 0.3 + rng.unit() * rng.unit() * 3);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let used = 0;
  return weights.map((weight) => {
    const at = span.from + Math.floor((used / total) * (span.to - span.from));
    used += weight;
    return at;
  });
}

/**
 * ATIF v1.7 steps of a run: a system and a user step, then one agent step for each action, then the report.
 *
 * @param rng - stream used for token counts, call ids and the pace only
 */
export function prepareRunSteps(script: RunScript, rng: Random): RunSteps {
  const { manner, actions, span } = script;
  const meter: Meter = {
    context: manner.contextTokens + script.prompt.length / 3.4,
    input: 0,
    cache: 0,
    output: 0,
    costUsd: 0,
  };
  const times = stepTimes(actions.length + 2, span, rng);
  const images: SampleFile[] = [];
  const steps: Fields[] = [
    { step_id: 1n, timestamp: formatStepTime(span.from), source: "system", message: script.system },
    {
      step_id: 2n,
      timestamp: formatStepTime(span.from + SECOND / 4),
      source: "user",
      message: script.prompt,
    },
  ];
  actions.forEach((action, index) => {
    const stepId = steps.length + 1;
    const callId = `call_${rng.hex(12)}`;
    const image = plotImage(action, stepId);
    if (image !== null) images.push(image);
    const think = manner.thinks ? action.think : undefined;
    const spoken = `${action.say}${think ?? ""}${action.target}${action.after ?? ""}${action.before ?? ""}`;
    steps.push({
      step_id: BigInt(stepId),
      timestamp: formatStepTime(times[index + 1] ?? span.to),
      source: "agent",
      ...(script.agent.model === null ? {} : { model_name: script.agent.model }),
      ...(manner.effort === null ? {} : { reasoning_effort: manner.effort }),
      message: action.say,
      ...(think === undefined ? {} : { reasoning_content: think }),
      ...(action.tool === "none"
        ? {}
        : { tool_calls: [toolCall(action, callId)], observation: observe(action, callId, image) }),
      metrics: meterStep(meter, manner, spoken, action.output, rng),
      llm_call_count: 1n,
    });
  });
  if (script.report !== null) {
    steps.push({
      step_id: BigInt(steps.length + 1),
      timestamp: formatStepTime(span.to - rng.int(1, 3) * SECOND),
      source: "agent",
      ...(script.agent.model === null ? {} : { model_name: script.agent.model }),
      message: script.report,
      metrics: meterStep(meter, manner, script.report, "", rng),
      llm_call_count: 1n,
    });
  }
  return {
    steps,
    images,
    usage: { input: meter.input, cache: meter.cache, output: meter.output, costUsd: meter.costUsd },
  };
}

/** `final_metrics` of a trajectory. */
export function prepareFinalMetrics(usage: Usage, steps: number): Fields {
  return {
    total_prompt_tokens: BigInt(usage.input ?? 0),
    total_completion_tokens: BigInt(usage.output ?? 0),
    total_cached_tokens: BigInt(usage.cache ?? 0),
    total_cost_usd: usage.costUsd ?? 0,
    total_steps: BigInt(steps),
  };
}

/** A whole ATIF v1.7 document around `steps`. */
export function prepareTrajectory(
  script: Pick<RunScript, "agent" | "sessionId">,
  run: RunSteps,
  extra: Fields = {},
): Fields {
  const { agent } = script;
  return {
    schema_version: "ATIF-v1.7",
    session_id: script.sessionId,
    agent: {
      name: agent.name,
      version: agent.version,
      ...(agent.model === null ? {} : { model_name: agent.model }),
    },
    steps: run.steps,
    final_metrics: prepareFinalMetrics(run.usage, run.steps.length),
    ...extra,
  };
}

function renumber(steps: readonly Fields[]): Fields[] {
  return steps.map((step, index) => ({ ...step, step_id: BigInt(index + 1) }));
}

/**
 * The same run split in two documents, as after a context summary: trajectory.json refers to trajectory.cont-1.json,
 * whose first steps repeat the task and hand over a summary as copied context.
 *
 * @param at - number of steps in the first document
 */
export function splitTrajectory(
  script: Pick<RunScript, "agent" | "sessionId">,
  run: RunSteps,
  at: number,
  summary: string,
): readonly [Fields, Fields] {
  const head = run.steps.slice(0, at);
  const tail = run.steps.slice(at);
  const [first, second] = run.steps;
  const copied = [first, second].flatMap((step) =>
    step === undefined ? [] : [{ ...step, is_copied_context: true }],
  );
  const handover: Fields = {
    step_id: 0n,
    timestamp: tail[0]?.["timestamp"] ?? null,
    source: "user",
    message: summary,
  };
  const one = prepareTrajectory(
    script,
    { ...run, steps: head },
    { continued_trajectory_ref: "trajectory.cont-1.json" },
  );
  const two = prepareTrajectory(script, { ...run, steps: renumber([...copied, handover, ...tail]) });
  return [one, two];
}
