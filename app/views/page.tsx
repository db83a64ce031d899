import type { Metadata } from "next";

import { PageFrame } from "@/components/shell/page-frame";
import { Notice } from "@/components/ui/notice";
import { PageTitle, Section } from "@/components/ui/page-title";
import { SavedViews } from "@/components/views/saved-views";
import { formatPlural } from "@/lib/core/format/number";
import { getRunSetsPage, getViewsPage } from "@/lib/pages/views/page";

export const metadata: Metadata = { title: "Saved views" };

export default async function ViewsRoute() {
  const [{ views, nViews, problem }, runSets] = await Promise.all([getViewsPage(), getRunSetsPage()]);
  return (
    <PageFrame crumbs={[{ label: "Saved views" }]}>
      <PageTitle
        title="Saved views"
        summary={
          views.length === 0
            ? "Pages and their filters, saved under a name."
            : `${formatPlural(nViews, "view")}${nViews > views.length ? `, the newest ${views.length} below` : ""}. Press Ctrl K to save the current page with its filters, or to find a view.`
        }
      />
      {problem === null ? null : (
        <Notice title="Not every saved view can be read" tone="error">
          {problem}
        </Notice>
      )}
      {problem !== null && views.length === 0 ? null : <SavedViews views={views} />}
      {runSets.problem === null || runSets.problem === problem ? null : (
        <Notice title="Not every run set can be read" tone="error">
          {runSets.problem}
        </Notice>
      )}
      <Section id="run-sets" title="Run sets">
        <p className="caption">
          Jobs counted together under one name, in every list and comparison. A rollout counts once.
        </p>
        {runSets.sets.length === 0 ? (
          <p className="muted">No run sets yet. Select jobs in the list of jobs, then count them together.</p>
        ) : null}
        <SavedViews kind="runSets" views={runSets.sets} />
      </Section>
    </PageFrame>
  );
}
