import { CROWDED_KINDS } from "./hostile-crowds";
import type { Grow } from "./hostile-grower";
import { prepareJobResult, TRIALS } from "./hostile-results";

const KINDS: Readonly<Record<string, Grow>> = {
  "task-name": (grow) => ({ result: { task_name: grow.text() } }),
  "trial-name": (grow) => ({ result: { trial_name: grow.text() } }),
  agent: (grow) => ({
    result: {
      agent_info: { name: grow.text(), version: grow.text(), model_info: { name: "m1", provider: "p" } },
    },
  }),
  model: (grow) => ({
    result: {
      agent_info: { name: "a", version: "1", model_info: { name: grow.text(), provider: grow.text() } },
    },
  }),
  dataset: (grow) => ({ result: { source: grow.text(), task_checksum: grow.text(), id: grow.text() } }),
  exception: (grow) => ({
    result: {
      exception_info: {
        exception_type: "ValueError",
        exception_message: grow.text(),
        exception_traceback: grow.text(),
        occurred_at: "2026-05-01T10:00:00",
      },
    },
  }),
  "exception-type": (grow) => ({
    result: {
      exception_info: {
        exception_type: grow.text(),
        exception_message: "m",
        exception_traceback: "t",
        occurred_at: "2026-05-01T10:00:00",
      },
    },
  }),
  "reward-keys": (grow) => ({ result: { verifier_result: { rewards: grow.object((n) => n % 2) } } }),
  "reward-key": (grow) => ({ result: { verifier_result: { rewards: { [grow.text()]: 1 } } } }),
  steps: (grow) => ({
    result: {
      step_results: grow.list((n) => ({
        step_name: `${n} ${grow.word()}`,
        verifier_result: { rewards: { reward: n % 2 } },
        exception_info: null,
      })),
    },
  }),
  "step-name": (grow) => ({
    result: { step_results: [{ step_name: grow.text(), verifier_result: { rewards: { reward: 1 } } }] },
  }),
  config: (grow) => ({
    result: {
      config: {
        agent: { name: "a", model_name: "p/m", kwargs: grow.object(() => grow.word()) },
        task: { path: grow.text() },
      },
    },
    files: {
      "config.json": {
        [grow.text()]: grow.text(),
        agent: { name: "a", env: grow.object(() => grow.word()) },
      },
    },
  }),
  "config-value": (grow) => ({
    result: { config: { agent: { name: "a", kwargs: { prompt: grow.text(), [grow.text()]: 1 } } } },
  }),
  dimensions: (grow) => ({
    files: {
      "verifier/reward-details.json": grow.object((n) => ({ score: n % 2, reasoning: grow.word() })),
    },
  }),
  dimension: (grow) => ({
    files: { "verifier/reward-details.json": { [grow.text()]: { score: 1, reasoning: grow.text() } } },
  }),
  criteria: (grow) => ({
    files: {
      "verifier/reward-details.json": {
        reward: {
          score: 0.5,
          criteria: grow.list((n) => ({ name: `c${n}`, value: n % 2, reasoning: grow.word() })),
        },
      },
    },
  }),
  tags: (grow) => ({
    files: { "verifier/details.json": { error_tags: [grow.text(), ...grow.list((n) => `tag ${n}`)] } },
  }),
  analysis: (grow) => ({
    files: {
      "analysis.json": {
        summary: grow.text(),
        checks: grow.object(() => ({ outcome: "fail", explanation: grow.word() })),
      },
    },
  }),
  // Characters that take several times as many bytes in a page as letters do.
  explanations: (grow) => ({
    files: {
      "analysis.json": {
        summary: "s",
        checks: grow.object((n) => ({
          outcome: "fail",
          explanation: (n % 2 ? "名" : "<&").repeat(Math.min(grow.size.chars, 2_000)),
        })),
      },
    },
  }),
  markup: (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: "a" },
        steps: grow.list((n) => ({
          step_id: n + 1,
          source: "agent",
          // With very many steps each has less text, since one text holds the file.
          message: `${(n % 2 ? "`a`" : '<"').repeat(150)}\n`.repeat(
            n < 1_000 ? Math.min(grow.size.chars, 40) : 0,
          ),
        })),
      },
    },
  }),
  tests: (grow) => ({
    files: {
      "verifier/ctrf.json": {
        results: {
          tool: { name: grow.text() },
          summary: {},
          tests: grow.list((n) => ({
            name: `test ${n}`,
            status: n % 2 ? "passed" : "failed",
            message: grow.word(),
          })),
        },
      },
    },
  }),
  "test-message": (grow) => ({
    files: {
      "verifier/ctrf.json": {
        results: {
          tests: [{ name: grow.text(), status: "failed", message: grow.text(), trace: grow.text() }],
        },
      },
      "verifier/reports/junit.xml": `<testsuites><testsuite name="${grow.word()}">${grow
        .list((n) => `<testcase name="${n} ${grow.word()}"><failure message="${grow.word()}"/></testcase>`)
        .join("")}</testsuite></testsuites>`,
    },
  }),
  trajectory: (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: grow.text() },
        steps: grow.list((n) => ({ step_id: n + 1, source: n % 2 ? "agent" : "user", message: grow.word() })),
      },
    },
  }),
  message: (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: "a" },
        steps: [
          { step_id: 1, source: "user", message: grow.text() },
          {
            step_id: 2,
            source: "agent",
            message: grow.text(),
            reasoning_content: grow.text(),
            tool_calls: [
              { tool_call_id: "1", function_name: grow.text(), arguments: { command: grow.text() } },
            ],
            observation: { results: [{ source_call_id: "1", content: grow.text() }] },
          },
        ],
      },
    },
  }),
  // More than a page takes of one step.
  calls: (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: "a" },
        steps: [
          {
            step_id: 1,
            source: "agent",
            message: "m",
            tool_calls: grow.list((n) => ({
              tool_call_id: `${n}`,
              function_name: "bash",
              // With very many calls each has less text, as above.
              arguments: {
                command: Array(n < 1_000 ? 80 : 1)
                  .fill(grow.word().repeat(12))
                  .join("\n"),
              },
            })),
          },
        ],
      },
    },
  }),
  logs: (grow) => ({
    files: {
      "trial.log": grow.text(),
      "exception.txt": grow.text(),
      "verifier/test-stdout.txt": [
        grow.text(),
        "= short test summary info =",
        ...grow.list((n) => `FAILED a.py::test_${n} - ${grow.word()}`),
        `= ${grow.size.items} failed in 1.00s =`,
      ].join("\n"),
    },
  }),
  files: (grow) => ({
    files: Object.fromEntries(
      Array.from({ length: Math.min(grow.size.items, 5000) }, (_, n) => [`artifacts/${n}/${n}.txt`, "x"]),
    ),
  }),
  manifest: (grow) => ({
    files: {
      "artifacts/manifest.json": [
        { source: grow.text(), destination: grow.text(), type: "file", status: grow.text() },
        ...grow.list((n) => ({ source: `/app/${n}`, destination: `${n}`, type: "file", status: "ok" })),
      ],
    },
  }),
  report: (grow) => ({
    // Its trials are analyses of the trials of the same names.
    result: { config: { task: { path: "work/harbor-analyze-x1y2/analyze-alpha" }, agent: { name: "a" } } },
    jobFiles: {
      "analysis.json": {
        results: grow.list((n) => ({
          trial_name: TRIALS[n % TRIALS.length],
          summary: n === 0 ? grow.text() : grow.word(),
          error: n === 0 ? grow.text() : null,
          checks: n === 0 ? grow.object(() => ({ outcome: "fail", explanation: grow.word() })) : {},
        })),
      },
    },
  }),
  "job-names": (grow) => ({
    jobFiles: {
      "config.json": { job_name: grow.text(), agents: [{ name: grow.text() }] },
      "lock.json": { harbor: { version: grow.text() } },
      "result.json": prepareJobResult({ [grow.text()]: 2 }, [grow.text()], grow.text()),
    },
  }),
  "job-lists": (grow) => ({
    jobFiles: {
      "config.json": { n_attempts: 1, metrics: grow.list(() => ({ type: "mean" })) },
      "result.json": prepareJobResult(
        grow.object((n) => n),
        grow.list((n) => `${grow.word()} ${n}`),
      ),
    },
  }),
};

/** Kinds that one trial may have together: each grows a part that is read from another place. */
const TOGETHER = [
  "exception",
  "reward-keys",
  "criteria",
  "tags",
  "explanations",
  "tests",
  "calls",
  "logs",
  "manifest",
];

/** One job for each kind of overgrowth, by its folder's name; the trials of the last one have most kinds at once. */
export const HOSTILE_KINDS: Readonly<Record<string, Grow>> = {
  ...KINDS,
  ...CROWDED_KINDS,
  everything: (grow) => {
    const all = TOGETHER.map((kind) => KINDS[kind]?.(grow) ?? {});
    return all.reduce((sum, { result, files }) => ({
      result: { ...sum.result, ...result },
      files: { ...sum.files, ...files },
    }));
  },
};
