import { SaxesParser } from "saxes";

export interface XmlListener {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close: () => void;
  text: (text: string) => void;
}

/** Deeper than any report writer nests, and safe for recursive code. */
const MAX_DEPTH = 100;
const MAX_VALUES = 500_000;

/** Runners copy control characters of terminals, and write `]]>` without escaping it. */
const TOLERATED = /: (?:disallowed character|the string "]]>" is disallowed in char data)\.$/;

/**
 * Emits elements and text in one pass. Rejects document types, so the only entities are XML's five and character references.
 * @returns null, or why it cannot be read; what was emitted before is partial
 */
export function readXml(source: string, listener: XmlListener): string | null {
  if (source.includes("\0")) return "It has NUL bytes.";
  // Version 1.1 allows references to control characters.
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: "1.1", forceXMLVersion: true });
  let depth = 0;
  let nValues = 0;
  const countValue = (): void => {
    if (++nValues > MAX_VALUES) refuse(`It has more than ${MAX_VALUES.toLocaleString("en")} values.`);
  };
  const addText = (text: string): void => {
    if (depth > 0) listener.text(text);
  };
  parser.on("error", ({ message }) => {
    if (TOLERATED.test(message)) countValue();
    else refuse(`Invalid XML at ${message}`);
  });
  parser.on("doctype", () => refuse("It declares a document type, which is not supported."));
  parser.on("attribute", countValue);
  parser.on("opentag", ({ name, attributes }) => {
    countValue();
    if (++depth > MAX_DEPTH) refuse(`Its elements are nested more than ${MAX_DEPTH} deep.`);
    listener.open(name, attributes);
  });
  parser.on("closetag", () => {
    depth--;
    listener.close();
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    parser.write(source.trimStart().toWellFormed()).close();
    return null;
  } catch (error) {
    if (error instanceof XmlProblem) return error.message;
    throw error;
  }
}

class XmlProblem extends Error {}

function refuse(why: string): never {
  throw new XmlProblem(why);
}
