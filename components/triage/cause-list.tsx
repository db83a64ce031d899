"use client";

import type { Route } from "next";
import { type KeyboardEvent, useEffect } from "react";

import { useCommands } from "@/components/shell/commands";
import { percent } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import type { PlacedInterval } from "@/lib/core/charts/interval-strip";
import { getBasePath } from "@/lib/core/domain/base-path";
import { formatPlural } from "@/lib/core/format/number";
import { BENCHMARK_COOKIE } from "@/lib/pages/triage/address";

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

interface CauseListProps {
  readonly lines: readonly CauseLine[];
  readonly agents: readonly string[];
  readonly open: string | null;
}

/** Rendered in the browser too: markup of a row is several times its data. One Tab stop; focus by a key opens the cause. */
export function CauseList({ lines, agents, open }: CauseListProps) {
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
            <span className="row caption nowrap cause-facts">
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

function press(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  const menu = element?.closest("details");
  if (menu) menu.open = true;
  element?.click();
  return element !== null;
}

/** The first example without an answer of this browser. */
const UNANSWERED = ".cause-example .suggestion:not(:has([aria-pressed=true]))";

export function CauseKeys() {
  useCommands({
    // Enter on any other control is that control's.
    "triage.trials": () =>
      (document.activeElement === document.body ||
        document.activeElement?.matches("main, .cause-row[aria-current]") === true) &&
      press("[data-cause-trials]"),
    "triage.right": () => press(`${UNANSWERED} button`),
    "triage.wrong": () => press(`${UNANSWERED} button + button`),
    "triage.dismiss": () => press("[data-command='triage.dismiss']"),
    "triage.owner": (nth) => press(`.owner-bar > :nth-child(${String(nth)}) > a`),
  });
  return null;
}

/** Keeps the benchmark for the next visit, and puts a default one into the URL. Opens closed filters for their key. */
export function BenchmarkMemory({ dataset }: { dataset: string }) {
  useEffect(() => {
    document.cookie = `${BENCHMARK_COOKIE}=${encodeURIComponent(dataset)}; path=${getBasePath() || "/"}; max-age=31536000; samesite=lax`;
    const url = new URL(location.href);
    if (url.searchParams.has("dataset")) return;
    url.searchParams.append("dataset", dataset);
    history.replaceState(null, "", url);
  }, [dataset]);
  useCommands({
    "everywhere.filter": () => {
      const field = document.querySelector<HTMLInputElement>("[data-filter-text]");
      // Already focused: the browser handles the key.
      if (field === null || field === document.activeElement) return false;
      const menu = field.closest("details");
      if (menu !== null) menu.open = true;
      field.focus();
      field.select();
      return true;
    },
  });
  return null;
}
