"use client";

import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

import { announce } from "@/components/shell/announcer";
import { Link } from "@/components/ui/link";
import type { TaskPattern } from "@/lib/core/domain/job-filter";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTask, OUTCOME_WORDS } from "@/lib/core/format/words";
import { trialHref } from "@/lib/pages/address/href";
import type { WaffleTask } from "@/lib/pages/job/overview";
import { trialsPageHref } from "@/lib/pages/trials/address";

import "@/components/ui/outcome-bar.css";
import "./waffle.css";

export interface WafflePart {
  readonly patterns: readonly (TaskPattern | null)[];
  readonly words: string;
  readonly n: number;
}

interface Spot {
  readonly column: number;
  readonly row: number;
  readonly isActive: boolean;
  readonly place?: Readonly<Record<"left" | "top" | "width" | "height", number>>;
}

/**
 * A column of squares for each task. One link moves to the square under the pointer or by arrow keys: hundreds of links would be
 * as many stops of the Tab key.
 */
export function Waffle({
  jobKey,
  tasks,
  parts,
  groups,
}: {
  jobKey: string;
  tasks: readonly WaffleTask[];
  parts: readonly WafflePart[];
  /** Names in the order of the marks' groups; empty if there is only one. */
  groups: readonly string[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const [spot, setSpot] = useState<Spot>({ column: 0, row: 0, isActive: false });
  const drawn = parts.map((part) => ({
    ...part,
    tasks: tasks.filter((one) => part.patterns.includes(one.pattern)),
  }));
  const ordered = drawn.flatMap((part) => part.tasks);
  const task = ordered[spot.column];
  const mark = task?.marks[spot.row];
  if (task === undefined || mark === undefined) return null;
  const words = describe(task, mark, groups);
  const isSingle = tasks.every(({ marks }) => marks.length < 2);

  function goTo(square: Element | null | undefined, isKey: boolean): void {
    const column = square?.parentElement;
    if (!(square instanceof HTMLElement) || !column?.classList.contains("waffle-column")) return;
    const next = { column: listColumns().indexOf(column), row: [...column.children].indexOf(square) };
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = square;
    setSpot({ ...next, place: { left, top, width, height }, isActive: true });
    const [at, to] = [ordered[next.column], ordered[next.column]?.marks[next.row]];
    if (isKey && at !== undefined && to !== undefined) announce(describe(at, to, groups));
  }
  function listColumns(): readonly Element[] {
    return [...(box.current?.querySelectorAll(".waffle-column") ?? [])];
  }
  function follow(event: PointerEvent): void {
    if (event.target instanceof Element) goTo(event.target, false);
  }
  function press(event: KeyboardEvent): void {
    const columns = listColumns();
    const squareAt = (column: number, row: number) => {
      const squares = columns[column]?.children;
      return squares?.[Math.min(row, squares.length - 1)];
    };
    const { column, row } = spot;
    const moves: Readonly<Record<string, () => Element | undefined>> = {
      ArrowRight: () => squareAt(column + 1, row),
      ArrowLeft: () => squareAt(column - 1, row),
      ArrowDown: () => columns[column]?.children[row + 1],
      ArrowUp: () => columns[column]?.children[row - 1],
      Home: () => squareAt(0, row),
      End: () => squareAt(columns.length - 1, row),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    goTo(move(), true);
  }

  return (
    <div
      ref={box}
      className={isSingle ? "waffle waffle-single" : "waffle"}
      onPointerMove={follow}
      onPointerDown={follow}
      onKeyDown={press}
    >
      {drawn.map(({ words: name, n, tasks: own }) =>
        own.length === 0 ? null : (
          <div key={name} className="waffle-part">
            <div className="waffle-columns" aria-hidden>
              {own.map(({ taskName, marks }) => (
                <span key={taskName} className="waffle-column">
                  {marks.map(({ outcome }, at) => (
                    <i key={at} className={`outcome-${outcome}`} />
                  ))}
                </span>
              ))}
            </div>
            <p className="caption">
              <b>{formatCount(n)}</b> {name}
            </p>
          </div>
        ),
      )}
      <Link
        className="waffle-spot"
        href={
          mark.key === null ? trialsPageHref(jobKey, { tasks: [task.taskName] }) : trialHref(jobKey, mark.key)
        }
        style={spot.place}
        aria-label={words}
        aria-describedby="waffle-help"
        onFocus={() => goTo(listColumns()[spot.column]?.children[spot.row], false)}
        onBlur={() => setSpot((one) => ({ ...one, isActive: false }))}
      />
      <p id="waffle-help" className="waffle-words caption">
        {spot.isActive ? words : "One column per task, one square per attempt, worst first"}
        <span className="screen-reader">. Arrow keys move. {formatPlural(tasks.length, "task")}.</span>
      </p>
    </div>
  );
}

function describe(task: WaffleTask, mark: WaffleTask["marks"][number], groups: readonly string[]): string {
  const who = groups[mark.group];
  const nPassed = task.marks.filter(({ outcome }) => outcome === "passed").length;
  return `${formatTask(task)}: ${who === undefined ? "" : `${who}, `}attempt ${mark.attempt} ${OUTCOME_WORDS[mark.outcome]}, ${nPassed} of ${task.marks.length} passed`;
}
