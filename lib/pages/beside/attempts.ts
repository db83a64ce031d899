import "server-only";
import { type ListPage, placeInList, rangeOfPage } from "@/lib/core/domain/list-page";
import { type IndexStore, readOtherAttempts, type TaskAttempt } from "@/lib/store/tables";

import { getIdentityOf } from "../shell/catalog";
import type { LocatedTrial } from "../trial/locate";

const PICKER_ROWS = 50;

export interface PickedAttempt extends TaskAttempt {
  readonly identity: number;
}

export async function readPicker(
  store: IndexStore,
  located: LocatedTrial,
  page: number,
): Promise<ListPage<PickedAttempt>> {
  const range = rangeOfPage(page, PICKER_ROWS);
  const [{ rows, nMatching }, identityOf] = await Promise.all([
    readOtherAttempts(store, describeTrial(located), range),
    getIdentityOf(),
  ]);
  return {
    rows: rows.map((row) => ({ ...row, identity: identityOf(row.agent, row.model) })),
    ...placeInList(range, nMatching),
  };
}

function describeTrial({ job, row, trial }: LocatedTrial) {
  const { taskName, taskDigest, agent, model, outcome } = trial;
  return { jobRowId: job.rowId, position: row.position, taskName, taskDigest, agent, model, outcome };
}
