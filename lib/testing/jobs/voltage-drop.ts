import { LAMP, ORCA } from "../agents";
import { parseInstant } from "../clock";
import designTasks from "../data/design-tasks.json" with { type: "json" };
import { formatJson, type Json } from "../json-text";
import { preparePlainTrial } from "../plain-trial";
import type { Random } from "../random";
import type { JobRecord, SampleFile } from "../record";
import { scheduleTrials } from "../schedule";
import { type Action, read, sh, write } from "../story";
import { CRASHED_VERIFIER } from "./crashed-verifier";
import { finishJob, localDataset } from "./finish-job";
import { formatTrialName } from "./terminal-mix";

/** A task with the shape in which its verifier writes details.json. */
interface DesignTask {
  readonly task: string;
  readonly ask: string;
  readonly fields: readonly string[];
  readonly evidence: readonly (readonly string[])[];
  readonly shape: "rows" | "rubric" | "flat" | "rooms" | "gates";
}

/** One task for each shape. */
const TASKS = designTasks as readonly DesignTask[];

const ROOMS = ["meeting_8_01", "open_office_8_02", "corridor_8_03"] as const;

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

function mean(values: readonly number[]): number {
  return (
    Math.round((values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)) * 10_000) / 10_000
  );
}

interface Verdict {
  readonly reward: number;
  readonly details: Json;
}

function evidenceOf(task: DesignTask, index: number, score: number): string {
  const [good = "", poor = ""] = task.evidence[index] ?? [];
  return score >= 0.75 ? good : poor;
}

function judge(task: DesignTask, skill: number, rng: Random): Verdict {
  const scores = task.fields.map(() => (rng.chance(skill) ? 1 : round2(rng.pick([0, 0.25, 0.5, 0.6]))));
  const reward = mean(scores);
  switch (task.shape) {
    case "flat":
      return {
        reward,
        details: Object.fromEntries(task.fields.map((field, index) => [field, scores[index] ?? 0])),
      };
    case "rows":
      return {
        reward,
        details: Object.fromEntries(
          task.fields.map((field, index) => [
            field,
            {
              score: scores[index] ?? 0,
              max_score: 1.0,
              evidence: evidenceOf(task, index, scores[index] ?? 0),
            },
          ]),
        ),
      };
    case "rubric": {
      const rows = task.fields.map((field, index) => {
        const score = scores[index] ?? 0;
        const criteria = evidenceOf(task, index, score);
        return [
          field,
          {
            score: round2(score * 5),
            max_score: 5.0,
            evidence: criteria,
            eval_method: field === "actionability" ? "judge" : "mechanical",
            satisfied: score >= 0.5 ? [criteria] : [],
            unsatisfied: score >= 0.5 ? [] : [criteria],
          },
        ] as const;
      });
      return { reward, details: { reward, ...Object.fromEntries(rows) } };
    }
    case "rooms": {
      const rooms = ROOMS.map(
        (room) =>
          [
            room,
            Object.fromEntries(
              task.fields.map((field) => [field, rng.chance(skill) ? 1 : round2(rng.pick([0, 0.4, 0.8]))]),
            ),
          ] as const,
      );
      return {
        reward: mean(rooms.flatMap(([, fields]) => Object.values(fields))),
        details: Object.fromEntries(rooms),
      };
    }
    case "gates": {
      const items = task.fields.map((field, index) => ({
        name: field,
        passed: (scores[index] ?? 0) >= 0.5,
        evidence: evidenceOf(task, index, scores[index] ?? 0),
      }));
      const open = items[0]?.passed ?? false;
      const gated = open ? reward : 0;
      return {
        reward: gated,
        details: {
          gates: { score: open ? 1.0 : 0.0, items: items.slice(0, 1) },
          completeness: {
            score: reward,
            max_score: 1.0,
            evidence: `${items.filter((item) => item.passed).length} of ${items.length} checks`,
          },
          items,
        },
      };
    }
  }
}

