import { ChevronDown } from "lucide-react";
import { Fragment } from "react";

import { Button } from "@/components/ui/button";
import { listValues } from "@/lib/pages/address/address";
import { jobHref } from "@/lib/pages/address/href";
import { LIST_NAMES } from "@/lib/pages/trials/address";

import { AddressForm } from "../address-form";
import { RANGES, type TrialsListState } from "./trial-filters";

function listEnds(params: TrialsListState["params"]) {
  return RANGES.flatMap(([, min, max]) => [params[min], params[max]]);
}

export function hasRange(params: TrialsListState["params"]): boolean {
  return listEnds(params).some((value) => value !== null);
}

export function RangeMenu({ list: { jobKey, params, hrefOf } }: { list: TrialsListState }) {
  const values = listEnds(params);
  const noRanges = Object.fromEntries(
    RANGES.flatMap(([, min, max]) => [
      [min, null],
      [max, null],
    ]),
  );
  return (
    <details className={hasRange(params) ? "facet facet-on" : "facet"} data-menu="">
      <summary>
        Ranges
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <AddressForm
          key={JSON.stringify(values)}
          action={jobKey === null ? "/trials" : jobHref(jobKey)}
          kept={listValues(hrefOf(noRanges))}
          mode="replace"
          className="job-ranges"
        >
          {RANGES.map(([label, ...ends]) => (
            <Fragment key={label}>
              <span>{label}</span>
              {ends.map((end, at) => {
                const word = at === 0 ? "from" : "to";
                return (
                  <label key={end} className="field">
                    <span className="screen-reader">
                      {label} {word}
                    </span>
                    <input
                      name={LIST_NAMES[end]}
                      type="number"
                      step="any"
                      placeholder={word}
                      defaultValue={params[end] ?? ""}
                    />
                  </label>
                );
              })}
            </Fragment>
          ))}
          <Button type="submit">Apply</Button>
        </AddressForm>
      </div>
    </details>
  );
}
