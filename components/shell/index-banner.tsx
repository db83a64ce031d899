import "./index-state.css";

/** What is wrong with what the pages are made of, or worth knowing of it, above every page. Nothing while all is well. */
export function IndexBanner({
  failure,
  problems,
  notice,
}: {
  failure: string | null;
  problems: readonly string[];
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
      {problems.map((problem) => (
        <p key={problem} className="index-banner index-banner-failure" role="status">
          <svg className="mark-errored" width={12} height={12} aria-hidden="true">
            <use href="#mark-errored" />
          </svg>
          <span>{problem}</span>
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
