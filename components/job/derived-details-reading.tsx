export function DerivedDetailsReading({ what }: { what: string }) {
  return (
    <p className="muted" role="status">
      {what} are counted from the verifier files of every trial, which are being read now. This fills by
      itself.
    </p>
  );
}

export function DerivedDetailsOutdated() {
  return (
    <p className="caption table-note" role="status">
      Some trials changed. Their files are being read again; until then this is as of before.
    </p>
  );
}
