"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

import { NearLink } from "@/components/ui/near-link";

/** One page of the rail. */
export interface RailLink {
  readonly href: Route;
  readonly label: string;
  readonly icon: ReactNode;
  readonly count: string | null;
}

function isCurrent(pathname: string, href: string): boolean {
  return href === "/" ? pathname === "/" || pathname.startsWith("/jobs") : pathname.startsWith(href);
}

/** The pages, with the one that is open marked. */
export function RailLinks({ links }: { links: readonly RailLink[] }) {
  const pathname = usePathname();
  return (
    <nav className="rail-links" aria-label="Pages">
      {links.map((link) => (
        <NearLink
          key={link.href}
          href={link.href}
          title={link.label}
          aria-current={isCurrent(pathname, link.href) ? "page" : undefined}
        >
          {link.icon}
          <span>{link.label}</span>
          {link.count === null ? null : <span className="rail-count">{link.count}</span>}
        </NearLink>
      ))}
    </nav>
  );
}
