import { Ellipsis } from "lucide-react";

import { LONGEST_FILTER, ReviewThese } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { SuggestionAnswers } from "@/components/trial/suggestion-answer";
import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu";
import { Methods } from "@/components/ui/methods";
import { ShareBar } from "@/components/ui/outcome-bar";
import { TimeText } from "@/components/ui/time-text";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import {
  formatCount,
  formatPercent,
  formatPlural,
  formatPoints,
  MISSING,
  formatRange,
} from "@/lib/core/format/number";
import { capitalise, formatTask, SIGNAL_WORDS } from "@/lib/core/format/words";
import type { ExpectedWin, Unavailable } from "@/lib/core/stats";
import { CLASSES, listClasses, nameHeading, OWNER_WORDS, OWNERS } from "@/lib/core/triage/classes";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { clusterHref } from "@/lib/pages/clusters/address";
import { taxonomyHref } from "@/lib/pages/taxonomy/address";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { RuleAnswers } from "@/lib/pages/triage/answers";
import type { FindingChange, FindingRow, TriagePage, FindingDetail } from "@/lib/pages/triage/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import {
  writeTrialsQuery,
  trialsPageHref,
  type TrialsParams,
  writeTrialsList,
} from "@/lib/pages/trials/address";

import { CauseKeys, CauseList } from "./cause-list";
import { DismissForm, RestoreButton } from "./dismiss-form";
import { FailuresAnswer } from "./failures-head";
import { selectTrials } from "./select-trials";
import {
  describeSignalPlace,
  linkSignal,
  describeWin,
  dropBenchmark,
  nameFinding,
  describeBases,
  describeOracle,
  describeReviews,
  markDifferences,
  quoteEvidence,
} from "./triage-words";
import { countWho, listWho, WhoStrip, type Who } from "./who-strip";

export function Causes(props: Omit<CauseProps, "who" | "row"> & { open: FindingRow }) {
  const { page, params, open } = props;
  const who = listWho(page.scope.agentModels.map(({ name }) => name));
  const rows = page.causes;
  const end = selectWinEnd(rows.map(({ win }) => win));
  const labels = [0, end / 2, end].map((share) => String(Number((share * 100).toFixed(2))));
  return (
    <>
      <CauseKeys />
      <Verdict page={page} params={params} />
      <div className="cause-panes" data-open={params.open === null ? undefined : ""}>
        <section className="cause-list" aria-label="All causes">
          <OwnerBar page={page} params={params} />
          <div className="caption cause-heading">
            <span>
              {formatPlural(rows.length, "cause")}, {formatPlural(page.scope.failures.length, "trial")}
            </span>
            <span className="cause-scale" aria-hidden>
              {labels.map((label) => (
                <span key={label}>{label}</span>
              ))}
            </span>
            <span className="numeric">Points</span>
          </div>
          <CauseList
            open={open.key}
            agents={who.names}
            lines={rows.map((row) => ({
              key: row.key,
              href: triageHref(params, { open: row.key }),
              title: dropBenchmark(nameFinding(row), params),
              hint: (row.pattern ?? "").replaceAll(SLOT, "…").slice(0, MOST_HINT).toWellFormed(),
              owner: OWNER_WORDS[CLASSES[row.failureClass].owner],
              nTrials: row.nTrials,
              points: row.win.kind === "computed" ? formatPoints(row.win.expected) : "unknown",
              said: describeWin(row.win),
              interval:
                row.win.kind === "computed"
                  ? placeInterval(
                      { value: row.win.expected, low: row.win.low, high: row.win.high },
                      { low: 0, high: end },
                    )
                  : null,
              who: countWho(row.byAgent, who),
              isDismissed: row.dismissal !== null,
            }))}
          />
          <CauseNotes page={page} />
          <p className="row caption cause-key-line">
            <CommandKey id="everywhere.nextRow" /> <CommandKey id="everywhere.previousRow" /> move
            <CommandKey id="triage.trials" /> trials <CommandKey id="triage.review" /> review{" "}
            <CommandKey id="triage.right" /> <CommandKey id="triage.wrong" /> correct
          </p>
        </section>
        <CausePane {...props} row={open} who={who} />
      </div>
    </>
  );
}

const SLOT = /⟨\w+⟩/gu;
const MOST_HINT = 80;

/** Upper ends of a scale below two points; above, it ends at the next even number. */
const ENDS = [0.005, 0.01, 0.02] as const;

