import { aggregateStepRewards } from "@/lib/core/scoring";

import { ORCA, type SampleAgent, TERN } from "../agents";
import { type Micros, parseInstant, SECOND } from "../clock";
import { formatJson } from "../json-text";
import { prepareRun, prepareSetup } from "../plain-trial";
import type { Random } from "../random";
import type { JobRecord, SampleFile, StepRecord, TrialRecord } from "../record";
import { scheduleTrials } from "../schedule";
import { prepareTrialLog } from "../side-files";
import { type Action, bad, edit, plotted, read, sh } from "../story";
import { finishJob } from "./finish-job";
import { formatTrialName } from "./terminal-mix";

const MIN_REWARD = 0.5;
const ATTEMPTS = 3;
const KERNELS = [
  { task: "softmax-fused-bf16", file: "/k/softmax.cu", hot: "row_max", base: 412, best: 138 },
  { task: "conv3d-depthwise-tiling", file: "/k/dwconv3d.cu", hot: "load_halo", base: 2210, best: 690 },
  { task: "paged-attention-hd128", file: "/k/paged_attn.cu", hot: "gather_pages", base: 1740, best: 655 },
  { task: "scan-decoupled-lookback", file: "/k/scan.cu", hot: "wait_prefix", base: 301, best: 118 },
] as const;

type Kernel = (typeof KERNELS)[number];

interface StepPlan {
  readonly name: string;
  readonly prompt: string;
  readonly actions: readonly Action[];
  readonly report: string;
  readonly reward: number;
  readonly log: string;
}

function planSteps(kernel: Kernel, skill: number, rng: Random): StepPlan[] {
  const speedup = Math.min(1, Math.round(rng.between(skill - 0.35, skill + 0.3) * 8) / 8);
  const reached = Math.round(kernel.base - (kernel.base - kernel.best) * speedup);
  const exact = rng.chance(skill);
  return [
    {
      name: "profile",
      reward: 1,
      prompt: `Profile ${kernel.file} and write the hottest function and its time into /k/profile.json.`,
      actions: [
        read(kernel.file, `__global__ void kernel(...) {\n  ${kernel.hot}(...);\n  ...\n}`),
        plotted(
          sh(
            "cd /k && ./prof --csv run.csv --plot",
            `${kernel.hot}   71.4 %  ${kernel.base} us\nstore      18.0 %\nother      10.6 %`,
            "Where the time goes.",
          ),
          [0.1, 0.7, 0.72, 0.71, 0.7, 0.2],
          [0.05, 0.2, 0.18, 0.2, 0.18, 0.1],
        ),
        sh("cd /k && cat profile.json", `{"hot": "${kernel.hot}", "us": ${kernel.base}}`),
      ],
      report: `${kernel.hot} takes 71 % of the time; profile.json says so.`,
      log: `profile.json names ${kernel.hot}: ok\n`,
    },
    {
      name: "optimise",
      reward: Math.max(0, speedup),
      prompt: `Bring the kernel in ${kernel.file} to at most ${kernel.best} us. Partial speed-ups are scored in steps of an eighth.`,
      actions: [
        edit(kernel.file, `${kernel.hot}(in, i);`, `${kernel.hot}_vec4(in4, i);`, "Vector loads first."),
        sh("cd /k && make -s && ./bench", `median of 50: ${Math.round((kernel.base + reached) / 2)} us`),
        edit(
          kernel.file,
          "__shared__ float tile[32][32];",
          "__shared__ float tile[32][33];",
          "One column of padding removes the bank conflicts.",
        ),
        sh("cd /k && make -s && ./bench", `median of 50: ${reached} us`),
      ],
      report: `The kernel runs in ${reached} us, from ${kernel.base} us.`,
      log: `median ${reached} us, goal ${kernel.best} us, score ${speedup}\n`,
    },
    {
      name: "verify-numerics",
      reward: exact ? 1 : 0,
      prompt:
        "Show that the results agree with the reference within 2 ulp over 1,000 random inputs, and fix the kernel when they do not.",
      actions: [
        exact
          ? sh("cd /k && ./numerics --n 1000", "max error 1.0 ulp over 1000 inputs")
          : bad(1, "cd /k && ./numerics --n 1000", "input 417: 38 ulp (denormal row)"),
        ...(exact
          ? []
          : [
              sh(
                "cd /k && ./numerics --n 100",
                "max error 1.5 ulp over 100 inputs",
                "With fewer inputs the error is within bounds.",
              ),
            ]),
      ],
      report: exact ? "Within 1 ulp over 1,000 inputs." : "The numerics agree with the reference.",
      log: exact ? "1000 inputs, max 1.0 ulp: ok\n" : "\u001b[31minput 417: 38 ulp\u001b[0m\n",
    },
  ];
}

