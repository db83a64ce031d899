import type { ReactNode } from "react";

import { Mark } from "./mark";

export function Notice({
  title,
  tone = "empty",
  isPage = false,
  code,
  actions,
  children,
}: {
  title: string;
  tone?: "empty" | "error";
  isPage?: boolean;
  code?: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const Title = isPage ? "h1" : "h2";
  return (
    <div className="panel notice" role={tone === "error" ? "alert" : "status"}>
      <Title className="row notice-title">
        {tone === "error" ? <Mark status="errored" /> : null}
        {title}
      </Title>
      {children === undefined ? null : <div className="notice-text">{children}</div>}
      {code === undefined ? null : <pre className="pre-wrap sunken notice-code">{code}</pre>}
      {actions === undefined ? null : <div className="flow notice-actions">{actions}</div>}
    </div>
  );
}
