import { FacetMenu } from "@/components/ui/facet-menu";
import { withBasePath } from "@/lib/core/domain/base-path";
import { listValues } from "@/lib/pages/address/address";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";

import { ScoringRule } from "./scoring-rule";
import { Segment } from "./segment";

import "./settings-bar.css";

export function SettingsBar({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { rewardKeys, key, nCommon, nUnion } = comparison;
  return (
    <div className="settings" role="group" aria-label="What is compared">
      <FacetMenu
        label="Reward key"
        clearHref={compareParamsHref(params, { key: null })}
        options={rewardKeys.map((entry) => ({
          value: entry.key,
          label: entry.key,
          count: entry.count,
          selected: entry.key === key,
          href: compareParamsHref(params, { key: entry.key, k: null }),
        }))}
      />
      <ThresholdForm params={params} />
      <ScoringRule params={params} hrefOf={(change) => compareParamsHref(params, change)} />
      {nCommon === nUnion ? null : (
        <span className="settings-group">
          <span className="muted">Curves over</span>
          <Segment
            label="Tasks of the curves"
            value={params.tasks}
            options={[
              { value: "common", label: `${nCommon} common tasks` },
              { value: "own", label: "each group's own" },
            ]}
            hrefOf={(tasks) => compareParamsHref(params, { tasks })}
          />
        </span>
      )}
    </div>
  );
}

/** A plain form, so that it works without scripts; Enter applies. */
function ThresholdForm({ params }: { params: CompareParams }) {
  const others = listValues(compareParamsHref(params, { threshold: 1 }));
  return (
    <form action={withBasePath("/compare")} className="settings-group">
      {others.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <label className="muted" htmlFor="threshold">
        Passed at
      </label>
      <span className="field settings-threshold">
        <input
          key={params.threshold}
          id="threshold"
          name="threshold"
          type="number"
          step="any"
          defaultValue={params.threshold}
          title="Minimum reward of a passed attempt. Enter applies."
        />
      </span>
    </form>
  );
}
