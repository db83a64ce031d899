import { cpSync, mkdirSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readTrialPlaces } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { indexFolders, makeDataFolder } from "@/lib/testing/index.fixture";

import { getJudged } from "./judged";

const NAME = "alpha__aaaaaaa";
const OTHER_JOB = "22222222-2222-4222-8222-222222222222";

describeQueries("a judgment", (engine) => {
  it("follows its trial by ids when its folder is renamed, moved, and copied under new times", async () => {
    const folder = makeFolder(jobFiles("nightly", { [NAME]: 1, beta__bbbbbbb: 0 }));
    const index = await indexFolders(engine, [folder]);
    const annotations = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: makeDataFolder() }));
    onTestFinished(() => annotations.close());
    const [place] = await readTrialPlaces(index.store, [NAME]);
    if (place === undefined) throw new Error("the trial is not there");
    const subject = {
      trialId: place.id,
      jobUuid: place.jobUuid,
      trialName: NAME,
      jobName: place.jobName,
      rootLabel: "jobs",
      taskName: place.taskName,
      agent: "orca",
      model: "m1",
      outcomeSeen: place.outcome,
      rewardSeen: place.reward,
    };
    const draft = {
      reviewerId: "Ana",
      reviewerDiscipline: null,
      judgment: "fail" as const,
      categories: [],
      notes: null,
    };
    await createAnnotation(annotations, { subject, draft, baseVersionId: null });

    const findJudged = async () => {
      await index.refresh();
      await index.settle();
      const { byJob } = await getJudged(index.store, annotations);
      return [...byJob.values()]
        .flatMap((trials) => [...trials.values()])
        .map(({ jobName, trialName, judgments, fingerprint }) => [
          jobName,
          trialName,
          judgments.disagrees,
          fingerprint,
        ]);
    };
    const found = (jobName: string) => [jobName, NAME, true, place.fingerprint];
    expect(Object.values(place.fingerprint)).not.toContain(null);
    expect(await findJudged()).toEqual([found("nightly")]);

    renameSync(join(folder, "nightly"), join(folder, "renamed"));
    expect(await findJudged()).toEqual([found("renamed")]);
    mkdirSync(join(folder, "a/b"), { recursive: true });
    renameSync(join(folder, "renamed"), join(folder, "a/b/moved"));
    expect(await findJudged()).toEqual([found("moved")]);
    cpSync(join(folder, "a/b/moved"), join(folder, "copy"), { recursive: true });
    utimesSync(join(folder, "copy", NAME, "result.json"), 0, 0);
    expect((await findJudged()).map(([jobName]) => jobName).sort()).toEqual(["copy", "moved"]);

    // A trial of the same name and job that another run made is another one.
    const stranger = { ...trialResult(NAME, 1, { id: "another" }), config: { job_id: OTHER_JOB } };
    writeFiles(folder, {
      ...jobFiles("far/nightly", { [NAME]: 1 }, { id: OTHER_JOB }),
      [`far/nightly/${NAME}/result.json`]: stranger,
    });
    const names = (await findJudged()).map(([jobName]) => jobName);
    expect(names.sort()).toEqual(["copy", "moved"]);
    expect(await readTrialPlaces(index.store, [NAME])).toHaveLength(3);
  });
});
