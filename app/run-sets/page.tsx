import type { Metadata } from "next";

import { RunsTabs } from "@/components/jobs/runs-tabs";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { SavedViews } from "@/components/views/saved-views";
import { getShell } from "@/lib/pages/shell/shell";
import { getRunSetsPage } from "@/lib/pages/views/page";

export const metadata: Metadata = { title: "Run sets" };

export default async function RunSetsRoute() {
  const [{ sets, problem }, shell] = await Promise.all([getRunSetsPage(), getShell()]);
  return (
    <PageFrame crumbs={[RUNS, { label: "Run sets" }]}>
      <PageTitle
        title={RUNS.label}
        tabs={<RunsTabs current="run-sets" shell={shell} />}
        summary="Jobs counted together under one name, in every list and comparison. A rollout counts once."
      />
      {problem === null ? null : (
        <Notice title="Not every run set can be read" tone="error">
          {problem}
        </Notice>
      )}
      <SavedViews kind="runSets" views={sets} />
    </PageFrame>
  );
}
