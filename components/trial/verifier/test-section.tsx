import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { listsOwnTests, nameTest } from "@/lib/core/domain/tally-tests";
import { tellReason } from "@/lib/core/domain/test-reason";
import type { LogPlace } from "@/lib/core/domain/verifier-check";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { capitalise, formatTextSource } from "@/lib/core/format/words";
import { logLink, openTrialHref, type OpenTrial } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { TaskAround } from "@/lib/pages/trial/task";

import { AsideSection } from "../trial-parts";
import { shortTestName, TEST_MARKS } from "./tests-panel";

const MOST_SHOWN = 5;
/** Characters of a message; the Tests tab has all of it. */
const MESSAGE_CHARS = 200;

export function TestSection({
  page: { tests, testTally, testsInLogs, parts, at, task },
}: {
  page: TrialPage;
}) {
  if (testTally === null || testTally.nTests === 0) return null;
  // Failed tests come first, so a later part may have none.
  const cases =
    parts.tests.from > 0
      ? []
      : tests
          .filter(listsOwnTests)
          .flatMap((report) =>
            report.tests.map((test) => ({ ...test, id: nameTest(report, test), reason: tellReason(test) })),
          );
  const failed = cases.filter(({ status }) => status === "failed");
  const shown = (failed.length > 0 ? failed : cases).slice(0, MOST_SHOWN);
  const { nTests, nFailed, textFiles } = testTally;
  const rest = parts.tests.total - shown.length;
  const source = formatTextSource(textFiles);
  const note =
    nTests === null || nFailed === null
      ? "no totals"
      : `${formatCount(nFailed)} of ${formatCount(nTests)} failed`;
  return (
    <AsideSection title="Tests" note={note}>
      {source === null ? null : <p className="caption">{capitalise(source)}</p>}
      <ul className="aside-tests">
        {shown.map((test, nth) => (
          <li key={nth} data-evidence="test" data-place={test.name}>
            <span className="row">
              <Mark status={TEST_MARKS[test.status]} label={test.status} />
              <code className="cut grow" title={test.name}>
                {shortTestName(test.name)}
              </code>
              {test.durationMs === null ? null : (
                <span className="muted nowrap">{formatDuration(test.durationMs)}</span>
              )}
            </span>
            {test.status === "failed" && test.reason !== null ? (
              <p className="caption mono clamp aside-message">{test.reason.slice(0, MESSAGE_CHARS)}</p>
            ) : null}
            {test.status === "failed" ? (
              <p className="caption">
                <FailureCount task={task} id={test.id} /> <LogLink at={at} log={testsInLogs.get(test.id)} />
              </p>
            ) : null}
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Link className="aside-more" href={openTrialHref(at, { tab: "tests" })} mode="stay">
          {formatPlural(rest, shown.length === 0 ? "test" : "more test")}
        </Link>
      ) : null}
    </AsideSection>
  );
}

function FailureCount({ task, id }: { task: TaskAround; id: string }) {
  const { failures, isAtLeast } = task;
  const found = failures.get(id);
  if (found === undefined || found.nTested < 2) return null;
  const { nFailed, nAgents, nTested, nTestedAgents, nAssumed } = found;
  const least = isAtLeast ? "at least " : "";
  return (
    <span>
      Fails in {least}
      {formatCount(nFailed)} of {formatPlural(nTested, "trial")} of this task that ran it
      {nTestedAgents < 2
        ? ""
        : nAgents === 1 && !isAtLeast
          ? ", of this agent alone"
          : nTested === nTestedAgents
            ? ""
            : `, of ${least}${formatCount(nAgents)} of ${formatCount(nTestedAgents)} agents`}
      {nAssumed === 0 ? "." : `; the reports of ${formatCount(nAssumed)} do not say whether it ran.`}
    </span>
  );
}

function LogLink({ at, log }: { at: OpenTrial; log: LogPlace | undefined }) {
  if (log === undefined) return null;
  return (
    <Link className="nowrap" href={openTrialHref(at, logLink(log))} mode="stay" title={log.file}>
      Log, line {formatCount(log.line)}
    </Link>
  );
}
