import { expect, test } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { readXml } from "./parse-junit";

/** Events of a document in order, and the reason that it could not be read. */
function listen(source: string): { readonly sent: readonly string[]; readonly problem: string | null } {
  const sent: string[] = [];
  const problem = readXml(source, {
    open: (name, attributes) =>
      sent.push(`<${[name, ...Object.entries(attributes).map((pair) => pair.join("="))].join(" ")}>`),
    close: () => sent.push("</>"),
    text: (text) => sent.push(text),
  });
  return { sent, problem };
}

const problemOf = (source: string): string | null => listen(source).problem;

test("elements, attributes, text and character data are sent in their order; comments and instructions are not", () => {
  const source = `\uFEFF<?xml version="1.0"?><!-- > --><a x="1" y='"2"'><b/>t<![CDATA[<c>&amp;]]><!-- </a> --></a >\n<?end?>`;
  expect(listen(source)).toEqual({
    sent: ['<a x=1 y="2">', "<b>", "</>", "t", "<c>&amp;", "</>"],
    problem: null,
  });
});

test("the five entities and numbers of characters are decoded, each once, and line breaks in attributes are spaces", () => {
  expect(listen(`<a x="&lt;&gt;&amp;&quot;&apos;&#10;\n&#x1F600;">&#38;lt; &#x41;&#66;</a>`).sent).toEqual([
    `<a x=<>&"'\n \u{1F600}>`,
    "&lt; AB",
    "</>",
  ]);
});

test.each([
  "&nbsp;",
  "&lol9;",
  "&",
  "a & b",
  "&#;",
  "&#x;",
  "&#0;",
  "&#xD800;",
  "&#x110000;",
  "&#12345678901;",
  "&#1e3;",
  "&&amp;",
])("the reference %s is refused, in text and in attributes", (reference) => {
  expect(problemOf(`<a>${reference}</a>`)).not.toBeNull();
  expect(problemOf(`<a x="${reference}"/>`)).not.toBeNull();
});

test("a document type is refused before anything of it is read", () => {
  const laughs = Array.from(
    { length: 9 },
    (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`,
  ).join("");
  const source = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY lol0 "lol">${laughs}]><a>&lol9;</a>`;
  expect(listen(source).sent).toEqual([]);
  expect(problemOf(source)).toContain("document type");
  expect(problemOf(`<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`)).toContain("document type");
  expect(problemOf(`<a><!ENTITY b "c"></a>`)).not.toBeNull();
});

test.each([
  "",
  "  \n",
  "text",
  "<a/>text",
  "<![CDATA[x]]><a/>",
  "<a/><b/>",
  "<a>",
  "<a><b></a></b>",
  "</a>",
  "<a></a",
  "<a",
  '<a x="1',
  "<a x=1/>",
  "<a x/>",
  '<a x="1" x="2"/>',
  "<a><</a>",
  "<a>< b/></a>",
  "<a><!-- </a>",
  "<a><![CDATA[ </a>",
  "<a><? </a>",
  "<a>\0</a>",
])("%j cannot be read", (source) => {
  expect(problemOf(source)).not.toBeNull();
});

test("control characters and what ends character data are text, as runners write them", () => {
  expect(listen("<a>\u001B[31m]]>&#27;\u0001</a>")).toEqual({
    sent: ["<a>", "\u001B[31m]]>\u001B\u0001", "</>"],
    problem: null,
  });
});

test("a million open elements, attributes and values end at their limits", () => {
  expect(problemOf("<a>".repeat(1_000_000))).toContain("more than 100 deep");
  const many = Array.from({ length: 500_001 }, (_, at) => `x${at}=""`).join(" ");
  expect(problemOf(`<a ${many}/>`)).toContain("500,000 values");
  expect(problemOf(`<a>${"<b/>".repeat(500_001)}</a>`)).toContain("500,000 values");
  expect(problemOf(`<a>${"<b/>".repeat(499_999)}</a>`)).toBeNull();
});

test("enormous names, attributes and blanks do not take time beyond their length", () => {
  const n = 1_000_000;
  for (const source of [
    `<a x="${"y".repeat(n)}"/>`,
    `<${"a".repeat(n)}/>`,
    `<a${" ".repeat(n)}`,
    `<a x${" ".repeat(n)}`,
    `<a>${"&".repeat(n)}</a>`,
    `<a>${"&lt;".repeat(n / 4)}</a>`,
    `<a>${"<!---->".repeat(n / 7)}</a>`,
    `<a>${"]]>".repeat(n / 3)}`,
    "<".repeat(n),
    `<a>${"</".repeat(n / 2)}`,
  ])
    expect(listen(source).sent.length).toBeLessThan(4);
});

test("reading any damaged document ends with a problem or with every element closed", () => {
  const { numRuns, seed } = planRuns({ short: 2_000, long: 200_000 });
  const random = new Random(`xml ${seed}`);
  const whole = `<?xml version="1.0"?><s n="&#38;"><c a='1'><f m="x">t<![CDATA[u]]></f></c><!-- c --><c/></s>`;
  const pick = (n: number): number => Math.floor(random.unit() * n);
  for (let run = 0; run < numRuns; run++) {
    const [from, to, at] = [pick(whole.length), pick(whole.length), pick(whole.length)];
    const source =
      whole.slice(0, at) +
      whole.slice(Math.min(from, to), Math.max(from, to)) +
      whole.slice(pick(whole.length));
    let depth = 0;
    const problem = readXml(source, {
      open: () => depth++,
      close: () => depth--,
      text: () => expect(depth, source).toBeGreaterThan(0),
    });
    if (problem === null) expect(depth, source).toBe(0);
  }
});
