export function DerivedDetailsReading({ what }: { what: string }) {
  return (
    <p className="muted" role="status">
      {what} are counted from all verifier files, which are still being read. This page updates automatically.
    </p>
  );
}

export function DerivedDetailsOutdated() {
  return (
    <p className="caption table-note" role="status">
      Some trials changed and are being reread. Until then, this shows the earlier state.
    </p>
  );
}
