import type { Metadata } from "next";

import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { SavedViews } from "@/components/views/saved-views";
import { formatPlural } from "@/lib/format/number";
import { getViewsPage } from "@/lib/queries/views-page";

export const metadata: Metadata = { title: "Saved views" };

export default async function ViewsRoute() {
  const views = await getViewsPage();
  return (
    <PageFrame crumbs={[{ label: "Saved views" }]}>
      <PageTitle
        title="Saved views"
        summary={
          views.length === 0
            ? "Pages with their filters, kept under a name."
            : `${formatPlural(views.length, "view")}. Ctrl K saves the page you look at, with its filters, and finds it by name.`
        }
      />
      <SavedViews views={views} />
    </PageFrame>
  );
}
