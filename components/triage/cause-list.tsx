"use client";

import type { Route } from "next";
import type { KeyboardEvent } from "react";

import { percent } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import type { PlacedInterval } from "@/lib/core/charts/interval-strip";
import { formatPlural } from "@/lib/core/format/number";

import { WhoStrip } from "./who-strip";

export interface CauseLine {
  readonly key: string;
  readonly href: Route;
  readonly title: string;
  /** Pattern of its messages. */
  readonly hint: string;
  readonly owner: string;
  readonly nTrials: number;
  readonly points: string;
  readonly said: string;
  /** Null if the gain is unknown. */
  readonly interval: PlacedInterval | null;
  readonly who: readonly number[];
  readonly isDismissed: boolean;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event;
  if (key !== "ArrowDown" && key !== "ArrowUp") return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at + (key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Rendered in the browser too: markup of a row is several times its data. One Tab stop; focus by a key opens the cause. */
export function CauseList({
  lines,
  agents,
  open,
}: {
  lines: readonly CauseLine[];
  agents: readonly string[];
  open: string | null;
}) {
  return (
    <ul className="cause-rows" aria-label="Causes" onKeyDown={moveFocus}>
      {lines.map((line) => (
        <li key={line.key}>
          <Link
            className={line.isDismissed ? "choice cause-row cause-dismissed" : "choice cause-row"}
            href={line.href}
            mode="replace"
            aria-current={line.key === open ? "true" : undefined}
            tabIndex={line.key === open ? 0 : -1}
            data-row-link=""
            onFocus={({ currentTarget }) => {
              const isChosen = currentTarget.hasAttribute("aria-current");
              if (!isChosen && currentTarget.matches(":focus-visible")) currentTarget.click();
            }}
          >
            <span className="cut cause-title" title={`${line.title} ${line.hint}`.trim()}>
              <b>{line.title}</b> <span className="caption">{line.hint}</span>
            </span>
            <span className="row caption cause-facts">
              <span className="cause-owner">{line.isDismissed ? "Dismissed" : line.owner}</span>
              <span className="cause-trials">{formatPlural(line.nTrials, "trial")}</span>
              <WhoStrip counts={line.who} agents={agents} />
            </span>
            <WinPlot interval={line.interval} said={line.said} />
            <span className={line.interval === null ? "numeric muted cause-points" : "numeric cause-points"}>
              {line.points}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function WinPlot({ interval, said }: { interval: PlacedInterval | null; said: string }) {
  return (
    <svg className="win-plot" height={16} role="img" aria-label={said}>
      <title>{said}</title>
      {["0%", "50%", "100%"].map((x) => (
        <line key={x} className="win-grid" x1={x} x2={x} y1={0} y2={16} />
      ))}
      {interval === null ? (
        <line className="win-unknown" x1="0%" x2="100%" y1={8} y2={8} />
      ) : (
        <>
          <rect className="win-bar" y={4} width={percent(interval.at)} height={8} />
          {interval.line === null ? null : (
            <line
              className="win-interval"
              x1={percent(interval.line.from)}
              x2={percent(interval.line.to)}
              y1={8}
              y2={8}
            />
          )}
          {interval.caps.map((cap) => (
            <line key={cap} className="win-interval" x1={percent(cap)} x2={percent(cap)} y1={6} y2={10} />
          ))}
        </>
      )}
    </svg>
  );
}
