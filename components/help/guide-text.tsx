import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { Route } from "next";
import { Fragment, type ReactNode } from "react";

import { CopyButton } from "@/components/ui/copy-button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { helpHref } from "@/lib/pages/help/address";

import { getGuide } from "./guides";

import "./guide.css";

export function readGuideHead(markdown: string): { readonly title: string; readonly opening: string } {
  const tokens = lexer(markdown);
  const textOf = (type: string) => toPlain(tokens.filter((token) => token.type === type).slice(0, 1));
  return { title: textOf("heading"), opening: textOf("paragraph") };
}

export function GuideText({ markdown }: { markdown: string }) {
  const tokens = lexer(markdown).filter(({ type, raw }) => !(type === "heading" && raw.startsWith("# ")));
  return <div className="guide">{drawAll(tokens)}</div>;
}

function toPlain(tokens: readonly Token[] | undefined): string {
  const texts = tokens?.map((token) => {
    if ("tokens" in token) return toPlain(token.tokens);
    return "text" in token ? String(token.text) : "";
  });
  return texts?.join("").replaceAll("\n", " ") ?? "";
}

function drawAll(tokens: readonly Token[] | undefined): ReactNode {
  // The lexer makes only its own token kinds unless extended.
  return tokens?.map((token, at) => <Fragment key={at}>{draw(token as MarkedToken)}</Fragment>);
}

function draw(token: MarkedToken): ReactNode {
  // TypeScript cannot infer that the entry matches the token's type.
  const drawing = DRAWINGS[token.type] as ((token: MarkedToken) => ReactNode) | undefined;
  return drawing === undefined ? token.raw : drawing(token);
}

const DRAWINGS: {
  readonly [Kind in MarkedToken["type"]]?: (token: Extract<MarkedToken, { type: Kind }>) => ReactNode;
} = {
  heading: ({ depth, tokens }) => {
    const Heading = depth <= 2 ? "h2" : "h3";
    return <Heading id={toAnchor(toPlain(tokens))}>{drawAll(tokens)}</Heading>;
  },
  paragraph: ({ tokens }) => <p>{drawAll(tokens)}</p>,
  text: ({ tokens, text }) => (tokens === undefined ? text : drawAll(tokens)),
  escape: ({ text }) => text,
  strong: ({ tokens }) => <strong>{drawAll(tokens)}</strong>,
  codespan: ({ text }) => <CodeSpan text={text} />,
  link: ({ href, tokens }) => <GuideLink href={href}>{drawAll(tokens)}</GuideLink>,
  list: ({ ordered, items }) => {
    const List = ordered ? "ol" : "ul";
    return (
      <List>
        {items.map(({ tokens }, at) => (
          <li key={at}>{drawAll(tokens)}</li>
        ))}
      </List>
    );
  },
  code: ({ text }) => <CodeBlock text={text} />,
  table: (table) => <GuideTable table={table} />,
  space: () => null,
};

function CodeSpan({ text }: { text: string }) {
  const isAddress = /^\/(?!api\/)[^{}…]*$/.test(text);
  // A test checks that URLs in guides exist.
  return isAddress ? <Link href={text as Route}>{<code>{text}</code>}</Link> : <code>{text}</code>;
}

/** Files next to a guide are guides too; other links stay text. */
function GuideLink({ href, children }: { href: string; children: ReactNode }) {
  const [, file = "", part = ""] = /^(?:\.\.\/)?([\w-]*)(?:\.md)?(?:#(.*))?$/.exec(href) ?? [];
  const name = file.toLowerCase();
  if (name === "" && part !== "") return <a href={`#${part}`}>{children}</a>;
  return getGuide(name) === null ? children : <Link href={helpHref(name, part)}>{children}</Link>;
}

function CodeBlock({ text }: { text: string }) {
  const commands = text.split("\n").filter((line) => line.startsWith("$ "));
  return (
    <div className="guide-code">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton
        text={commands.length === 0 ? text : commands.map((line) => line.slice(2)).join("\n")}
        label={commands.length === 0 ? "Copy" : "Copy the command"}
      />
    </div>
  );
}

function GuideTable({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <DataTable
      caption={header.map(({ tokens }) => toPlain(tokens)).join(", ")}
      className="guide-table"
      columns={header.map(({ tokens }, at) => ({
        id: String(at),
        header: drawAll(tokens),
        cell: (row: readonly Tokens.TableCell[]) => drawAll(row[at]?.tokens),
      }))}
      rows={rows}
      rowKey={(_, nth) => nth}
    />
  );
}

/** Matches GitHub's heading anchors, so that links work there too. */
function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(/\s/g, "-");
}
