import { expect, it } from "vitest";

import { LOAD_ISSUE_CODES } from "@/lib/core/domain/load-issue";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readTotals } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { runCli } from "./run-cli";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const LONG = "x".repeat(10_000);

describeQueries("assay check", (engine) => {
  it("counts jobs, trials, problems and notes as pages do", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1, [B]: 0 }),
      // Long texts of results and of verifiers' files are read at different times.
      [`run/${A}/result.json`]: trialResult(A, 1, { task_name: LONG }),
      [`run/${B}/verifier/ctrf.json`]: {
        results: { tests: [{ name: LONG, status: "failed" }], summary: { tests: 1, failed: 1 } },
      },
      "run/gamma__ccccccc/result.json": "{",
    });
    const { store } = await indexFolders(engine, [folder]);
    const { nJobs, nTrials, nProblems, nNotes } = await readTotals(store);
    let printed = "";
    const stream = (write: (text: string) => void) => ({
      write: (text: string) => {
        write(text);
        return true;
      },
      once: () => undefined,
    });
    const stdout = stream((text) => (printed += text));
    await runCli(["check", folder, "--json"], { stdout, stderr: stream(() => undefined), env: {} });
    expect(JSON.parse(printed)).toMatchObject({
      n_jobs: nJobs,
      n_trials: nTrials,
      n_problems: nProblems,
      n_notes: nNotes,
    });
    expect([nProblems, nNotes]).toEqual([1, 2]);
    expect(LOAD_ISSUE_CODES.text_too_long).toBe("note");
  });
});
