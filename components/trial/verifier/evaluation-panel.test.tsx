import { join } from "node:path";

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { showEvaluation } from "@/lib/core/trial-evaluation";
import { readCatalog } from "@/lib/read/catalog";
import { readEvaluation } from "@/lib/read/trial-reading/evaluation";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import { EvaluationPanel } from "./evaluation-panel";

/** A value of the contract's JSON, as far as this test looks. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What the tab shows of every trial below `folder`, at most `most` of a job: its table by field, and its JSON. */
async function showAll(folder: string, most: number) {
  const { jobs } = readCatalog({ roots: [folder] });
  const shown = jobs.flatMap(({ job, trials }) =>
    trials.slice(0, most).map(async (trial) => {
      const path = trial.folder === "" ? null : join(folder, trial.folder);
      const result = await readEvaluation({ trial, path, judgments: [] });
      const page = showEvaluation({ job, root: "jobs", trial, result });
      const place = { jobKey: job.key, trialKey: trial.key, list: null, queue: null };
      const html = renderToStaticMarkup(<EvaluationPanel shown={page} place={place} />);
      return { name: `${job.name} ${trial.trialName}`, table: readTable(html), json: readJson(page.json) };
    }),
  );
  return Promise.all(shown);
}

/** Field to printed value, of the table of fields alone. */
function readTable(html: string): ReadonlyMap<string, string> {
  const table = /<caption[^>]*>EvaluationResult<\/caption>.*?<\/table>/su.exec(html)?.[0] ?? "";
  const rows = [...table.matchAll(/<tr><td class="name"><code>(\w+)<\/code><\/td><td[^>]*>(.*?)<\/td>/gsu)];
  return new Map(rows.map(([, field = "", value = ""]) => [field, value.replace(/<[^>]+>/gu, "")]));
}

interface Written {
  readonly evaluation: Readonly<Record<string, Json>> | null;
  readonly partial_evaluation: Readonly<Record<string, Json>> | null;
  readonly unknown: readonly string[];
  readonly issues: readonly object[];
}

function readJson(text: string): Written {
  return JSON.parse(text) as Written;
}

const GATES = ["output_parseable", "schema_valid", "verifier_completed"];

/** Every field of the table equals that of the JSON; only null is printed as unknown. */
function checkFields(table: ReadonlyMap<string, string>, json: Written): void {
  const stated = json.evaluation ?? json.partial_evaluation;
  if (stated === null) {
    expect(table.size).toBe(0);
    return;
  }
  const { validity, ...fields } = stated as { validity: Readonly<Record<string, Json>>; [key: string]: Json };
  const all = new Map(Object.entries({ ...fields, ...validity }));
  expect([...table.keys()].toSorted()).toEqual([...all.keys()].toSorted());
  for (const [field, value] of all) {
    const path = field in validity ? `validity.${field}` : field;
    expect([field, table.get(field) === "unknown"]).toEqual([field, value === null]);
    expect([field, json.unknown.includes(path)]).toEqual([field, value === null]);
  }
  expect(Number(table.get("reward"))).toBe(fields["reward"]);
  for (const gate of GATES)
    expect(table.get(gate)).toBe(JSON.stringify(validity[gate]).replace("null", "unknown"));
  const { errors, breakdown } = { ...validity, ...fields } as Record<string, Json>;
  expect(table.get("errors")).toBe((errors as string[]).join("; ") || "none");
  if (breakdown !== null && breakdown !== undefined)
    expect(table.get("breakdown")).toMatch(new RegExp(`^${Object.keys(breakdown).length} entr`, "u"));
  expect(json.evaluation === null).toBe(GATES.some((gate) => validity[gate] === null));
}

test("the table and the JSON of sample trials agree field by field", async () => {
  const shown = await showAll(getSampleFolder(), 6);
  expect(shown.length).toBeGreaterThan(40);
  for (const { table, json } of shown) checkFields(table, json);
  const count = (pick: (json: Written) => unknown) => shown.filter(({ json }) => pick(json) !== null).length;
  expect(count(({ evaluation }) => evaluation)).toBeGreaterThan(0);
  expect(count(({ partial_evaluation: partial }) => partial)).toBeGreaterThan(0);
});

test("exactly the unknown values are null in the JSON and unknown in the table", async () => {
  const name = "drop__aaaaaaa";
  const gates = { output_parseable: true, schema_valid: true, verifier_completed: true };
  const subsets = Array.from({ length: 8 }, (_, bits) =>
    Object.fromEntries(Object.entries(gates).filter((_gate, at) => (bits >> at) % 2 === 1)),
  );
  for (const [at, validity] of subsets.entries()) {
    const run = `run-${String(at)}`;
    const folder = makeFolder({
      ...jobFiles(run, {}),
      [`${run}/${name}/result.json`]: trialResult(name, at % 2),
      [`${run}/${name}/verifier/details.json`]: { validity, ...(at > 3 ? { error_taxonomy: [] } : {}) },
    });
    const [only] = await showAll(folder, 1);
    if (only === undefined) throw new Error("there is no trial");
    checkFields(only.table, only.json);
    // A reward in result.json shows that the verifier completed; nothing shows the others.
    const known = { verifier_completed: "true", ...validity };
    for (const gate of GATES)
      expect([at, gate, only.table.get(gate)]).toEqual([at, gate, String(gate in known ? true : "unknown")]);
    expect(only.json.evaluation === null).toBe(Object.keys(known).length < 3);
  }
});
