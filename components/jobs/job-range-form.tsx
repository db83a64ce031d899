import { ChevronDown } from "lucide-react";
import Form from "next/form";

import { buildJobQuery, type JobParams } from "@/app/jobs/[job]/search-params";
import { Button } from "@/components/ui/button";
import { jobHref } from "@/lib/format/href";

const RANGES = [
  { label: "Reward", min: "min", max: "max", field: "reward" },
  { label: "Cost, $", min: "cost_min", max: "cost_max", field: "costUsd" },
  { label: "Minutes", min: "time_min", max: "time_max", field: "durationMinutes" },
] as const;

/** Ranges of reward, cost and duration as a menu with a plain form: it works without scripts. */
export function JobRangeForm({ jobKey, params }: { jobKey: string; params: JobParams }) {
  const own: readonly string[] = [...RANGES.flatMap(({ min, max }) => [min, max]), "page"];
  const others = Object.entries(buildJobQuery(params)).flatMap(([name, value]) => {
    if (value === undefined || value === "" || own.includes(name)) return [];
    return (typeof value === "object" ? value : [String(value)]).map((text) => [name, text] as const);
  });
  const isOn = RANGES.some(({ field }) => params[field].min !== null || params[field].max !== null);
  return (
    <details className={isOn ? "facet facet-on" : "facet"} data-menu="">
      <summary>
        Ranges
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <Form action={jobHref(jobKey)} replace scroll={false} className="job-ranges">
          {others.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {RANGES.map(({ label, min, max, field }) => (
            <RangeFields key={field} label={label} min={min} max={max} range={params[field]} />
          ))}
          <Button type="submit">Apply</Button>
        </Form>
      </div>
    </details>
  );
}

function RangeFields({
  label,
  min,
  max,
  range,
}: {
  label: string;
  min: string;
  max: string;
  range: JobParams["reward"];
}) {
  return (
    <>
      <span>{label}</span>
      <label className="field">
        <span className="screen-reader">{label} from</span>
        <input name={min} type="number" step="any" placeholder="from" defaultValue={range.min ?? ""} />
      </label>
      <label className="field">
        <span className="screen-reader">{label} to</span>
        <input name={max} type="number" step="any" placeholder="to" defaultValue={range.max ?? ""} />
      </label>
    </>
  );
}
