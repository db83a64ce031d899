import type { ReactNode } from "react";

import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { withBasePath } from "@/lib/core/domain/base-path";
import type { ShellModel } from "@/lib/pages/shell/shell";

import { PageFrame } from "./page-frame";
import { RUNS } from "./places";

export function IndexBanner({ shell }: { shell: ShellModel }) {
  const { hasIndex, failure, problems, notice } = shell;
  return (
    <>
      {!hasIndex || failure === null ? null : (
        <Banner id="index-failure" role="alert">
          <b>Pages may be out of date.</b> {failure}
        </Banner>
      )}
      {problems.map(({ text, exportHref }) => (
        <Banner key={text} role="status">
          {text}
          {exportHref === null ? null : (
            <>
              {" "}
              <a href={withBasePath(exportHref)} download>
                Export what can still be read
              </a>
            </>
          )}
        </Banner>
      ))}
      {notice === null ? null : (
        <p className="index-banner" role="status">
          {notice}
        </p>
      )}
    </>
  );
}

function Banner({ children, ...attributes }: { id?: string; role: "alert" | "status"; children: ReactNode }) {
  return (
    <p className="index-banner index-banner-failure" {...attributes}>
      <Mark status="errored" />
      <span>{children}</span>
    </p>
  );
}

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
