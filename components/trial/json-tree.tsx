import type { Route } from "next";
import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import type { JsonNode } from "@/lib/core/domain/file-preview";
import { formatCount, formatPlural } from "@/lib/core/format/number";

/** Works without scripts. */
export function JsonTree({
  node,
  levels,
  rest,
}: {
  node: JsonNode;
  levels: number;
  /** Says where omitted entries are, as in "which Text shows". */
  rest: string;
}) {
  if (node.kind === "text" || node.kind === "other") return <Leaf node={node} />;
  if (node.n === 0)
    return (
      <p className="json-leaf">
        <Key node={node} />
        <span className="muted">{node.kind === "list" ? "[]" : "{}"}</span>
      </p>
    );
  const nLeftOut = node.n - node.children.length;
  return (
    <details className="json-node" open={levels > 0}>
      <summary>
        <Key node={node} />
        <span className="muted nowrap">
          {node.kind === "list" ? formatPlural(node.n, "entry", "entries") : formatPlural(node.n, "key")}
        </span>
        <span className="json-begin muted cut">{node.text}</span>
      </summary>
      <div className="json-children">
        {node.children.map((child, index) => (
          <JsonTree key={index} node={child} levels={levels - 1} rest={rest} />
        ))}
        {nLeftOut === 0 ? null : (
          <p className="caption">
            {node.children.length === 0 ? "" : "And "}
            {formatCount(nLeftOut)} {node.children.length === 0 ? "entries" : "more"}, {rest}.
          </p>
        )}
      </div>
    </details>
  );
}

function Key({ node: { key } }: { node: JsonNode }) {
  return key === null ? null : <b className="json-key">{key}</b>;
}

function Leaf({ node }: { node: JsonNode }) {
  const { kind, text, nChars } = node;
  const isCut = nChars > text.length + 50 && text.length > 1_000;
  return (
    <div className="json-leaf">
      <Key node={node} />
      {kind === "other" ? (
        <code>{text}</code>
      ) : (
        <span className="pre-wrap json-text json-quoted">
          {text}
          {isCut ? <span className="muted"> … {formatCount(nChars)} characters</span> : null}
        </span>
      )}
    </div>
  );
}

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
