import type { ReactNode } from "react";

export function PageTitle({
  title,
  suffix,
  tabs,
  summary,
  actions,
}: {
  title: ReactNode;
  suffix?: ReactNode;
  /** Sibling lists, on the line of the title. */
  tabs?: ReactNode;
  summary?: ReactNode;
  actions?: ReactNode;
}) {
  const drawn = actions === undefined ? null : <div className="flow page-actions">{actions}</div>;
  if (tabs !== undefined)
    return (
      <>
        <div className="flow list-title">
          <h1>{title}</h1>
          {tabs}
          {drawn}
        </div>
        {summary === undefined ? null : <p className="page-summary list-summary">{summary}</p>}
      </>
    );
  return (
    <div className="page-title">
      <div className="page-title-text">
        <h1>
          {title}
          {suffix === undefined ? null : <span className="page-title-suffix"> {suffix}</span>}
        </h1>
        {summary === undefined ? null : <p className="page-summary">{summary}</p>}
      </div>
      {drawn}
    </div>
  );
}

export function Section({
  title,
  note,
  actions,
  id,
  children,
}: {
  title: string;
  id?: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="section" aria-label={title} id={id}>
      <div className="section-head">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="muted">{note}</span>}
        {actions === undefined ? null : <div className="row section-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
