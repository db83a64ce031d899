import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";

import { PageFrame } from "./page-frame";
import { RUNS } from "./places";

/** Shown while the store does not answer; it goes away automatically. */
export function NoIndex({ failure }: { failure: string | null }) {
  return (
    <PageFrame crumbs={[RUNS]}>
      <PageTitle title="No data at the moment" />
      <Notice tone="error" title="The database is not responding">
        {failure} This page returns once the database responds. Nothing is lost: job folders are read-only,
        and saved data is in the database.
      </Notice>
    </PageFrame>
  );
}
