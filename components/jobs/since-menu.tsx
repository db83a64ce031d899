import { ChevronDown } from "lucide-react";

import { AddressForm } from "@/components/job/address-form";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { listValues } from "@/lib/pages/address/address";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";

const SPANS = [
  { value: "1d", words: "Last 24 hours" },
  { value: "7d", words: "Last 7 days" },
  { value: "30d", words: "Last 30 days" },
  { value: "365d", words: "Last 365 days" },
] as const;

export function SinceMenu({ params }: { params: JobsParams }) {
  const { since } = params;
  const words = SPANS.find(({ value }) => value === since)?.words ?? since;
  const anyTime = jobsHref(params, { since: null });
  return (
    <details
      // Closes after a choice.
      key={since}
      className={since === null ? "facet" : "facet facet-on"}
      data-menu=""
    >
      <summary>
        Finished
        {words === null ? null : <b>{words}</b>}
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <ul>
          {SPANS.map(({ value, words: name }) => (
            <li key={value}>
              <Link
                href={jobsHref(params, { since: value })}
                mode="replace"
                className={value === since ? "facet-option facet-selected" : "facet-option"}
                aria-current={value === since ? "true" : undefined}
              >
                <span className="check-box" aria-hidden="true" />
                <span className="cut">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
        <AddressForm action="/" kept={listValues(anyTime)} mode="replace" className="row jobs-since">
          <label className="field">
            <span>Since</span>
            <input
              type="date"
              name="since"
              title="Midnight in UTC"
              defaultValue={since?.includes("-") === true ? since.slice(0, 10) : ""}
            />
          </label>
          <Button type="submit">Apply</Button>
        </AddressForm>
        {since === null ? null : (
          <Link className="facet-clear" href={anyTime} mode="replace">
            Clear finished
          </Link>
        )}
      </div>
    </details>
  );
}
