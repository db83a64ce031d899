import type { Metadata } from "next";

import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { SavedViews } from "@/components/views/saved-views";
import { getViewsPage } from "@/lib/pages/views/page";

export const metadata: Metadata = { title: "Saved views" };

export default async function ViewsRoute() {
  const { views, nViews, problem } = await getViewsPage();
  return (
    <PageFrame crumbs={[RUNS, { label: "Saved views" }]}>
      <PageTitle
        title="Saved views"
        summary={
          views.length === 0
            ? "Pages and their filters, saved under a name."
            : `${nViews > views.length ? `The newest ${views.length} are below. ` : ""}Press Ctrl K to save the current page with its filters, or to find a view.`
        }
      />
      {problem === null ? null : (
        <Notice title="Not every saved view can be read" tone="error">
          {problem}
        </Notice>
      )}
      {problem !== null && views.length === 0 ? null : <SavedViews views={views} />}
    </PageFrame>
  );
}
