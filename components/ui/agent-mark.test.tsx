import { readFileSync } from "node:fs";

import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { CurvesFile, writeColours } from "@/components/charts/curves-file";
import { prepareCurveChart } from "@/lib/core/charts/curve-chart";
import { assignIdentities, nameAgentModel } from "@/lib/core/charts/identity";

import { AgentMark } from "./agent-mark";
import { AgentName } from "./agent-name";
import { IntervalPlot } from "./interval-plot";

const PAIRS = Array.from({ length: 24 }, (_, index) => ({ agent: "orca", model: `m${index}` }));
const identities = assignIdentities(PAIRS);
const marks = PAIRS.map(({ agent, model }) => {
  const markup = renderToStaticMarkup(
    <AgentMark identity={identities.get(nameAgentModel(agent, model)) ?? 0} />,
  );
  return { shape: / d="([^"]*)"/.exec(markup)?.[1] ?? "", colour: /var\(--id-\d\)/.exec(markup)?.[0] ?? "" };
});

describe("twenty-four agents and models", () => {
  test("no two are marked alike, and neighbours have neither shape nor colour in common", () => {
    expect(new Set(marks.map(({ shape, colour }) => shape + colour)).size).toBe(24);
    expect(new Set(marks.slice(0, 11).map(({ shape }) => shape)).size).toBe(11);
    marks.slice(1).forEach(({ shape, colour }, index) => {
      expect(shape).not.toBe(marks[index]?.shape);
      expect(colour).not.toBe(marks[index]?.colour);
    });
  });

  test("names, intervals and files have the same marks", () => {
    const chart = prepareCurveChart(
      PAIRS.map(({ agent, model }, index) => ({
        group: { id: model, label: model, identity: identities.get(nameAgentModel(agent, model)) ?? 0 },
        curve: {
          kind: "computed",
          estimand: "new-tasks",
          nComparisons: 1,
          nTasks: 9,
          level: 0.95,
          resamples: 1,
          seed: 1,
          generator: "none",
          points: [
            {
              k: 1,
              nTasks: 9,
              passAtK: { value: index / 24, band: { kind: "unavailable", reason: "one-task" } },
              passHatK: { value: index / 24, band: { kind: "unavailable", reason: "one-task" } },
            },
          ],
        },
        recorded: new Map(),
      })),
      { id: "c", title: "t", note: "", measure: "passAtK", chosenK: null },
    );
    const file = renderToStaticMarkup(<CurvesFile charts={[chart]} title="t" caption="c" />);
    const points = file.split('class="curve-point"').slice(1);
    marks.forEach(({ shape, colour }, index) => {
      const { agent, model } = PAIRS[index] ?? { agent: "", model: "" };
      const identity = identities.get(nameAgentModel(agent, model)) ?? 0;
      const drawn = [
        renderToStaticMarkup(<AgentName identity={identity} agent={agent} model={model} />),
        renderToStaticMarkup(<IntervalPlot title="" mark={{ value: 0.5, low: 0.4, high: 0.6, identity }} />),
        points[index] ?? "",
      ];
      for (const markup of drawn) {
        expect(markup).toContain(`d="${shape}"`);
        expect(markup).toContain(`fill="${colour}"`);
      }
    });
  });
});

/** Values of the variables in both themes. */
function readColours(): Map<string, readonly [light: string, dark: string]> {
  const pairs = readFileSync("app/globals.css", "utf8").matchAll(
    /--([\w-]+): (?:var\(--forced, )?light-dark\((#\w+), (#\w+)\)\)?;/g,
  );
  return new Map(Array.from(pairs, ([, name = "", light = "", dark = ""]) => [name, [light, dark]]));
}

test("both themes have six colours of their own, and files have those of the light one on white", () => {
  const colours = readColours();
  const ids = ["id-1", "id-2", "id-3", "id-4", "id-5", "id-6"];
  for (const theme of [0, 1]) expect(new Set(ids.map((id) => colours.get(id)?.[theme])).size).toBe(6);
  for (const name of [...ids, "ink", "muted", "line", "line-strong"]) {
    expect(writeColours(`<path fill="var(--${name})"/>`)).toBe(`<path fill="${colours.get(name)?.[0]}"/>`);
  }
  // A name that reads like a colour stays as it is.
  expect(writeColours("<text>var(--ink) =&quot;var(--ink)&quot;</text>")).toContain(
    "var(--ink) =&quot;var(--ink)",
  );
});
