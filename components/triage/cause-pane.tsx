import { Ellipsis } from "lucide-react";

import { ReviewThese } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { Link } from "@/components/ui/link";
import { TimeText } from "@/components/ui/time-text";
import { formatCount, formatPercent, formatPlural, formatPoints, MISSING } from "@/lib/core/format/number";
import { capitalise, formatTask } from "@/lib/core/format/words";
import { CLASSES, OWNER_WORDS } from "@/lib/core/triage/classes";
import { clusterHref } from "@/lib/pages/clusters/address";
import { triageHref } from "@/lib/pages/triage/address";
import type { FindingRow } from "@/lib/pages/triage/page";
import { trialsPageHref, writeTrialsQuery } from "@/lib/pages/trials/address";

import { CauseExamples, type CauseProps } from "./cause-examples";
import { DismissForm, RestoreButton } from "./dismiss-form";
import { DismissalHistory } from "./dismissal-history";
import { selectTrials } from "./select-trials";
import {
  describeBases,
  describeOracle,
  describeReviews,
  describeWin,
  dropBenchmark,
  nameFinding,
} from "./triage-words";
import { countWho } from "./who";
import { WhoStrip } from "./who-strip";

export function CausePane(props: CauseProps) {
  const { row, page, params, detail } = props;
  const { failureClass, nTrials, oracle } = row;
  const filter = selectTrials(row, params, page);
  const why = detail.examples.find((example) => example.why !== null)?.why;
  return (
    <section className="cause-pane" aria-label="Selected cause" data-cause="">
      <Link className="cause-back" href={triageHref(params, { open: null })} mode="replace">
        All causes
      </Link>
      <div className="flow cause-head">
        <div className="grow">
          <h2>{dropBenchmark(nameFinding(row), params)}</h2>
          <p className="muted">
            {OWNER_WORDS[CLASSES[failureClass].owner]}. {why ?? `${capitalise(CLASSES[failureClass].words)}.`}
            {row.only === null ? null : ` Only ${row.only}; others tried the same tasks at least as often.`}
          </p>
        </div>
        <div className="row">
          <Link className="button button-plain" href={trialsPageHref(null, filter)} data-cause-trials="">
            Open {formatPlural(nTrials, "trial")}
          </Link>
          <ReviewThese
            address={{ list: writeTrialsQuery(filter) }}
            nTrials={nTrials}
            label={`Review ${formatCount(nTrials)}`}
          />
          <MoreMenu row={row} />
        </div>
      </div>
      {row.dismissal === null ? null : <Dismissal row={row} />}
      <CauseNumbers row={row} page={page} />
      {oracle === null ? null : <p className="caption">{describeOracle(oracle)}</p>}
      <CauseExamples {...props} filter={filter} />
      <CauseTasks {...props} />
      <details className="caption methods">
        <summary>Methods</summary>
        <p>
          {describeWin(row.win)}. {describeBases(row)} {describeReviews(row)}
        </p>
        {row.pattern === null ? null : (
          <p>
            Pattern: <code>{row.pattern}</code>
          </p>
        )}
        {row.kind === "alike" ? null : <p>The causes of their classes also count its trials.</p>}
      </details>
    </section>
  );
}

function CauseNumbers({ row, page: { scope } }: Pick<CauseProps, "row" | "page">) {
  const { win, nTrials, nTasks, byAgent } = row;
  const numbers = [
    win.kind === "computed"
      ? [formatPoints(win.expected), `points, ${formatPoints(win.low)} to ${formatPoints(win.high)}`]
      : [MISSING, "points unknown"],
    [formatCount(nTrials), `of ${formatPlural(scope.failures.length, "failure")}`],
    [formatCount(nTasks), `of ${formatPlural(scope.nTasks, "task")}`],
    [formatCount(byAgent.size), `of ${formatPlural(scope.agentModels.length, "agent")}`],
  ] as const;
  return (
    <dl className="flow cause-numbers" title={describeWin(win)}>
      {numbers.map(([number, words]) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>{number}</dd>
        </div>
      ))}
    </dl>
  );
}

function CauseTasks({ row, page, params, detail: { tasks }, who }: CauseProps) {
  const nMore = row.nTasks - tasks.length;
  return (
    <section aria-label="Tasks">
      <h3>
        Tasks <span className="caption">one dot per agent, then the share of all trials that pass</span>
      </h3>
      <ul className="cause-tasks">
        {tasks.map(({ task, taskName, place, byAgent, passed }) => (
          <li key={task}>
            <Link
              className="quiet cut"
              href={trialsPageHref(
                null,
                selectTrials({ ...row, kind: "broken", tasks: [taskName], place }, params, page),
              )}
              title={taskName}
            >
              {dropBenchmark(formatTask({ taskName }), params)}
            </Link>
            <WhoStrip counts={countWho(byAgent, who)} agents={who.names} />
            <span className="numeric muted">
              {passed.kind === "computed" ? formatPercent(passed.rate) : MISSING}
            </span>
          </li>
        ))}
      </ul>
      {nMore > 0 ? <p className="caption">{formatPlural(nMore, "more task")} with fewer trials.</p> : null}
    </section>
  );
}

function MoreMenu({ row }: { row: FindingRow }) {
  const { clusterKey, key, base, history, dismissal } = row;
  return (
    <details className="facet facet-end" data-menu="">
      <summary aria-label="More">
        <Ellipsis size={16} aria-hidden />
      </summary>
      <div className="facet-panel cause-more">
        {clusterKey === null ? null : (
          <Link className="facet-option" href={clusterHref(clusterKey)}>
            Cluster
          </Link>
        )}
        {dismissal === null ? (
          <ForAction action="dismissFindingAction">
            <DismissForm key={key} findingKey={key} base={base} title={nameFinding(row)} />
          </ForAction>
        ) : null}
        <DismissalHistory history={history} />
      </div>
    </details>
  );
}

function Dismissal({ row: { key, base, dismissal } }: { row: FindingRow }) {
  if (dismissal === null) return null;
  const { author, at, reason, isOwn } = dismissal;
  return (
    <div className="flow" role="group" aria-label="Dismissal">
      <p>
        Dismissed by {author}, <TimeText time={at} />: “{reason}” It is still in every count.
      </p>
      <ForAction action="restoreFindingAction">
        <RestoreButton findingKey={key} base={base} isOwn={isOwn} />
      </ForAction>
    </div>
  );
}
