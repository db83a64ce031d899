import { createHash } from "node:crypto";

import { formatJson } from "../json-text";
import type { SampleFile } from "../record";
import {
  describeRun,
  EXPERIMENT,
  FOLDER,
  type Fields,
  listFirstRecords,
  listSecondRecords,
  SUBMAIN,
} from "./ledger-records";
import { listReviews } from "./ledger-reviews";

/**
 * A small ledger of aec-bench: records of both versions with every possible content and neighbour. One is disputed by its
 * reviewers, one is not evaluated, one failed, one was cancelled, and one is torn.
 *
 * @see lib/read/loader/ledger/conformance/on-disk.json for what the ledger's own writers leave
 */
export function* prepareLedger(): Generator<SampleFile> {
  for (const [path, value] of listFiles()) {
    yield { path, content: typeof value === "string" ? value : formatJson(value, 2) };
  }
}

function* listFiles(): Generator<readonly [path: string, value: Fields | string]> {
  for (const [trialId, record] of [...listSecondRecords(), ...listFirstRecords()])
    yield [`${FOLDER}/${trialId}.json`, record];
  yield [
    `${FOLDER}/lighting-meridian-4.json`,
    '{\n  "schema_version": 2,\n  "trial_id": "lighting-meridian-4",\n  "run',
  ];
  yield* listManifests();
  yield [
    `${FOLDER}/_files/submain-halyard-1/output.md`,
    "# Submain SM-2\n\nVoltage drop 4.22 V, 1.05 % of 400 V. Complies with 2.5 %.\n",
  ];
  yield [
    `${FOLDER}/_files/submain-halyard-1/conversation.jsonl`,
    '{"role": "user", "content": "Compute the voltage drop of the submain SM-2."}\n{"role": "assistant", "content": "I take the single-phase factor."}\n',
  ];
  yield* listReviews({ folder: FOLDER, experiment: EXPERIMENT, task: SUBMAIN });
}

function* listManifests(): Generator<readonly [string, Fields]> {
  for (const model of ["meridian-4.5", "halyard-2"]) {
    const name = createHash("sha256").update(describeRun(model)).digest("hex");
    yield [
      `${FOLDER}/_runs/${name}.json`,
      {
        schema_version: 2n,
        run_id: describeRun(model),
        experiment_id: EXPERIMENT,
        dataset: "au-core@v1",
        source: { kind: "unresolved", reason: "invented for a sample" },
        agent: {
          adapter: "tool_loop",
          model,
          adapter_revision: "adapter-7f31",
          configuration: { max_turns: 20n },
        },
        execution_environment: {
          runtime_image: "example/task-image:latest",
          compute_backend: "local",
          tool_versions: { codes_search: "abc123" },
        },
        provider_route: { provider: "sample", route: "sample" },
      },
    ];
  }
}
