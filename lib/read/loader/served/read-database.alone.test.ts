import { join } from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { readCatalog } from "@/lib/read/catalog/read-catalog";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { openServerDatabase, type Rollout, servedFiles, serverId } from "@/lib/testing/served.fixture";

const ROLLOUT: Rollout = {
  id: serverId("1"),
  job: serverId("a"),
  trial: "alpha__aaaaaaa",
  startedAt: "2026-11-01T11:00:00Z",
  reward: 1,
  isLatest: true,
};

it("reads jobs from the rollout folders if the temporary folder cannot hold a copy", () => {
  const data = makeFolder(servedFiles("files", [ROLLOUT]));
  const db = openServerDatabase(data, [ROLLOUT], "DELETE");
  onTestFinished(() => {
    db.close();
  });
  vi.stubEnv("TMPDIR", join(data, "missing"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { jobs, issues } = readCatalog({ roots: [data] });
  expect(jobs.flatMap(({ trials }) => trials.map(({ trialName }) => trialName))).toEqual([ROLLOUT.trial]);
  expect(issues.map(({ code }) => code)).toEqual(["server_database_unreadable"]);
  expect(issues[0]?.detail).toContain("ENOENT");
});
