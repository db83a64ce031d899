import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { endsInCode, ProseLines } from "./text-lines";

function render(text: string): string {
  return renderToStaticMarkup(<ProseLines lines={text.split("\n")} />);
}

test("headings, lists, quotes, code and strong words are set as Markdown means them", () => {
  expect(render("## Plan")).toBe(
    '<span class="prose-heading"><span class="prose-sign">## </span>Plan\n</span>',
  );
  expect(render("1. run `make`, **then** stop")).toContain("1. run <code>make</code>, <b>then</b> stop\n");
  expect(render("> said")).toContain("said\n</span>");
  // What only looks like it stays as it is.
  for (const text of ["#hash", "-dash", "a * b * c", "a ** b ** c", "`open", "**open", "1.5 times"])
    expect(render(text)).toBe(`${text}\n`);
});

test("code blocks are not styled, also behind a fold", () => {
  const html = render("```sh\n# no heading\n**a**\n```\n# heading");
  expect(html).toContain(
    '<span class="prose-code"># no heading\n</span><span class="prose-code">**a**\n</span>',
  );
  expect(html).toContain('<span class="prose-heading">');
  expect(endsInCode(["```", "a"])).toBe(true);
  expect(endsInCode(["```", "a", "```"])).toBe(false);
  expect(renderToStaticMarkup(<ProseLines lines={["# a", "```", "# b"]} isInCode />)).toMatch(
    /^<span class="prose-code"># a/u,
  );
});

test("nothing that was said becomes a link, a picture or a tag", () => {
  const html = render(
    "[x](javascript:alert(1)) ![y](http://z/) <script>1</script> **<b onclick=1>** `<img>`",
  );
  expect(html).not.toMatch(/<(?:a|img|script)\b/u);
  expect(html).toContain("<b>&lt;b onclick=1&gt;</b>");
  expect(html).toContain("<code>&lt;img&gt;</code>");
});
