import type { Route } from "next";
import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import type { JsonNode } from "@/lib/domain/file-preview";

import { JsonTree } from "../json-tree";

/** Where a text stands, and where more of it is when it is cut: the step by itself, and its whole file. */
export interface MoreLinks {
  readonly step: Route;
  readonly all: ReactNode;
  readonly isUnfolded: boolean;
  /** Number of its first line among all of its step, from 1; undefined where lines have none, as those of a diff. */
  readonly line: number | undefined;
}

/** A text that is JSON as a tree; as it was written where texts are shown raw. */
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
            Not all of it is shown. <Link href={more.step}>Open the step</Link> {more.all}
          </p>
        ) : null}
      </div>
      <div className="step-written">{children}</div>
    </>
  );
}

/** About as many as a text is shown of. */
const MAX_ROWS = 15;

/** How many levels of a tree make few rows. */
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
