import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { expect, it } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { shortenPages } from "./shorten-pages";

const CHUNK = `// A comment — which nobody needs.
const notAMap = \`
//# sourceMappingURL=of-code.js\`;
function spell(longName) { return longName + " — “grün” 🙂" + /^[—x]$/u.test("—") + notAMap.length; }
/* Long enough to be written once: ${"-".repeat(2_000)} */
module.exports = [1, (x, a, b) => { x *= a; x *= b; return [x, spell("a")]; }];
`;
const MAP = (name: string) => `\n//# sourceMappingURL=${name}.js.map\n`;

it("keeps behaviour and texts of pages, once for all routes and in ASCII", async () => {
  const folder = makeFolder({
    "server/chunks/a.js": CHUNK + MAP("a"),
    "server/chunks/b.js": CHUNK + MAP("b"),
    "server/chunks/a.js.map": "{}",
    "server/other/c.js": CHUNK,
    "static/d.js": CHUNK,
    "static/e.js": CHUNK.trimEnd() + MAP("e"),
    "static/e.css": "a{}\n/*# sourceMappingURL=e.css.map*/",
    "static/e.js.map": "{}",
  });
  const require = createRequire(join(folder, "index.js"));
  const load = (file: string) =>
    (require(join(folder, file)) as [number, (...rest: number[]) => unknown])[1](0.1, 0.7, 0.3);
  const before = load("static/d.js");
  expect(before).toEqual([0.1 * 0.7 * 0.3, expect.stringContaining("a — “grün” 🙂true")]);
  expect(0.1 * 0.7 * 0.3).not.toBe(0.1 * (0.7 * 0.3));

  await shortenPages(folder);

  for (const file of ["a", "b"]) expect(load(`server/chunks/${file}.js`)).toEqual(before);
  expect(load("server/other/c.js")).toEqual(before);
  const sizes = ["a", "b"].map((file) => readFileSync(join(folder, "server/chunks", `${file}.js`), "latin1"));
  expect(sizes.some((text) => text.length < 60)).toBe(true);
  expect(sizes.join("")).not.toMatch(/[^\0-\x7F]|A comment/u);
  expect(existsSync(join(folder, "server/chunks/a.js.map"))).toBe(false);
  for (const file of ["d", "e"]) expect(readFileSync(join(folder, `static/${file}.js`), "utf8")).toBe(CHUNK);
  expect(readFileSync(join(folder, "static/e.css"), "utf8")).toBe("a{}\n");
  expect(existsSync(join(folder, "static/e.js.map"))).toBe(false);
});
