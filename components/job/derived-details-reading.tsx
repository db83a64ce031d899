/** Instead of what is counted from the files of trials, before they were read for the first time. */
export function DerivedDetailsReading({ what }: { what: string }) {
  return (
    <p className="muted" role="status">
      {what} are counted from the verifier files of every trial, which are being read now. This fills by
      itself.
    </p>
  );
}

/** Above what was counted before some trials changed. */
export function DerivedDetailsOutdated() {
  return (
    <p className="caption table-note" role="status">
      Some trials changed. Their files are being read again; until then this is as of before.
    </p>
  );
}
