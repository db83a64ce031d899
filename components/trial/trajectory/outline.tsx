import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { listsOwnTests } from "@/lib/core/domain/tally-tests";
import type { OutlineStep } from "@/lib/core/domain/trajectory";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { openTrialHref, stepHref } from "@/lib/pages/trial/address";

import { AsideSection, type ShownTrial } from "../trial-parts";
import { shortTestName } from "../verifier/tests-panel";

export function Outline({ page }: { page: ShownTrial }) {
  return (
    <div className="trial-aside outline-aside">
      <StepOutline page={page} />
      <FailedTests page={page} />
    </div>
  );
}

function StepOutline({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { outline, openPart, nAll } = trajectory;
  const currentKey = search.tab === "trajectory" ? trajectory.currentKey : null;
  if (outline.length === 0) return null;
  const draw = ({ key, title, marked }: OutlineStep) => (
    <Link
      className="row choice"
      href={stepHref(at, search, { step: key })}
      mode="stay"
      aria-current={key === currentKey ? "step" : undefined}
    >
      <span className="caption outline-step">{key}</span>
      <span className="cut grow" title={title}>
        {title}
      </span>
      {marked ? <Mark status="errored" label="has an error" /> : null}
    </Link>
  );
  return (
    <AsideSection title="Outline" note={formatPlural(nAll, "step")}>
      <ol className="outline">
        {outline.map((entry) => (
          <li key={entry.key}>
            {draw(entry)}
            {openPart === null || currentKey === null || openPart.key !== entry.key ? null : (
              <ol>
                <More n={openPart.nBefore} />
                {openPart.steps.map((step) => (
                  <li key={step.key}>{draw(step)}</li>
                ))}
                <More n={openPart.nAfter} />
              </ol>
            )}
          </li>
        ))}
      </ol>
    </AsideSection>
  );
}

function More({ n }: { n: number }) {
  return n === 0 ? null : <li className="caption">{formatPlural(n, "more step")}</li>;
}

const MOST_TESTS = 4;

function FailedTests({ page: { tests, testTally, at } }: { page: ShownTrial }) {
  if (testTally === null || testTally.nTests === 0) return null;
  const failed = tests
    .filter(listsOwnTests)
    .flatMap((report) => report.tests.filter(({ status }) => status === "failed"));
  const { nTests, nFailed } = testTally;
  const shown = failed.slice(0, MOST_TESTS);
  const nMore = (nFailed ?? failed.length) - shown.length;
  const totals =
    nTests === null || nFailed === null
      ? "no totals"
      : `${formatCount(nFailed)} of ${formatCount(nTests)} failed`;
  return (
    <AsideSection title="Tests" note={totals}>
      <ul className="outline">
        {shown.map(({ name }) => (
          <li key={name}>
            <Link className="row choice" href={openTrialHref(at, { tab: "tests", test: name })} mode="stay">
              <code className="cut grow" title={name}>
                {shortTestName(name)}
              </code>
              <Mark status="failed" label="failed" />
            </Link>
          </li>
        ))}
      </ul>
      {nMore <= 0 ? null : (
        <Link className="aside-more" href={openTrialHref(at, { tab: "tests" })} mode="stay">
          {formatPlural(nMore, "more failed test")}
        </Link>
      )}
    </AsideSection>
  );
}

export function FoundList({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { found, currentKey } = trajectory;
  if (found === null) return null;
  const nAfter = found.nSteps - found.nBefore - found.steps.length;
  return (
    <div className="trial-aside found">
      <AsideSection title="Matches" note={formatPlural(found.nSteps, "step")}>
        <FoundMore n={found.nBefore} where="before" />
        <ol className="found-list">
          {found.steps.map(({ key, verb, nMatches, before, match, after }) => (
            <li key={key}>
              <Link
                className="choice"
                href={stepHref(at, search, { step: key })}
                mode="stay"
                aria-current={key === currentKey ? "step" : undefined}
              >
                <span className="row">
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
        <FoundMore n={nAfter} where="after" />
      </AsideSection>
    </div>
  );
}

function FoundMore({ n, where }: { n: number; where: "before" | "after" }) {
  return n === 0 ? null : <p className="caption">{`${formatPlural(n, "more step")} ${where} these.`}</p>;
}
