import type { Route } from "next";

import { formatCount, MISSING } from "@/lib/core/format/number";

import { Link } from "./link";

/** A link, because the open tab is part of the URL. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly href: Route;
  /** An em dash if unknown, nothing if there is nothing to count. */
  readonly count?: number | typeof MISSING | null;
}

export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav className="tabs" aria-label={label} data-tabs="">
      {tabs.map((tab) => (
        <Link key={tab.id} href={tab.href} mode="stay" aria-current={tab.id === current ? "page" : undefined}>
          {tab.label}
          {tab.count === undefined || tab.count === null ? null : (
            <span className="tab-count">{tab.count === MISSING ? MISSING : formatCount(tab.count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
