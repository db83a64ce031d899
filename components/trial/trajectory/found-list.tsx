import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { stepHref } from "@/lib/pages/trial/address";

import { AsideSection, type ShownTrial } from "../trial-parts";

import "./found-list.css";

export function FoundList({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { found, currentKey } = trajectory;
  if (found === null) return null;
  const nAfter = found.nSteps - found.nBefore - found.steps.length;
  return (
    <div className="trial-aside found">
      <AsideSection title="Matches" note={formatPlural(found.nSteps, "step")}>
        <More n={found.nBefore} where="before" />
        <ol className="found-list">
          {found.steps.map(({ key, verb, nMatches, before, match, after }) => (
            <li key={key}>
              <Link
                className="choice"
                href={stepHref(at, search, { step: key })}
                mode="stay"
                aria-current={key === currentKey ? "step" : undefined}
              >
                <span className="found-head">
                  <b>{key}</b>
                  <span className="cut grow">{verb}</span>
                  {nMatches === 1 ? null : <span className="caption">{formatCount(nMatches)}</span>}
                </span>
                <span className="clamp found-excerpt">
                  {before}
                  <mark>{match}</mark>
                  {after}
                </span>
              </Link>
            </li>
          ))}
        </ol>
        <More n={nAfter} where="after" />
      </AsideSection>
    </div>
  );
}

function More({ n, where }: { n: number; where: "before" | "after" }) {
  return n === 0 ? null : <p className="caption">{`${formatPlural(n, "more step")} ${where} these.`}</p>;
}
