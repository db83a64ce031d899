import type { Route } from "next";
import type { ReactNode } from "react";

import { formatCount, MISSING } from "@/lib/core/format/number";

import { Link } from "./link";

export function Unknown({ children = MISSING, title }: { children?: ReactNode; title?: string }) {
  return (
    <span className="unknown" title={title}>
      {children}
    </span>
  );
}

export function Count({ value, href, title }: { value: number; href?: Route | null; title?: string }) {
  const text = formatCount(value);
  if (value === 0 || href === undefined || href === null) {
    return (
      <span className={value === 0 ? "zero" : undefined} title={title}>
        {text}
      </span>
    );
  }
  return (
    <Link className="quiet" href={href} title={title}>
      {text}
    </Link>
  );
}
