import { lexer, type Token, type Tokens } from "marked";
import type { Route } from "next";
import type { ReactNode } from "react";

import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import { helpHref } from "@/lib/addresses/help";

import { getGuide } from "./guides";

import "./guide.css";

/** The parts of a guide that lists show: what it is called, and the paragraph below that. */
export function readGuideHead(markdown: string): { readonly title: string; readonly opening: string } {
  const tokens = lexer(markdown);
  const textOf = (type: string) => toPlain(tokens.find((token) => token.type === type));
  return { title: textOf("heading"), opening: textOf("paragraph") };
}

/** The text of a guide below its title. What is no Markdown stays text: HTML is shown as it is written. */
export function GuideText({ markdown }: { markdown: string }) {
  const tokens = lexer(markdown).filter((token) => !(token.type === "heading" && token["depth"] === 1));
  return <div className="guide">{drawAll(tokens)}</div>;
}

/** A text without the signs of Markdown. */
function toPlain(token: Pick<Tokens.Generic, "tokens" | "text"> | undefined): string {
  if (token === undefined) return "";
  const inner = "tokens" in token && Array.isArray(token.tokens) ? token.tokens.map(toPlain).join("") : "";
  return (inner === "" && "text" in token ? String(token["text"]) : inner).replaceAll("\n", " ");
}

function drawAll(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, at) => <Drawn key={at} token={token as MarkedToken} />);
}

/** Tokens of the lexer's own kinds: nothing here gives it others. */
type MarkedToken = Exclude<Token, Tokens.Generic>;

function Drawn({ token }: { token: MarkedToken }) {
  switch (token.type) {
    case "heading": {
      const Heading = token.depth <= 2 ? "h2" : "h3";
      return <Heading id={toAnchor(toPlain(token))}>{drawAll(token.tokens)}</Heading>;
    }
    case "paragraph":
      return <p>{drawAll(token.tokens)}</p>;
    case "text":
      return token.tokens === undefined ? token.text : drawAll(token.tokens);
    case "strong":
      return <strong>{drawAll(token.tokens)}</strong>;
    case "em":
      return <em>{drawAll(token.tokens)}</em>;
    case "codespan":
      return <CodeSpan text={token.text} />;
    case "link":
      return <GuideLink href={token.href}>{drawAll(token.tokens)}</GuideLink>;
    case "list": {
      const List = token.ordered ? "ol" : "ul";
      return (
        <List>
          {token.items.map((item, at) => (
            <li key={at}>{drawAll(item.tokens)}</li>
          ))}
        </List>
      );
    }
    case "code":
      return <CodeBlock text={token.text} />;
    case "table":
      return <GuideTable table={token} />;
    case "escape":
      return token.text;
    case "space":
      return null;
    // No guide has any of these, which a test says.
    default:
      return token.raw;
  }
}

/** An address of Assay is a link; one with a part that stands for something else is not. */
function CodeSpan({ text }: { text: string }) {
  const isAddress = /^\/(?!api\/)[^{}…]*$/.test(text);
  // Addresses in guides are followed by a test.
  return isAddress ? <Link href={text as Route}>{<code>{text}</code>}</Link> : <code>{text}</code>;
}

/** Files beside a guide are guides too. What leads elsewhere, as it does where the files are read, stays text. */
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
      <pre>
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
    <Table
      caption={header.map(toPlain).join(", ")}
      className="guide-table"
      columns={header.map(({ text, tokens }) => ({ id: text, label: drawAll(tokens) }))}
    >
      {rows.map((row, nth) => (
        <tr key={nth}>
          {row.map((cell, at) => (
            <td key={at}>{drawAll(cell.tokens)}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** As GitHub names headings, so that links lead to the same place there. */
function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(/\s/g, "-");
}
