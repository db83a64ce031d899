"use client";

import { useMemo } from "react";

import { ShareStrip } from "@/components/charts/strips";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { type Packed, unpack } from "@/components/ui/packed";
import { SoftLink } from "@/components/ui/soft-link";
import type { ChartGroup } from "@/lib/charts/chart-group";
import { jobHref, trialHref } from "@/lib/addresses/href";
import { formatCount, formatReward, MISSING } from "@/lib/format/number";

import type { MatrixCellLine, MatrixLine } from "./matrix-lines";

/** A group of the matrix, and where its trials are. */
export interface MatrixGroup extends ChartGroup {
  readonly jobKey: string;
  readonly groupKey: string;
  /** Whether it is a part of a group that is divided by settings. */
  readonly isPart: boolean;
}

/** What all rows of the matrix are drawn by. */
export interface MatrixSetting {
  readonly groups: readonly MatrixGroup[];
  readonly scale: { readonly low: number; readonly high: number };
}

/** Rows of the matrix. What they are drawn from is sent as one text: a page may have some thousand marks. */
export function MatrixRows({
  packed,
  setting,
}: {
  packed: Packed<readonly MatrixLine[]>;
  setting: MatrixSetting;
}) {
  const lines = useMemo(() => unpack(packed), [packed]);
  return lines.map((line) => <Row key={line.task} line={line} setting={setting} />);
}

function Row({ line, setting: { groups, scale } }: { line: MatrixLine; setting: MatrixSetting }) {
  const { task, cells, difference, flaky, cost } = line;
  const placed = groups.map((group, index) => ({ group, cell: cells[index] }));
  const words = placed.map(({ group, cell }) => {
    const mean = cell?.mean ?? null;
    return `${group.label} ${mean === null ? "no value" : formatReward(mean, 2)}`;
  });
  const anchor = placed.flatMap(({ group, cell }) =>
    (cell?.marks ?? []).flatMap(([key]) => (key === null ? [] : trialHref(group.jobKey, key))),
  )[0];
  return (
    <tr>
      <th scope="row" className="matrix-task">
        {anchor === undefined ? (
          task
        ) : (
          <SoftLink href={anchor} className="quiet" data-row-link="" title={task}>
            {task}
          </SoftLink>
        )}
      </th>
      {placed.map(({ group, cell }) => (
        <AttemptsCell key={group.id} cell={cell} group={group} task={task} />
      ))}
      <td className="matrix-strip">
        <ShareStrip
          title={words.join(", ")}
          scale={scale}
          marks={placed.map(({ group, cell }) => ({ group, value: cell?.mean ?? null }))}
        />
      </td>
      <td className={difference === MISSING ? "numeric unknown" : "numeric"}>{difference}</td>
      {flaky === undefined ? null : (
        <td className="minor muted matrix-flaky" title={flaky[1]}>
          {flaky[0]}
        </td>
      )}
      {cost === undefined ? null : (
        <td className={cost[0] === MISSING ? "numeric minor unknown" : "numeric minor"} title={cost[1]}>
          {cost[0]}
        </td>
      )}
    </tr>
  );
}

function AttemptsCell({
  cell,
  group: { jobKey, groupKey, isPart },
  task,
}: {
  cell: MatrixCellLine | undefined;
  group: MatrixGroup;
  task: string;
}) {
  const { marks = [], nMore = 0, n = 0, c = 0 } = cell ?? {};
  const settings = isPart ? "split" : undefined;
  return (
    <td>
      <span className="matrix-cell">
        {marks.length === 0 ? null : (
          <AttemptMarks
            attempts={marks.map(([key, attempt, outcome, detail, isSuspect = false], index) => ({
              key: key ?? String(index),
              attempt,
              outcome,
              href: key === null ? null : trialHref(jobKey, key),
              detail,
              isSuspect,
            }))}
          />
        )}
        {nMore === 0 ? null : (
          <SoftLink
            className="muted"
            href={jobHref(jobKey, { tab: "trials", group: groupKey, task, settings })}
            title={`${formatCount(nMore)} more attempts`}
          >
            +{nMore}
          </SoftLink>
        )}
        {n === 0 ? (
          <span className="unknown">{MISSING}</span>
        ) : (
          <span>
            {c}
            <span className="muted">/{n}</span>
          </span>
        )}
      </span>
    </td>
  );
}
