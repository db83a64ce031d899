import { spawn } from "node:child_process";

import { endWithParent } from "@/lib/processes/with-parent";

import { FolderFinder } from "./find-sources";

const [folder = "", role] = process.argv.slice(2);
if (role === "child") {
  endWithParent();
  const finder = new FolderFinder([{ index: 0, label: "jobs", path: folder }]);
  for (let nSearches = 0; ; nSearches++) {
    finder.find();
    if (nSearches === 0) process.stdout.write(`${process.pid}\n`);
  }
} else {
  // A parent that does nothing but live.
  spawn(process.execPath, [process.argv[1] ?? "", folder, "child"], { stdio: "inherit" });
}
