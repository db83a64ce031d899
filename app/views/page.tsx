import type { Metadata } from "next";

import { PageFrame } from "@/components/shell/page-frame";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { SavedViews } from "@/components/views/saved-views";
import { formatPlural } from "@/lib/format/number";
import { getViewsPage } from "@/lib/queries/shell/views";

export const metadata: Metadata = { title: "Saved views" };

export default async function ViewsRoute() {
  const { views, nViews, problem } = await getViewsPage();
  return (
    <PageFrame crumbs={[{ label: "Saved views" }]}>
      <PageTitle
        title="Saved views"
        summary={
          views.length === 0
            ? "Pages and their filters, saved under a name."
            : `${formatPlural(nViews, "view")}${nViews > views.length ? `, the newest ${views.length} of them below` : ""}. Ctrl K saves the current page with its filters and finds it by name.`
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
