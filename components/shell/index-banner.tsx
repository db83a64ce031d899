import type { ReactNode } from "react";

import { Mark } from "@/components/ui/mark";
import { withBasePath } from "@/lib/core/domain/base-path";
import type { ShellModel } from "@/lib/pages/shell/shell";

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
