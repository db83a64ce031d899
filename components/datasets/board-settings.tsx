import type { Route } from "next";

import { FacetMenu, ListFacet } from "@/components/ui/facet-menu";
import { Segment } from "@/components/ui/segment";
import { DEFAULT_COVERAGE } from "@/lib/core/domain/dataset";
import { SCORING_CHOICES, SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { formatPlural } from "@/lib/core/format/number";
import { datasetHref, type DatasetParams } from "@/lib/pages/datasets/address";
import type { LeaderboardPage } from "@/lib/pages/datasets/leaderboard";

import "./leaderboard.css";

const COVERAGES = [DEFAULT_COVERAGE, 50, 0];

export function BoardSettings({
  datasetId,
  page,
  params,
}: {
  datasetId: string;
  page: Pick<LeaderboardPage, "rewardKeys" | "key" | "nTasks" | "nCommonTasks" | "tasks"> & {
    readonly coverage?: number;
    /** Absent where runs are not pooled, or not by these settings. */
    readonly nPooled?: number;
    readonly nRepeats?: number;
  };
  params: DatasetParams;
}) {
  const { rewardKeys, key, nCommonTasks, nRepeats = 0 } = page;
  const hrefOf = (change: Partial<DatasetParams>) => datasetHref(datasetId, params, change);
  return (
    <>
      {rewardKeys.length < 2 ? null : (
        <ListFacet
          label="Reward key"
          values={rewardKeys.map((entry) => ({ value: entry.key, count: entry.count }))}
          chosen={[key]}
          hrefOf={(chosen) => hrefOf({ key: chosen.at(-1) ?? null })}
        />
      )}
      <FacetMenu
        label="Scoring rule"
        clearHref={hrefOf({ rule: "recorded", missing: "zero" })}
        options={SCORING_CHOICES.map((value) => ({
          value,
          label: SCORING_WORDS[value],
          count: null,
          selected: value === (params.missing === "exclude" ? "graded" : params.rule),
          href: hrefOf({ rule: value, missing: "zero" }),
        }))}
      />
      {nCommonTasks === page.nTasks && page.tasks === "own" ? null : (
        <Segment
          label="Tasks of the scores"
          value={params.tasks}
          options={[
            { value: "own", label: "all own tasks" },
            { value: "common", label: formatPlural(nCommonTasks, "common task") },
          ]}
          hrefOf={(tasks) => hrefOf({ tasks })}
        />
      )}
      <RankSettings page={page} params={params} hrefOf={hrefOf} />
      {nRepeats === 0 ? null : (
        <Segment
          label="Runs that look like repeats"
          value={params.repeats}
          options={[
            { value: "apart", label: "each run" },
            {
              value: "together",
              label: "repeats together",
              title: "Counts together saved run sets, and runs whose job names differ by a number at the end",
            },
          ]}
          hrefOf={(repeats) => hrefOf({ repeats })}
        />
      )}
    </>
  );
}

function RankSettings({
  page: { coverage, nPooled = 0 },
  params,
  hrefOf,
}: {
  page: { readonly coverage?: number; readonly nPooled?: number };
  params: DatasetParams;
  hrefOf: (change: Partial<DatasetParams>) => Route;
}) {
  return (
    <>
      {coverage === undefined ? null : (
        <span className="row leaderboard-setting">
          <span className="muted">Task coverage</span>
          <Segment
            label="Task coverage for a rank"
            value={coverage}
            options={COVERAGES.map((value) => ({
              value,
              label: value === 0 ? "any" : `${String(value)} %`,
              title: "Groups with fewer tasks have no rank",
            }))}
            hrefOf={(value) => hrefOf({ coverage: value })}
          />
        </span>
      )}
      {nPooled === 0 ? null : (
        <Segment
          label="Runs of one agent, model and settings"
          value={params.runs}
          options={[
            { value: "pooled", label: "runs pooled", title: "Runs of one agent, model and settings" },
            { value: "folder", label: "by folder", title: "The same, of jobs in one folder" },
            { value: "each", label: "each run" },
          ]}
          hrefOf={(runs) => hrefOf({ runs })}
        />
      )}
    </>
  );
}
