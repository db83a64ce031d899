import type { ReactNode } from "react";

/** A section of the left column: heading, note at the right, content. */
export function AsideSection({
  title,
  note,
  id,
  children,
}: {
  title: string;
  note?: ReactNode;
  /** What a link to it ends with. */
  id?: string | undefined;
  children: ReactNode;
}) {
  return (
    <section className="aside-section" aria-label={title} id={id}>
      <div className="aside-head">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="caption">{note}</span>}
      </div>
      {children}
    </section>
  );
}
