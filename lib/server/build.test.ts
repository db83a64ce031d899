import { relative } from "node:path";

import { expect, test } from "vitest";

import manifest from "../../package.json";
import { findProjectRoot } from "../read/processes/project-root";
import { PROGRAMS } from "./build";

test("a build is complete only with everything the package exports, including types", () => {
  const built = PROGRAMS.map((file) => `./${relative(findProjectRoot(), file)}`);
  const offered = [
    ...Object.values(manifest.exports).flatMap((entry) => Object.values(entry)),
    ...Object.values(manifest.bin).map((file) => `./${file}`),
  ];
  expect(built).toEqual(expect.arrayContaining(offered));
});
