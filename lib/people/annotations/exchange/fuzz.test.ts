import fc from "fast-check";
import { expect, it } from "vitest";

import { ValidationError } from "@/lib/core/domain/app-error";
import { formatCodebookFile, planImport } from "@/lib/people/annotations/codebook/file";
import { FIRST_CODEBOOK } from "@/lib/people/annotations/codebook/fold";
import { freshSqlite } from "@/lib/store/database/postgres.fixture";
import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { importAnnotations, openAnnotationStore, prepareExport } from "../index";
import { readLines, type SourceLine } from "./gather";
import { line, text as linesOf } from "./lines.fixture";
import { parseLine } from "./parse-line";

const TIME = "2026-03-01T09:30:00.000Z";
const LINES = [
  line(),
  line({ version_id: "v2", version: 2, judgment: "pass", categories: ["Wrong output"], notes: "n" }),
  {
    ...line({
      schema: "assay.adjudication/1",
      decision_id: "d1",
      withdrawal_id: null,
      final_judgment: "fail",
    }),
    ...{ reason: "r", based_on: null, codebook_note: null, decided_by: "Ana", sources: ["v1"] },
    ...{ queue_id: null, codebook_version: 0 },
  },
  {
    trial: "t1",
    job: "nightly",
    category: "gave up",
    description: "d",
    source: "my-judge",
    evidence: ["step 3"],
  },
  {
    ...line({ schema: "assay.suggestion-answer/1", suggester: "rule:x", version: "1", answer: "accepted" }),
    reviewer_id: "Ana",
  },
  {
    ...{
      schema: "assay.triage-note/1",
      kind: "named",
      target: "00112233aabbccdd",
      text: "Slow",
      author: "Ana",
    },
    ...{ timestamp: TIME, about: { kind: "exception", scope: "AgentTimeoutError", pattern: "timed out" } },
  },
];
const TEXTS = LINES.map((one) => JSON.stringify(one));
const FILES = [linesOf(...LINES.slice(0, 2)), linesOf(...TEXTS), linesOf(LINES[3] ?? {}, LINES[3] ?? {})];
const CODEBOOK = formatCodebookFile(FIRST_CODEBOOK.codebook);

it("its samples are lines of every kind", () => {
  const kinds = TEXTS.map((text) => parseLine(text));
  expect(
    kinds.map(({ kind }) => kind),
    JSON.stringify(kinds),
  ).toEqual(["judgment", "judgment", "decision", "tag", "answer", "note"]);
});

it("a line is what it was meant to be, or a problem in words", () => {
  fc.assert(
    fc.property(arbitraryMutation(TEXTS), ({ text }) => {
      const parsed = parseLine(text);
      if (parsed.kind === "problem") expect(parsed.problem).toMatch(/\S.*\.$/su);
    }),
    planRuns({ short: 500, long: 90_000 }),
  );
});

it("lines do not depend on the pieces that a file comes in", async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryMutation(FILES),
      fc.array(fc.nat({ max: 3_000 }), { maxLength: 6 }),
      async ({ bytes }, cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
        expect(await collect(pieces)).toEqual(await collect([bytes]));
      },
    ),
    planRuns({ short: 200, long: 30_000 }),
  );
});

it("a codebook's file is read, refused, or has problems of its entries", () => {
  fc.assert(
    fc.property(arbitraryMutation([CODEBOOK]), ({ text }) => {
      let made = 0;
      try {
        const plan = planImport(
          FIRST_CODEBOOK,
          text,
          () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`,
        );
        if (text === CODEBOOK) expect(plan).toMatchObject({ categories: [], errors: [], conflicts: [] });
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
      }
    }),
    planRuns({ short: 200, long: 40_000 }),
  );
});

it("an import is all of a file or nothing, and can be exported and imported again", async () => {
  const store = openAnnotationStore(freshSqlite());
  const actor = { browserKeyHash: "a".repeat(64), isAdmin: false };
  const findTrials = () => Promise.resolve([]);
  const exported = async () => [...(await prepareExport(store, { history: true })).lines];
  await fc.assert(
    fc.asyncProperty(arbitraryMutation(FILES), async ({ bytes }) => {
      const before = await exported();
      const run = () =>
        importAnnotations(store, [{ name: "in.jsonl", bytes: [bytes] }], {
          isDryRun: false,
          actor,
          findTrials,
        });
      const { state } = await withinTime(run);
      if (state === "refused") expect(await exported()).toEqual(before);
      else expect((await run()).nNew).toBe(0);
    }),
    planRuns({ short: 40, long: 3_000 }),
  );
  const other = openAnnotationStore(freshSqlite());
  const lines = await exported();
  const copy = [{ name: "out.jsonl", bytes: lines.map((one) => Buffer.from(one)) }];
  await importAnnotations(other, copy, { isDryRun: false, actor: { ...actor, isAdmin: true }, findTrials });
  expect([...(await prepareExport(other, { history: true })).lines].toSorted()).toEqual(lines.toSorted());
  await Promise.all([store.close(), other.close()]);
});

async function collect(pieces: readonly Uint8Array[]): Promise<readonly SourceLine[]> {
  const lines: SourceLine[] = [];
  for await (const one of readLines({ name: "in.jsonl", bytes: pieces })) lines.push(one);
  return lines;
}