function selectWinEnd(wins: readonly (ExpectedWin | Unavailable)[]): number {
  const most = Math.max(0, ...wins.map((win) => (win.kind === "computed" ? win.high : 0)));
  return ENDS.find((end) => end >= most) ?? Math.min(1, Math.ceil(most * 50) / 50);
}

function Verdict({ page, params }: Pick<CauseProps, "page" | "params">) {
  const { unexplained, scope, canReorder } = page;
  const [first, ...next] = page.findings.filter(({ win }) => win.kind === "computed" && win.expected > 0);
  const gain =
    first === undefined
      ? "No known cause with anything to gain"
      : `Biggest gain: ${dropBenchmark(nameFinding(first), params)}, ${formatPlural(first.nTrials, "trial")}, ${winOf(first)} points`;
  const then = next.slice(0, 2).map((row) => `${dropBenchmark(nameFinding(row), params)} (${winOf(row)})`);
  const n = unexplained?.nTrials ?? 0;
  const list = unexplained === null ? "" : writeTrialsQuery(selectTrials(unexplained, params, page));
  const without = `${formatCount(n)} of ${formatPlural(scope.failures.length, "trial")} ${n === 1 ? "has" : "have"} no cause.`;
  return (
    <FailuresAnswer answer={canReorder ? without : gain}>
      {canReorder && list.length <= LONGEST_FILTER ? (
        <ForAction action="makeQueueAction">
          <Link href={newQueueHref({ list })}>
            Review {formatCount(Math.min(FEW_TRIALS, n))} of them first
          </Link>
          .{" "}
        </ForAction>
      ) : null}
      {canReorder ? `${gain}. ` : null}
      {then.length === 0 ? null : `Next: ${then.join(", ")}. `}
      {unexplained === null || canReorder ? null : `${without} `}
      <Caveats page={page} />
    </FailuresAnswer>
  );
}

function Caveats({ page: { owners, isWithoutJudgments, scope } }: { page: TriagePage }) {
  const nUnkept = owners.get("no_evidence") ?? 0;
  return (
    <>
      {nUnkept === 0 ? null : `${formatPlural(nUnkept, "trial")} kept no evidence. `}
      {isWithoutJudgments ? "Reviewers’ judgments cannot be read and are not counted. " : null}
      {scope.nLeftOut === 0 ? null : (
        <>
          {formatPlural(scope.nLeftOut, "job")} could not be classified: see the{" "}
          <Link href="/load-report">load report</Link>.{" "}
        </>
      )}
      {scope.nUnclassified === 0
        ? null
        : `${formatPlural(scope.nUnclassified, "trial is", "trials are")} not classified yet.`}
    </>
  );
}

const FEW_TRIALS = 20;

function winOf({ win }: FindingRow): string {
  return win.kind === "computed" ? formatPoints(win.expected) : "unknown";
}

