import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";

import { ListFacet } from "@/components/ui/facet-menu";
import { Link } from "@/components/ui/link";
import { STEP_CONDITIONS, STEP_SOURCES } from "@/lib/core/domain/trajectory";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { stepHref, type TrialParams } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { GoTo, RawSwitch, WrapSwitch } from "../trial-controls";
import type { ShownTrial } from "../trial-parts";
import { FindField } from "./find-field";

export function StepTools({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { found, jumps, nAll, facets } = trajectory;
  const hrefOf = (step: string) => stepHref(at, search, { step });
  // Keeps the step, where the list opens, even if the filter excludes it.
  const listHref = (filter: Partial<TrialParams>) => stepHref(at, search, { step: search.step, ...filter });
  return (
    <div className="flow step-tools" role="search" aria-label="Steps">
      <FindField
        noun="step that matches"
        label={`Find in all ${formatPlural(nAll, "step")}`}
        nextHref={found?.nextKey ? hrefOf(found.nextKey) : null}
        previousHref={found?.previousKey ? hrefOf(found.previousKey) : null}
      />
      {found === null ? null : (
        <span className="muted" role="status">
          {found.problem ?? describeFound(found)}
        </span>
      )}
      <MarkNavigator trajectory={trajectory} hrefOf={hrefOf} />
      {facets.roles.length < 2 ? null : (
        <ListFacet
          label="Role"
          values={facets.roles}
          chosen={search.roles}
          hrefOf={(roles) => listHref({ roles: STEP_SOURCES.filter((role) => roles.includes(role)) })}
        />
      )}
      {facets.tools.length < 2 ? null : (
        <ListFacet
          label="Tool"
          values={facets.tools}
          chosen={search.tools}
          hrefOf={(tools) => listHref({ tools: [...tools] })}
        />
      )}
      {facets.paths.length === 0 ? null : (
        <ListFacet
          label="File"
          values={facets.paths}
          chosen={search.paths}
          wordFor={(path) => <span title={path}>{path.split("/").slice(-2).join("/")}</span>}
          hrefOf={(paths) => listHref({ paths: [...paths] })}
        />
      )}
      <ListFacet
        label="Only"
        values={STEP_CONDITIONS.flatMap((value) => {
          const count = value === "errors" ? facets.nErrors : (found?.nSteps ?? 0);
          return count === 0 && !search.only.includes(value) ? [] : [{ value, count }];
        })}
        chosen={search.only}
        wordFor={(value) => CONDITION_WORDS[value]}
        hrefOf={(only) => listHref({ only: STEP_CONDITIONS.filter((one) => only.includes(one)) })}
      />
      <details className="facet" data-menu="">
        <summary>
          Go to
          <ChevronDown size={12} aria-hidden />
        </summary>
        <nav className="facet-panel" aria-label="Go to">
          <ul>
            {jumps.map(({ label, key }) => (
              <li key={label}>
                <Link className="facet-option" href={hrefOf(key)} mode="stay" title={`Step ${key}`}>
                  <span className="cut grow">{label}</span>
                  <span className="caption">{key}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </details>
      <WrapSwitch />
      <RawSwitch />
      <GoTo what="step" />
    </div>
  );
}

const CONDITION_WORDS = { errors: "steps with an error", matches: "steps that match" } as const;

function describeFound({ nMatches, hasMore, nSteps }: NonNullable<TrialPage["trajectory"]["found"]>): string {
  if (nMatches === 0) return "No match";
  const matches = hasMore
    ? `More than ${formatCount(nMatches)} matches`
    : formatPlural(nMatches, "match", "matches");
  return `${matches} in ${formatPlural(nSteps, "step")}`;
}

function MarkNavigator({
  trajectory: { markedKeys: keys, currentKey },
  hrefOf,
}: Pick<ShownTrial, "trajectory"> & { hrefOf: (step: string) => Route }) {
  if (keys.length === 0 || (keys.length === 1 && keys[0] === currentKey)) return null;
  const at = currentKey === null ? -1 : keys.indexOf(currentKey);
  const neighbours = [
    ["Previous", ChevronLeft, keys[at - 1], "trial.previousError"],
    ["Next", ChevronRight, keys[at + 1], "trial.nextError"],
  ] as const;
  return (
    <span className="row nowrap mark-navigator" title="Steps with an error">
      {at === -1 ? "" : `${at + 1} of `}
      {formatPlural(keys.length, "error")}
      {neighbours.map(([word, Icon, key, command]) => {
        const label = `${word} step with an error`;
        return key === undefined ? null : (
          <Link
            key={word}
            href={hrefOf(key)}
            mode="stay"
            title={label}
            aria-label={label}
            data-command={command}
          >
            <Icon size={14} aria-hidden />
          </Link>
        );
      })}
    </span>
  );
}
