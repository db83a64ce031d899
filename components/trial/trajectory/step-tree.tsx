import type { Route } from "next";
import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import type { JsonNode } from "@/lib/core/domain/file-preview";

import { JsonTree } from "../json-tree";

export interface MoreLinks {
  readonly step: Route;
  readonly all: ReactNode;
  readonly isUnfolded: boolean;
  /** First line within its step, from 1; undefined for lines without numbers, such as diffs. */
  readonly line: number | undefined;
}

export function StepTree({
  tree,
  more,
  children,
}: {
  tree: JsonNode | null;
  more: MoreLinks;
  children: ReactNode;
}) {
  if (tree === null) return children;
  return (
    <>
      <div className="step-tree">
        <div className="json-tree" role="group" aria-label="JSON" tabIndex={0}>
          <JsonTree
            node={tree}
            levels={more.isUnfolded ? Infinity : chooseLevels(tree)}
            rest="not in this tree"
          />
        </div>
        {isCut(tree) ? (
          <p className="caption">
            Truncated. <Link href={more.step}>Open the step</Link> {more.all}
          </p>
        ) : null}
      </div>
      <div className="step-written">{children}</div>
    </>
  );
}

/** About as many rows as a text preview. */
const MAX_ROWS = 15;

function chooseLevels(tree: JsonNode): number {
  let rows = 1;
  let levels = 0;
  for (let level = [tree]; level.length > 0; levels++) {
    level = level.flatMap(({ children }) => children);
    rows += level.length;
    if (rows > MAX_ROWS) break;
  }
  return Math.max(1, levels);
}

function isCut({ n, children }: JsonNode): boolean {
  return n > children.length || children.some(isCut);
}