function OwnerBar({ page: { owners, scope }, params }: { page: TriagePage; params: TriageParams }) {
  const parts = OWNERS.map((owner) => ({ owner, n: owners.get(owner) ?? 0 })).filter(({ n }) => n > 0);
  const total = parts.reduce((sum, { n }) => sum + n, 0);
  return (
    <div className="cause-owners">
      <ShareBar parts={parts.map(({ owner, n }) => [owner, n, OWNER_WORDS[owner].toLowerCase()])} />
      <ul className="flow caption owner-bar" aria-label="Owners">
        {parts.map(({ owner, n }) => {
          const classes = listClasses({ owner });
          const isChosen = params.classes.length > 0 && classes.every((one) => params.classes.includes(one));
          const said = classes.flatMap((one) => {
            const count = scope.classes.get(one);
            return count === undefined ? [] : `${nameHeading(one)} ${formatCount(count)}`;
          });
          return (
            <li key={owner}>
              <Link
                href={triageHref(params, { classes: isChosen ? [] : classes, open: null })}
                className="inline-row owner-part"
                mode="replace"
                aria-current={isChosen ? "true" : undefined}
                title={`${formatPercent(n / total)}: ${said.join(", ")}`}
              >
                <span className="owner-mark" data-owner={owner} /> {OWNER_WORDS[owner]}{" "}
                <b>{formatCount(n)}</b>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function CauseNotes({ page: { rest, scope } }: { page: TriagePage }) {
  return (
    <div className="cause-notes">
      {rest.nFindings === 0 ? null : (
        <p className="caption">
          {formatPlural(rest.nFindings, "smaller cause")} with {formatPlural(rest.nTrials, "trial")}
          {rest.most === null ? "" : `, at most ${formatPoints(rest.most)} points each`}. Filter to find them.
        </p>
      )}
      <Methods>
        <p>
          Points are of the mean reward over all {formatCount(scope.nTrials)} finished trials that match the
          filters. Bar: expected gain if these trials score like attempts without the failure: the same
          agent’s at the task, else other agents’ at the task, else the agent’s other trials. If reviewers
          passed most of at least three judged trials, their pass rate is used. Whisker: 95 %, Jeffreys’s for
          each of these, summed as independent, for a rerun of the same tasks. Trials that did not end are in
          no mean; unexplained ones may have any cause. Dots: one per agent, most failures first; grey for 1
          trial, dark for 2, black for 3 or more.
        </p>
        <p>
          {formatPlural(scope.all.length, "trial")} did not pass in {formatPlural(scope.jobs.length, "job")},
          each counted once; {formatCount(scope.all.filter(({ isFinished }) => !isFinished).length)} of them
          never ended. Oracle and nop are left out; {formatCount(scope.nReference)} of their trials failed.
        </p>
      </Methods>
    </div>
  );
}

function CausePane(props: CauseProps) {
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
    <Menu className="cause-more" icon={Ellipsis} name="More">
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
    </Menu>
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

interface CauseProps {
  readonly row: FindingRow;
  readonly page: TriagePage;
  readonly params: TriageParams;
  readonly detail: FindingDetail;
  readonly answers: RuleAnswers | null;
  readonly who: Who;
}

function CauseExamples({
  row,
  page,
  detail: { examples },
  answers,
  params,
  filter,
}: Omit<CauseProps, "who"> & { filter: Partial<TrialsParams> }) {
  const texts = examples.map((example) => quoteEvidence(example) ?? "Its files show no reason.");
  const marked = markDifferences(texts);
  // The oracle's trial is not in the list of agent trials.
  const list = row.oracle === null ? writeTrialsList(filter) : null;
  return (
    <section aria-label="Examples">
      <h3>
        Examples{" "}
        {marked.some((parts) => parts.some(({ isOwn }) => isOwn)) ? (
          <span className="caption">what differs is underlined</span>
        ) : null}
      </h3>
      {examples.length === 0 ? <p className="muted">Its trials are no longer in the index.</p> : null}
      <ul>
        {examples.map((example, at) => {
          const [signal] = example.evidence;
          const answer = answers?.examples[at] ?? null;
          const agentModel = page.scope.agentModels.find((one) =>
            page.scope.groupKeys.get(one.name)?.has(example.groupKey),
          );
          const place = signal === undefined ? {} : linkSignal(signal);
          return (
            <li key={`${example.jobKey} ${example.key}`} className="panel cause-example">
              <Link
                className="row"
                href={trialPageHref(example.jobKey, example.key, { list, ...place })}
                title={`${example.jobName}, attempt ${String(example.attempt)}`}
              >
                <b>{dropBenchmark(formatTask({ ...example, trialName: example.key }), params)}</b>
                {agentModel === undefined ? null : <AgentName {...agentModel} />}
                <span className="caption nowrap push">
                  {signal === undefined
                    ? "Open trial"
                    : `${SIGNAL_WORDS[signal.kind]}, ${describeSignalPlace(signal)}`}
                </span>
              </Link>
              <code className="clamp">
                {marked[at]?.map(({ text, isOwn }, nth) => (isOwn ? <mark key={nth}>{text}</mark> : text))}
              </code>
              {answer === null ? null : (
                <SuggestionAnswers {...answer} label={example.taskName} question="Is this correct?" />
              )}
            </li>
          );
        })}
      </ul>
      {answers === null || answers.nChecked === 0 ? null : (
        <p className="caption">
          {formatCount(answers.nChecked)} of {formatPlural(row.nTrials, "trial")} checked
          {answers.right?.kind === "computed"
            ? `, ${formatPercent(answers.right.rate)} right, 95 % ${formatRange(answers.right, formatPercent)}`
            : null}
          . See the <Link href={taxonomyHref({})}>taxonomy</Link> for all rules.
        </p>
      )}
    </section>
  );
}

function DismissalHistory({ history }: { history: readonly FindingChange[] }) {
  if (history.length === 0) return null;
  return (
    <details className="caption">
      <summary>{formatPlural(history.length, "earlier change")}</summary>
      <ol>
        {history.map(({ reason, undoReason, author, at }, nth) => (
          <li key={nth}>
            {reason === null ? "Shown again" : "Dismissed"} by {author}, <TimeText time={at} />
            {(reason ?? undoReason) === null ? null : <>: “{reason ?? undoReason}”</>}
          </li>
        ))}
      </ol>
    </details>
  );
}
