import { SlidersHorizontal } from "lucide-react";
import type { ComponentProps } from "react";

import { Menu } from "@/components/ui/menu";
import {
  nameGroupSort,
  readTaskChange,
  TASK_CHANGES,
  type TaskChange,
  type TaskSpending,
} from "@/lib/core/domain/compare-filter";
import { MARK_VERDICTS } from "@/lib/core/domain/matrix-marks";
import { formatPlural } from "@/lib/core/format/number";
import { listValues } from "@/lib/pages/address/address";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";

import { ChangeForm, Choice } from "./change-controls";

type Measure = Comparison["matrix"]["changes"]["measure"];

const SPENDING_WORDS: Readonly<Record<Measure, Readonly<Record<TaskSpending, string>>>> = {
  cost: { less: "costs less", same: "costs the same", more: "costs more", unknown: "cost unknown" },
  time: { less: "takes less time", same: "the same time", more: "takes longer", unknown: "time unknown" },
  tokens: { less: "fewer tokens", same: "the same tokens", more: "more tokens", unknown: "tokens unknown" },
};

const STANDING_WORDS = { ahead: "better", level: "tied", behind: "worse" } as const;

const COLOUR_WORDS = {
  outcome: "Outcome",
  reward: "Reward",
  cost: "Cost in US dollars",
  time: "Duration",
  tokens: "Input and output tokens",
} as const;

function describeChange(change: TaskChange, measure: Measure): string {
  const { standing, spending } = readTaskChange(change);
  return [
    standing === null ? "" : STANDING_WORDS[standing],
    spending === null ? "" : SPENDING_WORDS[measure][spending],
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export function nameChange(change: TaskChange, { groups, matrix }: Comparison): string {
  const { versus, measure } = matrix.changes;
  return `${groups[versus]?.label ?? ""}: ${describeChange(change, measure)}`;
}

function countChange(change: TaskChange, { counts }: Comparison["matrix"]["changes"]): number {
  const own = readTaskChange(change);
  return (["ahead", "level", "behind"] as const)
    .filter((standing) => own.standing === null || own.standing === standing)
    .flatMap((standing) => Object.entries(counts[standing]))
    .reduce((sum, [spending, n]) => sum + (own.spending === null || own.spending === spending ? n : 0), 0);
}

const USUAL = {
  show: "all",
  sort: "difference",
  by: "difference",
  colour: "outcome",
  hasVerdicts: false,
  change: "any",
  versus: null,
  descending: true,
} as const;

export function MatrixView({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { nApart } = comparison.matrix.changes;
  return (
    <Menu className="matrix-view" icon={SlidersHorizontal} label="View">
      <ChangeForm kept={listValues(compareParamsHref(params, USUAL))}>
        {[...listTaskChoices(comparison, params), ...listLookChoices(comparison, params)].map((choice) => (
          <Choice key={choice.name} {...choice} />
        ))}
      </ChangeForm>
      {nApart === 0 ? null : (
        <p className="caption">
          {formatPlural(nApart, "task")} left out of the changes: one of the two has no mean reward.
        </p>
      )}
    </Menu>
  );
}

type Choices = readonly ComponentProps<typeof Choice>[];

function listTaskChoices({ groups, matrix }: Comparison, params: CompareParams): Choices {
  const { counts, changes } = matrix;
  const listed = TASK_CHANGES.filter(
    (change) => change !== "any" && (change === params.change || countChange(change, changes) > 0),
  );
  const compared = groups[changes.versus]?.label ?? "";
  return [
    {
      label: "Tasks",
      name: "show",
      value: params.show,
      options: [
        { value: "all", label: `All (${counts.all})` },
        { value: "differ", label: `Any two differ (${counts.differ})` },
        ...(matrix.hasRepeats ? [{ value: "flaky", label: `Flaky for any (${counts.flaky})` }] : []),
      ],
    },
    {
      label: "Changed",
      name: "change",
      value: params.change,
      options: [
        { value: "any", label: "Any" },
        ...listed.map((value) => ({
          value,
          label: `${describeChange(value, changes.measure)} (${countChange(value, changes)})`,
        })),
      ],
    },
    {
      label: "Changed in",
      name: "versus",
      value: params.versus === null ? "" : String(changes.versus + 1),
      options:
        groups.length === 2
          ? []
          : [
              { value: "", label: params.versus === null ? compared : "The group of the title" },
              ...groups.slice(1).map(({ label }, at) => ({ value: String(at + 2), label })),
            ],
    },
  ];
}

function listLookChoices({ groups, matrix }: Comparison, params: CompareParams): Choices {
  const { counts, nFamilies, colours, verdicts } = matrix;
  const nJudged = MARK_VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  return [
    {
      label: "Order",
      name: "sort",
      value: params.sort,
      options: [
        { value: "difference", label: "Difference" },
        { value: "difficulty", label: "Difficulty" },
        { value: "disagreement", label: "Disagreement" },
        ...(matrix.hasCost ? [{ value: "cost", label: "Cost" }] : []),
        { value: "task", label: "Name" },
        ...groups.map(({ label }, at) => ({ value: nameGroupSort(at), label })),
      ],
    },
    {
      label: "Headings",
      name: "by",
      value: params.by,
      options: [
        { value: "difference", label: "Better, worse, ties" },
        ...(nFamilies > 1 && nFamilies < counts.all
          ? [{ value: "family", label: `Families (${nFamilies})` }]
          : []),
      ],
    },
    {
      label: "Colour of marks",
      name: "colour",
      value: params.colour,
      options: colours.options.map((value) => ({ value, label: COLOUR_WORDS[value] })),
    },
    {
      label: "Verdicts",
      name: "verdicts",
      value: params.hasVerdicts ? "shown" : "",
      options: [
        { value: "", label: "Of the verifier" },
        ...(nJudged === 0 ? [] : [{ value: "shown", label: `Of reviewers too (${nJudged})` }]),
      ],
    },
  ];
}
