import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { readHead, readOtherAttempts, readTrial } from "../index";

describeEngines("attempts at a task", (engine) => {
  it("are found in every job, those with the other verdict first, then of the same job", async () => {
    const jobs = {
      one: { x__aaaaaaa: 1, x__bbbbbbb: 0, y__aaaaaaa: 0 },
      two: { x__ccccccc: 0, x__ddddddd: 1 },
    };
    const files: Record<string, unknown> = {};
    for (const [job, trials] of Object.entries(jobs)) {
      files[`${job}/result.json`] = jobResult(trials);
      for (const [name, reward] of Object.entries(trials))
        files[`${job}/${name}/result.json`] = trialResult(name, reward, { task_name: name.split("__")[0] });
    }
    const { store } = await indexFolders(engine, [makeFolder(files)]);
    const list = async (trialKey: string, range: { readonly from: number; readonly limit: number }) => {
      const head = await readHead(store, "one");
      const row = head === null ? null : await readTrial(store, head.rowId, trialKey);
      if (head === null || row === null) throw new Error("It was just stored.");
      const { rows, nMatching } = await readOtherAttempts(
        store,
        { ...row.trial, jobRowId: head.rowId, position: row.position },
        range,
      );
      return [rows.map(({ jobKey, key, rewardText }) => `${jobKey}/${key} ${rewardText}`), nMatching];
    };
    const all = { from: 0, limit: 10 };
    expect(await list("x__aaaaaaa", all)).toEqual([
      ["one/x__bbbbbbb 0", "two/x__ccccccc 0", "two/x__ddddddd 1"],
      3,
    ]);
    expect(await list("x__bbbbbbb", { from: 1, limit: 1 })).toEqual([["two/x__ddddddd 1"], 3]);
    expect(await list("y__aaaaaaa", all)).toEqual([[], 0]);
  });
});
