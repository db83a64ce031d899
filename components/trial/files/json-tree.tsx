import type { JsonNode } from "@/lib/domain/file-preview";
import { formatCount, formatPlural } from "@/lib/format/number";

/** A value of a JSON file, folded where it holds others. Needs no scripts. */
export function JsonTree({ node, isOpen = false }: { node: JsonNode; isOpen?: boolean }) {
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
    <details className="json-node" open={isOpen}>
      <summary>
        <Key node={node} />
        <span className="muted nowrap">
          {node.kind === "list" ? formatPlural(node.n, "entry", "entries") : formatPlural(node.n, "key")}
        </span>
        <span className="json-begin cut">{node.text}</span>
      </summary>
      <div className="json-children">
        {node.children.map((child, index) => (
          <JsonTree key={index} node={child} />
        ))}
        {nLeftOut === 0 ? null : (
          <p className="caption">
            {node.children.length === 0 ? "" : "And "}
            {formatCount(nLeftOut)} {node.children.length === 0 ? "entries" : "more"}, which Text shows.
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
        <span className="json-text json-quoted">
          {text}
          {isCut ? <span className="muted"> … {formatCount(nChars)} characters</span> : null}
        </span>
      )}
    </div>
  );
}
