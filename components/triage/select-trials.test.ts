import { expect, test } from "vitest";

import { triageAddress } from "@/lib/pages/triage/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { selectTrials } from "./select-trials";

test("links to trials carry their list, however many groups ran on the benchmark", () => {
  const groups = Array.from({ length: 30 }, (_, at) => `agent-${String(at)}__some-model__infra-bench`);
  const page = { scope: { groupKeys: new Map(groups.map((key) => [key, new Set([key])])), jobs: [] } };
  const row = { kind: "alike", classes: ["out_of_time"], clusterKey: "0123456789ab", tasks: [], place: null };
  const params = { ...triageAddress.read({}), datasets: ["infra-bench"] };
  const list = writeTrialsList(selectTrials({ ...row, oracle: null } as never, params, page as never));
  expect(list).toContain("dataset=infra-bench");
  const [first = ""] = groups;
  const ofAgent = selectTrials(
    { ...row, oracle: null } as never,
    { ...params, agents: [first] },
    page as never,
  );
  expect(ofAgent.groups).toEqual([first]);
});
