"use client";

import { Columns2, X } from "lucide-react";
import { createContext, type ReactNode, use, useState } from "react";

import { announce } from "@/components/shell/announcer";
import { CommandKey } from "@/components/shell/command-key";
import { useCommands } from "@/components/shell/commands";
import { Button, ButtonLink } from "@/components/ui/button";
import { withoutBasePath } from "@/lib/core/domain/base-path";
import { diffHref, readTrialRef } from "@/lib/pages/diff/address";

interface Pick {
  readonly href: string;
  readonly name: string;
}

interface Picks {
  readonly hrefs: readonly string[];
  readonly isPicking: boolean;
  readonly setPicking: (isPicking: boolean) => void;
}

const Picked = createContext<Picks>({ hrefs: [], isPicking: false, setPicking: () => undefined });

const MARKS = ".attempts a[href]";
const SIDES = ["A", "B"] as const;

export function usePickedHrefs(): readonly string[] {
  return use(Picked).hrefs;
}

/** Picks two attempts to show side by side, by key or, in picking mode, by click. A third replaces the first. */
export function MatrixPicks({ children }: { children: ReactNode }) {
  const [picks, setPicks] = useState<readonly Pick[]>([]);
  const [isPicking, setPicking] = useState(false);
  const remove = (href: string) => setPicks((now) => now.filter((pick) => pick.href !== href));
  const toggle = (mark: Element): void => {
    const href = withoutBasePath(mark.getAttribute("href") ?? "");
    const name = nameMark(mark);
    if (picks.some((pick) => pick.href === href)) {
      remove(href);
      announce(`No longer picked: ${name}`);
    } else {
      setPicks((now) => [...now, { href, name }].slice(-SIDES.length));
      announce(`Picked: ${name}`);
    }
  };
  useCommands({
    "compare.pick": () => {
      const mark = document.activeElement?.closest(MARKS) ?? null;
      if (mark === null) return false;
      toggle(mark);
      return undefined;
    },
  });
  return (
    <Picked value={{ hrefs: picks.map(({ href }) => href), isPicking, setPicking }}>
      <div
        data-picking={isPicking ? "" : undefined}
        onClickCapture={(event) => {
          const mark = event.target instanceof Element ? event.target.closest(MARKS) : null;
          const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
          if (!isPicking || mark === null || isModified) return;
          event.preventDefault();
          event.stopPropagation();
          toggle(mark);
        }}
      >
        {children}
        {picks.length === 0 && !isPicking ? null : <PickBar picks={picks} onRemove={remove} />}
      </div>
    </Picked>
  );
}

export function PickToggle() {
  const { isPicking, setPicking } = use(Picked);
  return (
    <Button
      className="pick-toggle"
      aria-pressed={isPicking}
      title="Click two marks to compare their attempts side by side; a key picks the focused mark"
      onClick={() => setPicking(!isPicking)}
    >
      <Columns2 size={16} aria-hidden />
      Pick two
    </Button>
  );
}

function PickBar({ picks, onRemove }: { picks: readonly Pick[]; onRemove: (href: string) => void }) {
  const [a, b] = picks.map(({ href }) => readTrialRef(href));
  return (
    <div className="row pick-bar" role="group" aria-label="Picked attempts">
      {SIDES.map((side, at) => {
        const pick = picks[at];
        return (
          <span key={side} className="row pick-one">
            <b>{side}</b>
            {pick === undefined ? (
              <span className="muted">pick {at === 0 ? "an" : "another"} attempt</span>
            ) : (
              <>
                <span className="cut" title={pick.name}>
                  {pick.name}
                </span>
                <Button look="bare" aria-label={`Remove ${side}`} onClick={() => onRemove(pick.href)}>
                  <X size={14} aria-hidden />
                </Button>
              </>
            )}
          </span>
        );
      })}
      {a && b ? (
        <span data-picked-diff="">
          <ButtonLink look="main" href={diffHref({ a, b })}>
            Side by side
            <CommandKey id="compare.diff" />
          </ButtonLink>
        </span>
      ) : null}
    </div>
  );
}

function nameMark(mark: Element): string {
  const task = mark.closest("tr")?.querySelector("th")?.textContent ?? "";
  const group = mark.closest("td")?.dataset["label"] ?? "";
  const [attempt = ""] = (mark.getAttribute("title") ?? "").split(",");
  return [task, group, attempt].filter((part) => part !== "").join(", ");
}
