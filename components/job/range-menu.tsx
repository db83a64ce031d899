import { ChevronDown } from "lucide-react";

import { listValues } from "@/lib/pages/address/address";
import { jobHref } from "@/lib/pages/address/href";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";

import { JobRangeForm } from "./range-form";

const NO_RANGES = {
  rewardMin: null,
  rewardMax: null,
  costMin: null,
  costMax: null,
  minutesMin: null,
  minutesMax: null,
} as const;

export function JobRangeMenu({ jobKey, params }: { jobKey: string | null; params: JobParams }) {
  const { rewardMin, rewardMax, costMin, costMax, minutesMin, minutesMax } = params;
  const ranges = [
    { label: "Reward", minName: "min", maxName: "max", min: rewardMin, max: rewardMax },
    { label: "Cost, $", minName: "cost_min", maxName: "cost_max", min: costMin, max: costMax },
    { label: "Minutes", minName: "time_min", maxName: "time_max", min: minutesMin, max: minutesMax },
  ];
  const kept = listValues(jobPageHref(jobKey, params, NO_RANGES));
  const isOn = ranges.some(({ min, max }) => min !== null || max !== null);
  return (
    <details className={isOn ? "facet facet-on" : "facet"} data-menu="">
      <summary>
        Ranges
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <JobRangeForm
          key={JSON.stringify(ranges)}
          action={jobKey === null ? "/trials" : jobHref(jobKey)}
          kept={kept}
          ranges={ranges}
        />
      </div>
    </details>
  );
}
