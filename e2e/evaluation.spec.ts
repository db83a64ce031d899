import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { z } from "zod";

import { type Assay, expect, test, withAssay } from "./fixtures/app";

const JOB = "voltage-drop-aec";

const evaluationLine = z.looseObject({
  job_key: z.string(),
  trial_key: z.string(),
  evaluation: z
    .looseObject({
      reward: z.number(),
      annotations: z.array(z.looseObject({ reviewer_id: z.string() })).nullable(),
    })
    .nullable(),
  unknown: z.array(z.string()),
  issues: z.array(z.looseObject({ code: z.string(), file: z.string().nullable() })),
});

function parseLines(text: string) {
  return text
    .trim()
    .split("\n")
    .map((line) => evaluationLine.parse(JSON.parse(line)));
}

/** Returns the command line output for the job's trials. */
function writeEvaluations({ jobsFolder, dataFolder, runCli }: Assay) {
  const output = join(dataFolder, "evaluations.jsonl");
  const { code, stderr } = runCli("evaluations", jobsFolder, "--format", "jsonl", "--output", output);
  expect(stderr).toMatch(
    /^\d+ trials: \d+ evaluated, \d+ in part .*, \d+ rejected by the contract, \d+ without a result\n$/,
  );
  expect(code).toBe(0);
  const lines = parseLines(readFileSync(output, "utf8"));
  rmSync(output);
  return lines.filter(({ job_key }) => job_key === JOB);
}

test("a judgment is in the evaluation and does not change its reward; a rejected reward is one click from its file @long", async ({
  page,
}) => {
  await withAssay(
    async (assay) => {
      const { url } = assay;
      const [before] = writeEvaluations(assay);
      await page.goto(`${url}/jobs/${JOB}/trials/${before?.trial_key ?? ""}`);
      const panel = page.getByRole("form", { name: "Review" });
      await panel.getByRole("button", { name: /^Fail/ }).click();
      await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
      await panel.getByRole("button", { name: "Save", exact: true }).click();
      await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
      const after = writeEvaluations(assay).find(({ trial_key }) => trial_key === before?.trial_key);
      expect(after?.evaluation?.annotations).toMatchObject([
        { reviewer_id: "Ada Example", judgment: "fail" },
      ]);
      expect(after?.evaluation?.reward).toBe(before?.evaluation?.reward);

      await page.goto(`${url}/load-report`);
      await expect(page.getByRole("row", { name: /reward_outside_contract/ })).toContainText("1 of 1 trials");
      await page.goto(`${url}/jobs/odd/trials/drop__aaaaaaa`);
      await page.getByRole("link", { name: "Evidence", exact: true }).click();
      const issue = page.getByRole("row", { name: /value_error/ });
      await expect(issue).toContainText("reward must be between 0.0 and 1.0");
      await issue.getByRole("link", { name: "verifier/reward.json" }).click();
      await expect(page.getByRole("region", { name: "verifier/reward.json" })).toContainText(/reward.*93/);
    },
    ({ jobsFolder }) => {
      const trial = {
        id: "one",
        task_name: "drop",
        trial_name: "drop__aaaaaaa",
        trial_uri: "file:///elsewhere",
        task_id: { path: "tasks/drop" },
        task_checksum: "ab",
        config: { task: { path: "tasks/drop" }, trial_name: "drop__aaaaaaa" },
        agent_info: { name: "orca", version: "1" },
        verifier_result: { rewards: { reward: 93 } },
      };
      write(join(jobsFolder, "odd/job.log"), "");
      write(join(jobsFolder, "odd/drop__aaaaaaa/result.json"), JSON.stringify(trial));
      write(join(jobsFolder, "odd/drop__aaaaaaa/verifier/reward.json"), '{"reward": 93}');
    },
    [JOB],
  );
});

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
