import { LONGEST_FILTER } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { ShareBar } from "@/components/ui/outcome-bar";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import { formatCount, formatPercent, formatPlural, formatPoints } from "@/lib/core/format/number";
import type { ExpectedWin, Unavailable } from "@/lib/core/stats";
import { CLASSES, listClasses, nameHeading, OWNER_WORDS, OWNERS } from "@/lib/core/triage/classes";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";
import { writeTrialsQuery } from "@/lib/pages/trials/address";

import type { CauseProps } from "./cause-examples";
import { CauseKeys } from "./cause-keys";
import { CauseList } from "./cause-list";
import { CausePane } from "./cause-pane";
import { FailuresAnswer } from "./failures-head";
import { selectTrials } from "./select-trials";
import { describeWin, dropBenchmark, nameFinding } from "./triage-words";
import { countWho, listWho } from "./who";

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
                className="owner-part"
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
