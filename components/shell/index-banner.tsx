import "./index-state.css";

/** What is wrong with the index, or worth knowing of it, above every page. Nothing while all is well. */
export function IndexBanner({ failure, notice }: { failure: string | null; notice: string | null }) {
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
      {notice === null ? null : (
        <p className="index-banner" role="status">
          {notice}
        </p>
      )}
    </>
  );
}
