import {
  checkRuns,
  type ComparedGroups,
  describeAdjustment,
  describeCounting,
  listPairs,
} from "@/lib/core/comparison";

import { prepareReadingsText, prepareSensitivityText } from "./sensitivity-text";
import { formatTextTable } from "./text-table";

export function prepareCompareText(printed: ComparedGroups): string {
  const { groups, figures, key, threshold, missing, checks } = printed;
  const nCommon = figures.commonTasks.length;
  const counted = describeCounting(printed, groups);
  const heading = `${String(nCommon)} of ${String(figures.allTasks.length)} tasks in every group; reward key ${key}, passed at ${String(threshold)}, ${counted}\n`;
  const differing = [
    ...checks.filter(({ state }) => state !== "same").map((check) => ({ of: "", ...check })),
    ...groups.flatMap((group) =>
      checkRuns(group)
        .filter(({ state }) => state !== "same")
        .map((check) => ({ of: `${group.label}: `, ...check })),
    ),
  ];
  const notes = differing.map(
    ({ of, name, state, detail }) =>
      `${state === "differs" ? "differs" : "unknown"}: ${of}${name}. ${detail}\n`,
  );
  const sensitivity = prepareSensitivityText(
    groups.flatMap(({ label }, at) => {
      const own = figures.groups[at];
      return own === undefined ? [] : [{ label, sensitivity: own.certainty.sensitivity }];
    }),
    missing,
  );
  const readings = prepareReadingsText(figures.pairs.length === 1 ? (figures.pairs[0]?.readings ?? []) : []);
  return [
    heading,
    "\n",
    prepareGroups(printed),
    "\n",
    preparePairs(printed),
    ...(sensitivity === "" ? [] : ["\n", sensitivity]),
    ...(readings === "" ? [] : ["\n", readings]),
    ...notes.map((note, at) => (at === 0 ? `\n${note}` : note)),
  ].join("");
}

const DASH = "—";

function writeCell(
  cell: { readonly value: string | null; readonly range: string | null } | undefined,
): readonly string[] {
  return [cell?.value ?? DASH, cell?.range ?? DASH];
}

function prepareGroups({ groups, figures }: ComparedGroups): string {
  const hasSets = groups.some(({ runs }) => runs.length > 1);
  const hasCosts = figures.groups.some(({ certainty }) => certainty.costPerSolve.kind === "computed");
  const rows = groups.map(({ label, runs, trials }, at) => {
    const cells = figures.groups[at]?.cells;
    const run = cells?.runToRun;
    return [
      label,
      String(runs.length),
      String(trials.length),
      ...writeCell(cells?.mean),
      ...(hasSets
        ? [run?.value === null || run === undefined ? DASH : `${run.value}, ${run.range ?? ""}`]
        : []),
      ...(hasCosts ? writeCell(cells?.costPerSolve) : []),
    ];
  });
  return formatTextTable(
    [
      { heading: "group" },
      { heading: "runs", align: "right" },
      { heading: "trials", align: "right" },
      { heading: "mean", align: "right" },
      { heading: "95 % interval" },
      ...(hasSets ? [{ heading: "run to run" }] : []),
      ...(hasCosts
        ? [{ heading: "$ per solve", align: "right" as const }, { heading: "95 % interval" }]
        : []),
    ],
    rows,
  );
}

function preparePairs({ groups, figures }: ComparedGroups): string {
  const hasRuns = figures.pairs.some(({ words }) => words.runInterval !== null);
  const rows = listPairs(groups, figures).map(({ words, first, second }) => [
    first,
    second,
    words.verdict,
    words.difference ?? DASH,
    words.interval ?? DASH,
    ...(hasRuns ? [words.runInterval?.value ?? DASH] : []),
    words.pValue ?? DASH,
  ]);
  const table = formatTextTable(
    [
      { heading: "group" },
      { heading: "against" },
      { heading: "verdict" },
      { heading: "difference", align: "right" },
      { heading: "95 % interval" },
      ...(hasRuns ? [{ heading: "with run to run" }] : []),
      { heading: "p", align: "right" },
    ],
    rows,
  );
  const adjustment = describeAdjustment(figures.pairs.length);
  return [
    `${table}\n`,
    ...figures.pairs.map(
      ({ words: { sentence, caution } }) => `${sentence}${caution === null ? "" : ` ${caution}`}\n`,
    ),
    ...(adjustment === null ? [] : [`${adjustment}\n`]),
  ].join("");
}