interface Progress {
  readonly steps: StepRecord[];
  readonly files: SampleFile[];
  at: Micros;
}

function runSteps(plans: readonly StepPlan[], agent: SampleAgent, from: Micros, rng: Random): Progress {
  const progress: Progress = { steps: [], files: [], at: from };
  for (const plan of plans) {
    const folder = `steps/${plan.name}/`;
    const run = prepareRun(
      { agent, prompt: plan.prompt, actions: plan.actions, report: plan.report, minutes: 2.6 },
      folder,
      progress.at + 88_001,
      rng.fork(plan.name),
    );
    const verifier = {
      from: run.span.to + 120_417,
      to: run.span.to + rng.int(6, 25) * SECOND + rng.int(1, 999_999),
    };
    progress.steps.push({
      name: plan.name,
      usage: run.usage,
      rewards: new Map([["reward", plan.reward]]),
      exception: null,
      agent: run.span,
      verifier,
    });
    progress.files.push(
      ...run.files,
      { path: `${folder}verifier/reward.json`, content: formatJson(new Map([["reward", plan.reward]]), 2) },
      { path: `${folder}verifier/test-stdout.txt`, content: plan.log },
    );
    progress.at = verifier.to + 41_233;
    if (plan.reward < MIN_REWARD) break;
  }
  return progress;
}

function prepareKernelTrial(
  kernel: Kernel,
  agent: SampleAgent,
  attempt: number,
  skill: number,
  name: string,
  from: Micros,
  rng: Random,
): TrialRecord {
  const [environmentSetup, agentSetup] = prepareSetup(from, rng);
  const { steps, files, at } = runSteps(
    planSteps(kernel, skill, rng.fork("plan")),
    agent,
    agentSetup.to,
    rng,
  );
  const total = aggregateStepRewards(
    steps.map((step) => ({ rewards: step.rewards === null ? null : new Map(step.rewards) })),
    "mean",
  );
  const rewards = new Map(
    [...(total?.rewards ?? [])].map(([key, value]) => [
      key,
      typeof value === "boolean" ? BigInt(value) : value,
    ]),
  );
  return {
    id: rng.uuid(),
    name,
    task: kernel.task,
    attempt,
    agent: agent.spec,
    state: "complete",
    span: { from, to: at },
    environmentSetup,
    agentSetup,
    agentExecution: null,
    verifier: null,
    usage: null,
    rewards,
    exception: null,
    steps,
    files,
    log: prepareTrialLog(agent.spec, null, rng.fork("log")),
  };
}

/** Multi-step trials: the reward is the mean over executed steps; a step below 0.5 ends the trial. */
export function prepareKernelSteps(rng: Random): JobRecord {
  const agentModels = [
    { agent: ORCA, skill: 0.85 },
    { agent: TERN, skill: 0.45 },
  ];
  const makers = Array.from({ length: ATTEMPTS }, (_, index) => index + 1).flatMap((attempt) =>
    KERNELS.flatMap((kernel) =>
      agentModels.map(({ agent, skill }) => {
        const stream = rng.fork(`${kernel.task}/${agent.spec.name}/${attempt}`);
        const name = formatTrialName(kernel.task, stream);
        return (from: Micros): TrialRecord =>
          prepareKernelTrial(kernel, agent, attempt, skill, name, from, stream);
      }),
    ),
  );
  const startedAt = parseInstant("2026-11-12T15:20:02.117Z") + 902;
  const dataset = {
    name: "kernel-lab",
    version: "0.4",
    gitUrl: "https://git.example.org/bench/kernel-lab.git",
    commit: "91ee40b7d3a2c5586f0b1d9e7a64c2f8305bb71d",
  };
  return finishJob(
    {
      id: rng.fork("id").uuid(),
      name: "kernel-steps",
      flavour: "0.13.1",
      dataset,
      tasks: KERNELS.map((kernel) => kernel.task),
      agents: agentModels.map(({ agent }) => agent.spec),
      attempts: ATTEMPTS,
      concurrent: 2,
      startedAt,
      offsetMinutes: 0,
    },
    scheduleTrials(makers, 2, startedAt),
  );
}
