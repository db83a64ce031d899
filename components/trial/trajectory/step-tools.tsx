import { Link } from "@/components/ui/link";
import { stepHref, type TrialParams } from "@/lib/addresses/trial";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { TrialPage } from "@/lib/queries/trial/page";

import { WrapSwitch } from "../wrap-switch";
import { FindField } from "./find-field";
import { GoToStep } from "./go-to-step";

import "./step-tools.css";

/** Above the steps: what is looked for in all of them, and the way to those that people look for first. */
export function StepTools({ page: { at, trajectory }, search }: { page: TrialPage; search: TrialParams }) {
  const { found, jumps, total } = trajectory;
  const hrefOf = (step: string) => stepHref(at, search, { step });
  return (
    <div className="step-tools" role="search" aria-label="Steps">
      <FindField
        label={`Find in all ${formatPlural(total, "step")}`}
        nextHref={found?.nextKey ? hrefOf(found.nextKey) : null}
        previousHref={found?.previousKey ? hrefOf(found.previousKey) : null}
      />
      {found === null ? null : (
        <span className="muted" role="status">
          {found.problem ?? describeFound(found)}
        </span>
      )}
      <WrapSwitch />
      {found !== null ? null : (
        <nav aria-label="Go to">
          {jumps.map(({ label, key }) => (
            <Link key={label} href={hrefOf(key)} mode="stay" title={`Step ${key}`}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <GoToStep />
    </div>
  );
}

function describeFound({ nMatches, hasMore, nSteps }: NonNullable<TrialPage["trajectory"]["found"]>): string {
  if (nMatches === 0) return "No match";
  const matches = hasMore
    ? `More than ${formatCount(nMatches)} matches`
    : formatPlural(nMatches, "match", "matches");
  return `${matches} in ${formatPlural(nSteps, "step")}`;
}