function actionsFor(task: DesignTask, answer: string): Action[] {
  return [
    sh(
      "ls /workspace/inputs",
      "brief.md\nregister.csv\nsingle-line.pdf\ntables.csv",
      "What the brief comes with.",
    ),
    read(
      "/workspace/inputs/brief.md",
      `# ${task.task}\n\n${task.ask}\n\nAnswer in /workspace/output.jsonl, one object a line.`,
    ),
    sh(
      "head -4 /workspace/inputs/tables.csv",
      "size_mm2,r_ohm_km,x_ohm_km,rating_a\n16,1.47,0.087,80\n50,0.493,0.078,151\n95,0.247,0.0753,230",
      "Resistances and reactances per kilometre.",
    ),
    write("/workspace/output.jsonl", answer, "Writing the answer."),
    sh("python3 -m json.tool --json-lines /workspace/output.jsonl >/dev/null && echo valid", "valid"),
  ];
}

function outputFiles(answer: string, broken: boolean): SampleFile[] {
  return [
    { path: "agent/output.jsonl", content: broken ? answer.slice(0, Math.floor(answer.length / 2)) : answer },
    {
      path: "agent/agent_result.json",
      content: formatJson(
        {
          status: broken ? "failed" : "completed",
          output_path: "/workspace/output.jsonl",
          output_format: "jsonl",
          error_message: broken ? "line 1 is not JSON" : null,
        },
        2,
      ),
    },
  ];
}

function writeAnswer(task: DesignTask, preparedBy: string): string {
  const fields = task.fields.map((field, index) => [field, evidenceOf(task, index, 1) || "see schedule"]);
  return `${JSON.stringify({ ...Object.fromEntries(fields), prepared_by: preparedBy })}\n`;
}

function verifierFiles(verdict: Verdict): SampleFile[] {
  return [
    { path: "verifier/reward.json", content: formatJson({ reward: verdict.reward }, 2) },
    { path: "verifier/details.json", content: formatJson(verdict.details, 2) },
    { path: "verifier/test-stdout.txt", content: `reward ${verdict.reward}\n` },
  ];
}

/** Engineering tasks whose verifiers write reward.json and details.json, in all the shapes that occur. */
export function prepareVoltageDrop(rng: Random): JobRecord {
  const agentModels = [
    { agent: ORCA, skill: 0.8 },
    { agent: LAMP, skill: 0.6 },
  ];
  const makers = [1, 2, 3].flatMap((attempt) =>
    TASKS.flatMap((task) =>
      agentModels.map(({ agent, skill }) => {
        const stream = rng.fork(`${task.task}/${agent.spec.name}/${attempt}`);
        const broken = task.shape === "rows" && attempt === 2 && agent === LAMP;
        const judged = judge(task, skill, stream);
        const verdict = broken
          ? {
              reward: 0,
              details: Object.fromEntries(
                task.fields.map((field) => [
                  field,
                  { score: 0.0, max_score: 1.0, evidence: "output.jsonl cannot be parsed" },
                ]),
              ),
            }
          : judged;
        // A judge that is asked twice: the second answer is the first one's, and its reward is not.
        const asked = task.shape === "rubric" && agent === ORCA && attempt === 2 ? 1 : attempt;
        const crashed = task.shape === "rubric" && agent === LAMP && attempt === 3;
        const answer = writeAnswer(task, `${agent.spec.name}, run ${asked}`);
        return (from: number) =>
          preparePlainTrial(
            {
              name: formatTrialName(task.task, stream),
              task: task.task,
              attempt,
              agent,
              late: false,
              minutes: 3.1,
              prompt: task.ask,
              actions: actionsFor(task, answer),
              report: "The answer is in /workspace/output.jsonl, with the assumptions beside each value.",
              rewards: new Map([["reward", crashed ? 0 : verdict.reward]]),
              verifierFiles: crashed ? CRASHED_VERIFIER : verifierFiles(verdict),
              extraFiles: outputFiles(answer, broken),
            },
            from,
            stream,
          );
      }),
    ),
  );
  const startedAt = parseInstant("2026-11-10T22:41:19.530Z") + 411;
  return finishJob(
    {
      id: rng.fork("id").uuid(),
      name: "voltage-drop-aec",
      flavour: "0.13.1",
      dataset: localDataset("au-core"),
      tasks: TASKS.map((task) => task.task),
      agents: agentModels.map(({ agent }) => agent.spec),
      attempts: 3,
      concurrent: 3,
      startedAt,
      offsetMinutes: 630,
    },
    scheduleTrials(makers, 3, startedAt),
  );
}
