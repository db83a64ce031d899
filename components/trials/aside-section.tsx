import type { ReactNode } from "react";

/** A section of the left column: heading, note at the right, content. */
export function AsideSection({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="aside-section" aria-label={title}>
      <div className="aside-head">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="caption">{note}</span>}
      </div>
      {children}
    </section>
  );
}
