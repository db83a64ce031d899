import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { buildHref } from "@/lib/pages/address/href";

import { NoMatches } from "./no-matches";

test("each active filter is listed with its values, a link without it and the number of rows there", async () => {
  interface Params {
    readonly text: string;
    readonly outcomes: readonly string[];
    readonly tasks: readonly string[];
    readonly rewardMin: number | null;
    readonly rewardMax: number | null;
  }
  const params: Params = {
    text: "oom",
    outcomes: ["failed", "errored"],
    tasks: [],
    rewardMin: 0.5,
    rewardMax: null,
  };
  const html = renderToStaticMarkup(
    await NoMatches({
      noun: "trial",
      params,
      filters: [
        ["Text", { text: "" }],
        ["Outcome", { outcomes: [] }],
        ["Task", { tasks: [] }],
        ["Reward", { rewardMin: null, rewardMax: null }],
      ],
      hrefOf: (_params, change) => buildHref("/", { without: Object.keys(change) }),
      count: (change) => Promise.resolve("text" in change ? 12 : 0),
    }),
  );
  const lines = [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/Text: <b>oom<\/b>.*href="\/\?without=text".*12 trials/);
  expect(lines[1]).toMatch(/Outcome: <b>failed, errored<\/b>.*still none/);
  expect(lines[2]).toMatch(/Reward: <b>from 0.5<\/b>.*without=rewardMin&amp;without=rewardMax/);
  expect(html).toMatch(/href="\/\?without=text&amp;without=outcomes&amp;without=rewardMin/);
});
