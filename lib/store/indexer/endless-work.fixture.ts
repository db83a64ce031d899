import { spawn } from "node:child_process";

import { endWithParent } from "@/lib/read/processes/serve";

import { FolderFinder } from "./find-sources";

const [folder = "", work = "", role] = process.argv.slice(2);
const numbers = `[${"1,".repeat(1e7)}1]`;
const finder = new FolderFinder([{ index: 0, label: "jobs", path: folder }]);
const WORKS: Record<string, () => unknown> = {
  "a search of folders": () => finder.find(),
  "a regular expression": () => /(.*)*(.*)*(.*)*x!/u.test("a".repeat(300)),
  "a long JSON text": () => JSON.parse(numbers) as unknown,
  "a loop": () => null,
};
if (role === "child") {
  endWithParent();
  process.stdout.write(`${process.pid}\n`);
  for (;;) WORKS[work]?.();
} else {
  // A parent that does nothing but live.
  spawn(process.execPath, [process.argv[1] ?? "", folder, work, "child"], { stdio: "inherit" });
}
