"use client";

import { ChevronDown } from "lucide-react";
import type { Route } from "next";

import { ForAction } from "@/components/shell/account-context";
import { openPalette } from "@/components/shell/palette";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { ListView } from "@/lib/pages/views/page";

/** Saved views of one list. `all` is the list without filters, `current` the address of the page as it is. */
export function ViewsMenu({
  label,
  all,
  current,
  views,
}: {
  label: string;
  all: Route;
  current: Route;
  views: readonly ListView[];
}) {
  const entries = [{ name: label, href: all }, ...views];
  const name = entries.find(({ href }) => href === current)?.name ?? "Views";
  return (
    <details key={current} className="facet" data-menu="">
      <summary title="Saved views of this list">
        <b>{name}</b>
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <ul>
          {entries.map((entry) => (
            <li key={`${entry.href} ${entry.name}`}>
              <Link
                href={entry.href}
                className={entry.href === current ? "facet-option facet-selected" : "facet-option"}
                aria-current={entry.href === current ? "true" : undefined}
              >
                <span className="check-box" aria-hidden="true" />
                <span className="cut">{entry.name}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ForAction action="saveViewAction">
          <Button
            look="bare"
            onClick={(event) => {
              event.currentTarget.closest("details")?.removeAttribute("open");
              openPalette("save");
            }}
          >
            Save this view
          </Button>
        </ForAction>
        <Link className="facet-clear" href="/views">
          Edit saved views
        </Link>
      </div>
    </details>
  );
}
