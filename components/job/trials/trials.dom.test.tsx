import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { nameTrial } from "@/components/trial/trial-title";
import { DataTable } from "@/components/ui/data-table";
import type { TrialPage } from "@/lib/pages/trial/page";

import { listTrialColumns, listTrialLines } from "./columns";

const TRIAL = { key: "a__x", trialName: "a__x", taskName: "", folder: "a__x", attempt: 1, state: "finished" };

test("a trial whose task has no name has a name in the list and in the crumb of its page", () => {
  const row = { trial: TRIAL } as unknown as Parameters<typeof listTrialLines>[0][number];
  const place = { jobKey: "run", jobName: null, group: null, part: null };
  const columns = listTrialColumns({ isOfAllJobs: false }).slice(0, 1);
  const { container } = render(
    <DataTable
      caption="Trials"
      columns={columns}
      rows={listTrialLines([row], null, () => place)}
      rowKey={() => 0}
    />,
  );
  expect(container.querySelector("tbody a")?.textContent).toBe("a__x (no task name) 1");
  const page = { trial: TRIAL, neighbours: { nAttempts: 1 } } as unknown as TrialPage;
  expect(nameTrial(page)).toBe("a__x (no task name)");
});
