import { expect, it, onTestFinished } from "vitest";

import type { Judgment } from "@/lib/core/domain/judgment";
import { parseCompareParams } from "@/lib/pages/compare/address";
import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readTrialPlaces } from "@/lib/store/tables";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders, makeDataFolder } from "@/lib/testing/index.fixture";

import { findGroups, readChosenGroups } from "./groups";
import { compareGroups } from "./page";
import { readVerdicts } from "./verdicts";

const SAID: readonly (readonly [trial: string, reviewers: readonly Judgment[]])[] = [
  ["alpha__aaaaaaa", ["fail"]],
  ["beta__bbbbbbb", ["pass"]],
  ["gamma__ccccccc", ["fail"]],
  ["delta__ddddddd", ["pass", "fail"]],
  ["epsilon__eeeeeee", ["defer"]],
];
const FIRST = {
  alpha__aaaaaaa: 1,
  beta__bbbbbbb: 0,
  gamma__ccccccc: 0,
  delta__ddddddd: 1,
  epsilon__eeeeeee: 1,
  zeta__fffffff: 1,
};

describeQueries("reviewers' verdicts in the matrix", (engine) => {
  it("are on the attempts that reviewers judged, against the verifier's outcome", async () => {
    const folder = makeFolder({
      ...jobFiles("first", FIRST),
      ...jobFiles("second", { alpha__ggggggg: 0 }, { id: "22222222-2222-4222-8222-222222222222" }),
    });
    const index = await indexFolders(engine, [folder]);
    const annotations = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: makeDataFolder() }));
    onTestFinished(() => annotations.close());
    const refs = ["first:orca__m1__bench", "second:orca__m1__bench"];
    const choose = async () =>
      readChosenGroups(index.store, (await findGroups(index.store, refs, () => 1)).chosen);
    const compare = async (change: object) => {
      const chosen = await choose();
      const verdicts = await readVerdicts(index.store, chosen, annotations);
      return compareGroups(chosen, { ...parseCompareParams({}), refs, ...change }, verdicts).matrix;
    };
    expect((await compare({ hasVerdicts: true })).verdicts).toEqual({
      "pass-against": 0,
      "fail-against": 0,
      agrees: 0,
      open: 0,
    });

    for (const [name, judgments] of SAID) {
      const [place] = await readTrialPlaces(index.store, [name]);
      if (place === undefined) throw new Error("the trial is not there");
      for (const [at, judgment] of judgments.entries())
        await createAnnotation(annotations, {
          subject: {
            trialId: place.id,
            jobUuid: place.jobUuid,
            trialName: name,
            jobName: place.jobName,
            rootLabel: "jobs",
            taskName: place.taskName,
            agent: "orca",
            model: "m1",
            outcomeSeen: place.outcome,
            rewardSeen: place.reward,
          },
          draft: {
            reviewerId: `Reviewer ${String(at)}`,
            reviewerDiscipline: null,
            judgment,
            categories: [],
            notes: "Read the whole trace.",
          },
          baseVersionId: null,
        });
    }
    const counts = { "pass-against": 1, "fail-against": 1, agrees: 1, open: 2 };
    // A threshold that every attempt reaches does not change the verifier's outcome.
    for (const threshold of [1, 0]) {
      const matrix = await compare({ hasVerdicts: true, threshold });
      expect(matrix.verdicts).toEqual(counts);
      const marks = matrix.parts.flatMap(({ rows }) =>
        rows.flatMap(({ cells }) => cells.flatMap(({ attempts }) => attempts)),
      );
      expect(Object.fromEntries(marks.map(({ key, verdict }) => [key, verdict]))).toEqual({
        alpha__aaaaaaa: "fail-against",
        beta__bbbbbbb: "pass-against",
        gamma__ccccccc: "agrees",
        delta__ddddddd: "open",
        epsilon__eeeeeee: "open",
        zeta__fffffff: undefined,
        alpha__ggggggg: undefined,
      });
      expect(marks.find(({ key }) => key === "alpha__aaaaaaa")?.detail).toContain("reviewers say fail");
    }
    const hidden = await compare({});
    expect(hidden.verdicts).toEqual(counts);
    expect(JSON.stringify(hidden.parts)).not.toMatch(/verdict|reviewers/u);
  });
});
