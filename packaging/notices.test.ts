import { expect, it } from "vitest";

import { type FolderFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { listPageModules, noteBundled, readBundled } from "./bundled";
import { writeNotices } from "./notices";

const MIT = { license: "MIT", version: "1.2.3" };

/** Returns the notices of an output that is built from these modules. */
function noticesOf(files: FolderFiles, modules: readonly string[]): string {
  const root = makeFolder(files);
  noteBundled(root, "dist/cli.js", modules);
  return writeNotices(root, readBundled(root, ["cli.js"]));
}

it("names each bundled package with version and text, the code inside it, and nothing else", () => {
  const notices = noticesOf(
    {
      "node_modules/one/package.json": MIT,
      "node_modules/one/LICENSE": "the text of one",
      "node_modules/one/NOTICE.md": "and a notice",
      "node_modules/one/license.js": "not a text",
      "node_modules/one/dist/index.js": "",
      "node_modules/one/dist/compiled/part/LICENSE": "the text of a part",
      "node_modules/one/dist/compiled/part/index.js": "",
      "node_modules/@a/two/package.json": { license: "(GPL-3.0 OR Apache-2.0)", version: "2.0.0" },
      "node_modules/@a/two/LICENCE.txt": "the text of one\n\nand a notice\n",
      "node_modules/@a/two/node_modules/three/package.json": { license: "ISC AND BSL-1.0", version: "3.0.0" },
      "node_modules/@a/two/node_modules/three/copying": "the text of three",
      "node_modules/@a/two/node_modules/three/index.js": "",
      "node_modules/four/package.json": { license: "GPL-3.0", version: "4.0.0" },
      "packaging/licences/five.txt": "the text of five",
      "node_modules/five/package.json": { ...MIT, version: "5.0.0" },
      "node_modules/five/index.js": "",
    },
    [
      "lib/own.ts",
      "/anywhere/node_modules/one/dist/compiled/part/index.js",
      "/anywhere/node_modules/one/dist/index.js?page=/a",
      "node_modules/@a/two/index.js [app-ssr] (ecmascript)",
      "node_modules/@a/two/node_modules/three/index.js/proxy.cjs { server => node_modules/one }",
      "node_modules/five/index.js",
    ],
  );
  const [, ...parts] = notices.split(/\n-{80}\n\n/);
  expect(parts.map((part) => part.trim()).sort()).toEqual([
    "@a/two 2.0.0\none 1.2.3\n\nthe text of one\n\nand a notice",
    "five 5.0.0\n\nthe text of five",
    "one 1.2.3: dist/compiled/part\n\nthe text of a part",
    "three 3.0.0\n\nthe text of three",
  ]);
});

it.each<[string, FolderFiles]>([
  ["without a text", { "package.json": MIT }],
  ["with a licence that is not allowed", { "package.json": { ...MIT, license: "AGPL-3.0" }, LICENSE: "x" }],
  ["with one such licence of two", { "package.json": { ...MIT, license: "MIT AND AGPL-3.0" }, LICENSE: "x" }],
  ["without a licence", { "package.json": { version: "1.2.3" }, LICENSE: "x" }],
  [
    "with code of such a licence",
    { "package.json": MIT, LICENSE: "x", "in/package.json": { license: "AGPL-3.0" } },
  ],
])("refuses a bundled package %s, by its name", (_, files) => {
  const own = Object.entries({ ...files, "in/index.js": "" }).map(([name, content]) => [
    `node_modules/bad/${name}`,
    content,
  ]);
  expect(() => noticesOf(Object.fromEntries(own) as FolderFiles, ["node_modules/bad/in/index.js"])).toThrow(
    "bad 1.2.3",
  );
});

it("finds what pages are built from in their source maps, and fonts by their bytes", () => {
  const font = new Uint8Array([1, 2, 255]);
  const root = makeFolder({
    "node_modules/letters/a/letters.woff2": font,
    "node_modules/letters/other.woff2": new Uint8Array([1, 2, 254]),
    "pages/static/media/l.p.123.woff2": font,
    "pages/static/chunks/a.js.map": {
      sources: ["turbopack:///[project]/node_modules/%40a/two/%5Bx%5D.js", null],
    },
    "pages/server/b.js.map": { sections: [{ map: { sources: ["../node_modules/one/b.js", "lib/own.ts"] } }] },
  });
  expect([...listPageModules(root, `${root}/pages`)].sort()).toEqual([
    "../node_modules/one/b.js",
    "lib/own.ts",
    "node_modules/letters/a/letters.woff2",
    "turbopack:///[project]/node_modules/@a/two/[x].js",
  ]);
});

it("refuses a font and a module that no installed package has", () => {
  const root = makeFolder({ "pages/static/media/strange.woff2": "x" });
  expect(() => listPageModules(root, `${root}/pages`)).toThrow("strange.woff2");
  expect(() =>
    noteBundled(makeFolder({ "node_modules/one/a.js": "" }), "x", ["node_modules/gone/a.js"]),
  ).toThrow("gone/a.js");
});
