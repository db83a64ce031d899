import { act, draftOf } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readPage } from "./fixtures/read-page";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

test("differing judgments are a conflict on every page until a non-reviewer decides", async ({ request }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [one] = readFailedTrials(jobsFolder, JOB);
    if (one === undefined) throw new Error("the sample job has no failed trial");
    const read = async (address: string) => (await readPage(request, url + address)).words;
    const sources: string[] = [];
    for (const [reviewerId, judgment] of [
      ["Ana Example", "pass"],
      ["Ben Example", "fail"],
    ] as const) {
      const notes = `<b>${reviewerId}</b>`;
      const saved = await act(
        request,
        url,
        "saveReview",
        draftOf(JOB, one.name, { reviewerId, judgment, notes }),
      );
      sources.push(/"versionId":"([^"]+)"/.exec(saved)?.[1] ?? saved);
    }
    const page = await read(`/annotations/conflicts?job=${JOB}`);
    for (const words of ["Ana Example", "Ben Example", "1 pair"]) expect(page).toContain(words);
    expect(page).toContain("<b>Ben Example</b>");

    const decide = (decidedBy: string) =>
      act(request, url, "saveDecision", {
        ...{ queue: null, jobs: [JOB], sources, baseDecisionId: null, saveId: null, thenNext: false },
        draft: {
          ...{ finalJudgment: "fail", categories: [], basedOn: "b", codebookNote: null, decidedBy },
          reason: "Only half of the task is done.",
        },
      });
    expect(await decide("Ana Example")).not.toContain('"status":"saved"');
    expect(await decide("Cleo Example")).toContain('"status":"saved"');
    expect(await read(`/annotations/conflicts?job=${JOB}`)).toContain("Only half of the task is done.");
    expect(await read(`/jobs/${JOB}/trials/${one.name}`)).toContain("Decided: fail by Cleo Example");
    const { hrefs } = await readPage(request, `${url}/annotations?standing=decided`);
    const judged = hrefs.filter((href) => href.startsWith(`/jobs/${JOB}/trials/${one.name}`));
    expect(judged.length).toBeGreaterThan(1);
  });
});
