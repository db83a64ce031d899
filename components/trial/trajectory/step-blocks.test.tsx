import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import type { TextBlock, TextLine } from "@/lib/domain/trial-file";
import { buildHref } from "@/lib/addresses/href";
import type { StepBlock } from "@/lib/trial-reading";

import { StepBlocks } from "./step-blocks";

function block(
  lines: readonly TextLine[],
  totalLines = lines.length,
  cutNote: string | null = null,
): TextBlock {
  return { lines, totalLines, cutNote };
}

function render(...blocks: readonly StepBlock[]): string {
  const links = {
    step: (key: string) => buildHref("/t", { step: key }),
    artifact: (file: string) => buildHref("/a", { file }),
  };
  return renderToStaticMarkup(
    <StepBlocks
      step={{ blocks, key: "3", file: "agent/trajectory.json" }}
      links={links}
      isUnfolded={false}
    />,
  );
}

test("whatever a step says stays text: no tag, no link, no style of its own gets through", () => {
  const hostile =
    '<script>alert(1)</script> [x](javascript:alert(1)) `<img src=x onerror=y>` "><style>*{}</style>';
  const html = render(
    { kind: "prose", role: "message", text: block([hostile]) },
    { kind: "output", text: block([[{ text: hostile, tone: "red", strong: true }]]) },
    { kind: "edit", before: block([hostile]), after: block([`${hostile}2`]) },
    { kind: "command", name: hostile, text: block([hostile]) },
  );
  expect(html).not.toMatch(/<(?:script|img|style|a )/u);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain('class="tone-red tone-strong"');
});

test("an edit shows what changed with one line around it, not the whole text", () => {
  const before = ["a", "b", "c", "d", "e"];
  const html = render({ kind: "edit", before: block(before), after: block(["a", "b", "X", "Y", "d", "e"]) });
  expect(html.replace(/<[^>]+>/gu, "")).toBe("  b\n- c\n+ X\n+ Y\n  d\n");
});

test("a long output shows its first lines and says how many there are", () => {
  const lines = Array.from({ length: 48 }, (_, i) => `line ${i + 1}`);
  const html = render({ kind: "output", text: block(lines) });
  expect(html).toContain("line 14\n");
  expect(html).not.toContain("line 15\n");
  expect(html).toContain("Show all 48 lines");
});

test("an output a little longer than the preview is shown whole, an empty one says so", () => {
  const lines = Array.from({ length: 17 }, (_, i) => `line ${i + 1}`);
  expect(render({ kind: "output", text: block(lines) })).toContain("line 17\n");
  expect(render({ kind: "output", text: block([]) })).toContain("No output.");
});

test("a picture that cannot be shown says why instead of loading anything", () => {
  const html = render({ kind: "image", path: null, note: "It lies outside." });
  expect(html).toBe('<p class="step-label caption">It lies outside.</p>');
});
