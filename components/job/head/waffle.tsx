"use client";

import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from "react";

import { announce } from "@/components/shell/announcer";
import { Link } from "@/components/ui/link";
import type { TaskPattern } from "@/lib/core/domain/job-filter";
import { formatCount } from "@/lib/core/format/number";
import { formatTask, OUTCOME_WORDS } from "@/lib/core/format/words";
import { trialHref } from "@/lib/pages/address/href";
import type { WaffleTask } from "@/lib/pages/job/overview";
import { trialsPageHref } from "@/lib/pages/trials/address";

import "./waffle.css";

interface WafflePart {
  readonly patterns: readonly (TaskPattern | null)[];
  readonly words: string;
  readonly n: number;
}

interface Spot {
  readonly column: number;
  readonly row: number;
  readonly place?: Readonly<Record<"left" | "top" | "width" | "height", number>>;
}

interface WaffleProps {
  readonly jobKey: string;
  /** Tasks of each part follow those of the part before. */
  readonly tasks: readonly WaffleTask[];
  readonly parts: readonly WafflePart[];
  /** Names in the order of the marks' groups; empty if there is only one. */
  readonly groups: readonly string[];
  readonly children: ReactNode;
}

/**
 * A column of squares for each task. One link moves to the square under the pointer or by arrow keys: hundreds of links would be
 * as many stops of the Tab key.
 */
export function Waffle({ jobKey, tasks, parts, groups, children }: WaffleProps) {
  const box = useRef<HTMLDivElement>(null);
  const [spot, setSpot] = useState<Spot>({ column: 0, row: 0 });
  const [isActive, setIsActive] = useState(false);
  const task = tasks[spot.column];
  const mark = task?.marks[spot.row];
  if (task === undefined || mark === undefined) return null;
  const words = describe(task, spot.row, groups);

  function goTo(square: Element | undefined): Spot | null {
    const column = square?.parentElement;
    if (!(square instanceof HTMLElement) || !column?.classList.contains("waffle-column")) return null;
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = square;
    const next = {
      column: listColumns(box.current).indexOf(column),
      row: [...column.children].indexOf(square),
    };
    setSpot({ ...next, place: { left, top, width, height } });
    setIsActive(true);
    return next;
  }
  function follow({ target }: PointerEvent): void {
    if (target instanceof Element) goTo(target);
  }
  function press(event: KeyboardEvent): void {
    const square = findNext(listColumns(box.current), spot, event.key);
    if (square === null) return;
    event.preventDefault();
    const next = goTo(square);
    const at = next === null ? undefined : tasks[next.column];
    if (next !== null && at !== undefined) announce(describe(at, next.row, groups));
  }
  return (
    <>
      <div className="section-head">
        <h2>Every trial</h2>
        <span id="waffle-help" className="muted">
          {isActive ? words : "one column per task, one square per attempt, worst first"}
          <span className="screen-reader">. Arrow keys move.</span>
        </span>
        {children}
      </div>
      <div
        ref={box}
        className={tasks.every(({ marks }) => marks.length < 2) ? "waffle waffle-single" : "waffle"}
        style={{ "--n": tasks.length } as CSSProperties} // A variable of the style sheet.
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setIsActive(false)}
        onKeyDown={press}
      >
        <Columns tasks={tasks} parts={parts} />
        <Link
          className="waffle-spot"
          href={
            mark.key === null
              ? trialsPageHref(jobKey, { tasks: [task.taskName] })
              : trialHref(jobKey, mark.key)
          }
          style={spot.place}
          aria-label={words}
          aria-describedby="waffle-help"
          onFocus={() => goTo(listColumns(box.current)[spot.column]?.children[spot.row])}
          onBlur={() => setIsActive(false)}
        />
      </div>
    </>
  );
}

const Columns = memo(function Columns({ tasks, parts }: Pick<WaffleProps, "tasks" | "parts">) {
  return parts.map(({ words, n, patterns }) => {
    const own = tasks.filter(({ pattern }) => patterns.includes(pattern));
    return own.length === 0 ? null : (
      <div key={words} className="waffle-part">
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
          <b>{formatCount(n)}</b> {words}
        </p>
      </div>
    );
  });
});

function listColumns(box: Element | null): readonly Element[] {
  return [...(box?.querySelectorAll(".waffle-column") ?? [])];
}

const MOVES: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/** Null for a key that does not move; undefined at an end. */
function findNext(
  columns: readonly Element[],
  { column, row }: Spot,
  key: string,
): Element | undefined | null {
  const move = MOVES[key];
  if (move === undefined) return null;
  const squares = columns[Math.min(Math.max(column + move[0], 0), columns.length - 1)]?.children;
  return squares?.[move[1] === 0 ? Math.min(row, squares.length - 1) : row + move[1]];
}

function describe(task: WaffleTask, row: number, groups: readonly string[]): string {
  const { marks } = task;
  const mark = marks[row];
  if (mark === undefined) return formatTask(task);
  const who = groups[mark.group];
  const nPassed = marks.filter(({ outcome }) => outcome === "passed").length;
  return `${formatTask(task)}: ${who === undefined ? "" : `${who}, `}attempt ${mark.attempt} ${OUTCOME_WORDS[mark.outcome]}, ${nPassed} of ${marks.length} passed`;
}
