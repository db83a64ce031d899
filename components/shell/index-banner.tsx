import type { ShellProblem } from "@/lib/queries/shell/shell";

import "./index-state.css";

/** What is wrong with what the pages are made of, or worth knowing of it, above every page. Nothing while all is well. */
export function IndexBanner({
  failure,
  problems,
  notice,
}: {
  failure: string | null;
  problems: readonly ShellProblem[];
  notice: string | null;
}) {
  return (
    <>
      {failure === null ? null : (
        <p id="index-failure" className="index-banner index-banner-failure" role="alert">
          <svg className="mark-errored" width={12} height={12} aria-hidden="true">
            <use href="#mark-errored" />
          </svg>
          <span>
            <b>The pages may be out of date.</b> {failure}
          </span>
        </p>
      )}
      {problems.map(({ text, exportHref }) => (
        <p key={text} className="index-banner index-banner-failure" role="status">
          <svg className="mark-errored" width={12} height={12} aria-hidden="true">
            <use href="#mark-errored" />
          </svg>
          <span>
            {text}
            {exportHref === null ? null : (
              <>
                {" "}
                <a href={exportHref} download>
                  Export what can still be read
                </a>
              </>
            )}
          </span>
        </p>
      ))}
      {notice === null ? null : (
        <p className="index-banner" role="status">
          {notice}
        </p>
      )}
    </>
  );
}
