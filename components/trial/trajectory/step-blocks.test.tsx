import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import type { JsonNode } from "@/lib/core/domain/file-preview";
import type { TextBlock, TextLine } from "@/lib/core/domain/trial-file";
import { buildHref } from "@/lib/pages/address/href";
import type { StepBlock } from "@/lib/read/trial-reading";

import { StepBlocks } from "./step-blocks";

function block(
  lines: readonly TextLine[],
  totalLines = lines.length,
  cutNote: string | null = null,
): TextBlock {
  return { lines, totalLines, cutNote, hasCutLines: false };
}

function render(...blocks: readonly StepBlock[]): string {
  const links = {
    step: (key: string) => buildHref("/t", { step: key }),
    artifact: (file: string) => buildHref("/a", { file }),
    lane: (name: string, starter: string | null) => buildHref("/l", { name, step: starter ?? undefined }),
    image: (step: { readonly key: string }, nth: number) => buildHref("/i", { step: step.key, nth }),
  };
  return renderToStaticMarkup(
    <StepBlocks
      step={{ blocks, key: "3", file: "agent/trajectory.json" }}
      links={links}
      isUnfolded={false}
    />,
  );
}

function leaf(key: string, text: string): JsonNode {
  return { key, kind: "text", text, n: 0, nChars: text.length, children: [] };
}

test("content of a step stays text: no tags, links or styles", () => {
  const hostile =
    '<script>alert(1)</script> [x](javascript:alert(1)) `<img src=x onerror=y>` "><style>*{}</style>';
  const html = render(
    { kind: "prose", repeats: null, role: "message", text: block([hostile]) },
    {
      kind: "output",
      repeats: null,
      tree: null,
      text: block([[{ text: hostile, tone: "red", strong: true }]]),
    },
    { kind: "edit", before: block([hostile]), after: block([`${hostile}2`]) },
    { kind: "command", name: hostile, tree: leaf(hostile, hostile), text: block([hostile]) },
  );
  expect(html).not.toMatch(/<(?:script|img|style|a )/u);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain('class="tone-red tone-strong"');
});

test("a text that begins with an empty line is the same in the browser, which drops one right behind <pre>", () => {
  const text = block(["", "heron"]);
  const long = block(["", ...Array.from({ length: 400 }, (_, row) => `line ${row}`)]);
  for (const one of [text, long])
    expect(
      render(
        { kind: "prose", repeats: null, role: "message", text: one },
        { kind: "output", repeats: null, tree: null, text: one },
      ).match(/<pre[^>]*>[\r\n]/gu),
    ).toBeNull();
});

test("an edit shows the change with one line of context, not the whole text", () => {
  const before = ["a", "b", "c", "d", "e"];
  const html = render({ kind: "edit", before: block(before), after: block(["a", "b", "X", "Y", "d", "e"]) });
  expect(html.replace(/<[^>]+>/gu, "")).toBe("  … 1 equal line\n  b\n- c\n+ X\n+ Y\n  d\n  … 1 equal line\n");
});

test("a long output shows its first lines and says how many there are", () => {
  const lines = Array.from({ length: 48 }, (_, i) => `line ${i + 1}`);
  const html = render({ kind: "output", repeats: null, tree: null, text: block(lines) });
  expect(html).toContain("line 14\n");
  expect(html).not.toContain("line 15\n");
  expect(html).toContain("Show all 48 lines");
});

test("an output a little longer than the preview is shown whole, an empty one says so", () => {
  const lines = Array.from({ length: 17 }, (_, i) => `line ${i + 1}`);
  expect(render({ kind: "output", repeats: null, tree: null, text: block(lines) })).toContain("line 17\n");
  expect(render({ kind: "output", repeats: null, tree: null, text: block([]) })).toContain("No output.");
});

test("a picture that cannot be shown says why instead of loading anything", () => {
  const html = render({ kind: "image", path: null, note: "It lies outside.", embedded: null });
  expect(html).toBe('<p class="step-label caption">It lies outside.</p>');
});

test("a tree is first unfolded to a few rows, and marks omitted parts", () => {
  const branch = (key: string, children: readonly JsonNode[], n = children.length): JsonNode => ({
    ...leaf(key, "{"),
    kind: "object",
    n,
    children,
  });
  const many = Array.from({ length: 20 }, (_, at) => leaf(String(at), "x"));
  const tree = branch("", [branch("few", [branch("many", many)])]);
  const text = block(["{}"]);
  const html = render({ kind: "output", repeats: null, text, tree });
  expect(html.match(/<details class="json-node" open="">/gu)).toHaveLength(2);
  expect(html).not.toContain("Open the step");
  expect(render({ kind: "output", repeats: null, text, tree: branch("", [leaf("a", "x")], 9) })).toContain(
    "Open the step",
  );
});

test("a text repeated from an earlier step is folded behind a link to it", () => {
  const text = block(["one", "two"]);
  const html = render({ kind: "output", repeats: "12", tree: null, text });
  expect(html.replaceAll(/<[^>]+>/gu, "")).toBe("Same as step 12, 2 linesone\ntwo\nGo to step 12");
  expect(html).toContain('href="/t?step=12"');
  expect(html).toContain('<details data-fold="">');
  expect(html).toContain("one\ntwo\n");
});
