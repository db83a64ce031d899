import type { ReactNode } from "react";

import { Mark } from "./mark";

import "./notice.css";

/** The one empty or error state: the problem, why, and what to do. `tone` error adds the glyph and says so to readers. */
export function Notice({
  title,
  tone = "empty",
  code,
  actions,
  children,
}: {
  title: string;
  tone?: "empty" | "error";
  code?: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="notice" role={tone === "error" ? "alert" : "status"}>
      <h2 className="notice-title">
        {tone === "error" ? <Mark status="errored" /> : null}
        {title}
      </h2>
      {children === undefined ? null : <div className="notice-text">{children}</div>}
      {code === undefined ? null : <pre className="notice-code">{code}</pre>}
      {actions === undefined ? null : <div className="row notice-actions">{actions}</div>}
    </div>
  );
}
