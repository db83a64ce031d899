import { LAMP, ORCA } from "../agents";
import { parseInstant } from "../clock";
import SQL_TASKS from "../data/sql-tasks.json" with { type: "json" };
import { formatJson, type Json } from "../json-text";
import { preparePlainTrial } from "../plain-trial";
import type { Random } from "../random";
import type { JobRecord, SampleFile } from "../record";
import { scheduleTrials, type TrialMaker } from "../schedule";
import { edit, read, sh } from "../story";
import { finishJob } from "./finish-job";
import { formatTrialName } from "./terminal-mix";

/** A query that is wrong in one way. */
type SqlTask = (typeof SQL_TASKS)[number];

const ATTEMPTS = 4;

interface Scores {
  readonly correctness: number;
  readonly speed: number;
  readonly style: number;
  readonly report: number;
  /** Scored only where the task allows writes. */
  readonly safety: number | null;
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function drawScores(task: SqlTask, skill: number, rng: Random): Scores {
  const right = rng.chance(skill);
  return {
    correctness: right ? 1 : round4(rng.int(1, 6) / 7),
    speed: round4(right ? rng.pick([1, 0.75, 0.5]) : rng.pick([0, 0.25, 0.5])),
    style: round4((rng.int(2, 5) * 2 + rng.int(0, 1)) / 11),
    report: round4(rng.pick([1, 0.6667, 0.3333])),
    safety: task.task === "upsert-lost-update" ? (rng.chance(0.8) ? 1 : 0) : null,
  };
}

function headline(scores: Scores): number {
  return round4(0.5 * scores.correctness + 0.2 * scores.speed + 0.2 * scores.style + 0.1 * scores.report);
}

function programmatic(
  score: number,
  criteria: readonly (readonly [name: string, value: number, note: string])[],
): Json {
  return {
    score,
    kind: "programmatic",
    criteria: criteria.map(([name, value, note]) => ({
      name,
      value,
      raw: value === 1,
      weight: 1.0,
      description: note,
    })),
  };
}

function judged(score: number, name: string, reasoning: string, rng: Random): Json {
  return {
    score,
    kind: "llm",
    criteria: [
      {
        name,
        value: score,
        raw: BigInt(Math.round(score * 10)),
        weight: 1.0,
        description: "Rated from 0 to 10.",
        reasoning,
      },
    ],
    judge: {
      model: "brightwork/halyard-judge",
      reasoning_effort: "low",
      timeout: 120n,
      files: ["/app/query.sql"],
      mode: "batched",
    },
    judge_output: `{"${name}": {"score": ${Math.round(score * 10)}, "reasoning": ${JSON.stringify(reasoning)}}}`,
    usage: { input_tokens: BigInt(rng.int(1400, 2600)), output_tokens: BigInt(rng.int(90, 260)) },
  };
}

function prepareDetails(task: SqlTask, scores: Scores, rng: Random): Json {
  const passed = Math.round(scores.correctness * 7);
  const rows = Array.from(
    { length: 7 },
    (_, index) =>
      [
        `result set ${index + 1}`,
        index < passed ? 1 : 0,
        index < passed ? "Rows agree with the reference." : task.fault,
      ] as const,
  );
  const timing = programmatic(scores.speed, [
    ["within twice the reference time", scores.speed >= 0.5 ? 1 : 0, "Median of five runs."],
  ]);
  const plan = programmatic(scores.speed, [
    ["no sequential scan of the fact table", scores.speed >= 0.75 ? 1 : 0, "From explain (format json)."],
  ]);
  return {
    correctness: programmatic(scores.correctness, rows),
    speed: {
      kind: "group",
      score: scores.speed,
      aggregation: "weighted_mean",
      components: [
        { name: "timing", weight: 2.0, detail: timing },
        { name: "plan", weight: 1.0, detail: plan },
      ],
    },
    style: judged(
      scores.style,
      "readable_sql",
      scores.style > 0.7
        ? "Names say what they hold, and the filter stands where it belongs."
        : "The fix works on the symptom with a DISTINCT; aliases are single letters.",
      rng,
    ),
    report: [
      programmatic(scores.report, [["names the fault", scores.report > 0.5 ? 1 : 0, task.fault]]),
      judged(scores.report, "honest_report", "The report says what was run and what was not.", rng),
    ],
    ...(scores.safety === null
      ? {}
      : {
          safety: programmatic(scores.safety, [
            ["no table rewritten", scores.safety, "Compared by oid before and after."],
          ]),
        }),
  };
}

function verifierFiles(
  task: SqlTask,
  scores: Scores,
  rewards: ReadonlyMap<string, number>,
  rng: Random,
): SampleFile[] {
  const lines = [...rewards].map(([key, value]) => `  ${key.padEnd(12)} ${value.toFixed(4)}`);
  return [
    { path: "verifier/reward.json", content: formatJson(rewards, 2) },
    { path: "verifier/reward-details.json", content: formatJson(prepareDetails(task, scores, rng), 2) },
    {
      path: "verifier/test-stdout.txt",
      content: `\u001b[1mrewardkit\u001b[0m scoring ${task.task}\n${lines.join("\n")}\n${scores.correctness === 1 ? "\u001b[32mall result sets agree\u001b[0m" : `\u001b[31m${task.fault}\u001b[0m`}\n`,
    },
  ];
}

function actionsFor(task: SqlTask, right: boolean): ReturnType<typeof sh>[] {
  return [
    read("/app/query.sql", task.wrong, "The query as it is."),
    sh("psql -d shop -f /app/query.sql", task.before, "What it gives today.", task.fault),
    sh(
      "psql -d shop -c '\\d+' | head -12",
      "          List of relations\n Schema |   Name    | Type  | Size\n--------+-----------+-------+--------\n public | orders    | table | 1204 MB\n public | shipments | table | 2210 MB",
    ),
    edit(
      "/app/query.sql",
      task.wrong,
      right ? task.right : task.wrong.replace("select ", "select distinct "),
      right ? "Fixing the cause." : "Duplicates are the visible symptom; a DISTINCT removes them.",
    ),
    sh("psql -d shop -f /app/query.sql", right ? task.after : task.before, "And now."),
  ];
}

/** Rewards with several keys, fractional, with details of every rewardkit shape; a fifth key on some trials only. */
export function prepareSqlRepair(rng: Random): JobRecord {
  const makers: TrialMaker[] = [];
  const agentModels = [
    { agent: LAMP, skill: 0.62 },
    { agent: ORCA, skill: 0.8 },
  ];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    for (const task of SQL_TASKS) {
      for (const { agent, skill } of agentModels) {
        const stream = rng.fork(`${task.task}/${agent.spec.name}/${attempt}`);
        const scores = drawScores(task, skill, stream);
        const { safety, ...common } = scores;
        const rewards = new Map<string, number>([
          ["reward", headline(scores)],
          ...Object.entries(common),
          ...(safety === null ? [] : [["safety", safety] as const]),
        ]);
        const right = scores.correctness === 1;
        makers.push((from) =>
          preparePlainTrial(
            {
              name: formatTrialName(task.task, stream),
              task: task.task,
              attempt,
              agent,
              late: true,
              minutes: 2.2,
              rewards,
              prompt: `/app/query.sql runs against the database "shop" and gives a wrong result. ${task.fault}\n\nRepair the query. It is scored for correctness (7 result sets), speed, style and an honest report.`,
              actions: actionsFor(task, right),
              report: right
                ? `${task.fault} The query is repaired at the cause; the result agrees with a count by hand.`
                : "I added DISTINCT, which removes the surplus rows. The result looks plausible now.",
              verifierFiles: verifierFiles(task, scores, rewards, stream),
            },
            from,
            stream,
          ),
        );
      }
    }
  }
  const startedAt = parseInstant("2026-11-11T05:12:40.902Z") + 344;
  const dataset = {
    name: "sql-repair",
    version: "2.1",
    gitUrl: "https://git.example.org/bench/sql-repair.git",
    commit: "c07d1e5540f2b9a86c3e17d2890af6b35d41e9c8",
  };
  return finishJob(
    {
      id: rng.fork("id").uuid(),
      name: "sql-repair-rubric",
      flavour: "0.22.0",
      dataset,
      tasks: SQL_TASKS.map((task) => task.task),
      agents: agentModels.map(({ agent }) => agent.spec),
      attempts: ATTEMPTS,
      concurrent: 4,
      startedAt,
      offsetMinutes: 120,
    },
    scheduleTrials(makers, 4, startedAt),
  );
}
