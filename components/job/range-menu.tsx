import { ChevronDown } from "lucide-react";

import { buildJobQuery, type JobParams } from "@/lib/addresses/job";
import { PLACE_PARAMS } from "@/lib/domain/page-place";
import { jobHref } from "@/lib/addresses/href";

import { JobRangeForm } from "./range-form";

const RANGES = [
  { label: "Reward", minName: "min", maxName: "max", field: "reward" },
  { label: "Cost, $", minName: "cost_min", maxName: "cost_max", field: "costUsd" },
  { label: "Minutes", minName: "time_min", maxName: "time_max", field: "durationMinutes" },
] as const;

/** The menu with ranges of reward, cost and duration. */
export function JobRangeMenu({ jobKey, params }: { jobKey: string; params: JobParams }) {
  const own: readonly string[] = [
    ...RANGES.flatMap(({ minName, maxName }) => [minName, maxName]),
    ...PLACE_PARAMS,
  ];
  const kept = Object.entries(buildJobQuery(params)).flatMap(([name, value]) => {
    if (value === undefined || value === "" || own.includes(name)) return [];
    return (typeof value === "object" ? value : [String(value)]).map((text) => [name, text] as const);
  });
  const ranges = RANGES.map(({ label, minName, maxName, field }) => ({
    label,
    minName,
    maxName,
    ...params[field],
  }));
  const isOn = ranges.some(({ min, max }) => min !== null || max !== null);
  return (
    <details className={isOn ? "facet facet-on" : "facet"} data-menu="">
      <summary>
        Ranges
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <JobRangeForm key={JSON.stringify(ranges)} action={jobHref(jobKey)} kept={kept} ranges={ranges} />
      </div>
    </details>
  );
}
