import { describeSignalPlace, linkSignal } from "@/components/triage/triage-words";
import { Link } from "@/components/ui/link";
import { SuspectMark } from "@/components/ui/suspect-mark";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { tellReason } from "@/lib/core/domain/tally-tests";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, describeSuspicion, OUTCOME_WORDS, SIGNAL_WORDS } from "@/lib/core/format/words";
import { CLASSES, OWNER_WORDS } from "@/lib/core/triage/classes";
import type { Signal } from "@/lib/core/triage/signals";
import { clusterHref } from "@/lib/pages/clusters/address";
import { logLink, openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { SuggestionAnswers } from "./suggestion-answer";
import { AsideSection, type ShownTrial } from "./trial-parts";
import { describeVerdict, Judgments, RewardCheck } from "./verifier/result-section";
import { shortTestName } from "./verifier/tests-panel";

export function CauseLine({ page }: { page: ShownTrial }) {
  const { failure, trial, hidden, checks, judgments, rewardFigure } = page;
  if (hidden.includes("verifier"))
    return (
      <p className="muted trial-cause">Outcome, reward and tests are hidden until you save your verdict.</p>
    );
  const { suspicion } = checks;
  const words = failure === null ? OUTCOME_WORDS[trial.outcome] : CLASSES[failure.failureClass].words;
  const fact = describeFact(page).slice(0, MOST_CHARS).toWellFormed();
  return (
    <div className="row trial-cause">
      <p
        className="cut"
        title={[failure?.why, fact, failure?.rule && `Rule ${failure.rule}`].filter(Boolean).join(" ")}
      >
        <b className={`mark-${trial.outcome}`}>{capitalise(words)}:</b> {fact}
      </p>
      {rewardFigure === null || rewardFigure.verdict === "exact" ? null : <RewardCheck page={page} />}
      {judgments?.disagrees === true ? <Judgments page={page} /> : null}
      <CauseLinks page={page} />
      {suspicion === null ? null : <SuspectMark reason={describeSuspicion(suspicion)} isFull />}
      {failure === null || failure.rule === null ? null : (
        <SuggestionAnswers
          of={page.answers}
          suggestion={{ suggester: nameSuggester("rule", failure.rule), version: failure.failureClass }}
          label={words}
          question="Is this correct?"
        />
      )}
    </div>
  );
}

/** The Evidence tab has the whole text. */
const MOST_CHARS = 400;

function describeFact(page: ShownTrial): string {
  const { failure, passedFailure, headline, testTally, trial } = page;
  const reward = headline === null ? [] : [`reward ${headline.text}`];
  if (failure !== null) return [...reward, describeSignal(page)].join(", ");
  if (trial.outcome !== "passed") return describeVerdict(page) || "no cause found";
  const { nPassed = null, nTests = null } = testTally ?? {};
  return [
    ...reward,
    ...(nPassed === null || nTests === null || nTests === 0
      ? []
      : [`${formatCount(nPassed)} of ${formatPlural(nTests, "test")}`]),
    ...(passedFailure === null ? [] : [`although ${page.exceptions[0]?.type ?? "an exception"} was raised`]),
  ].join(", ");
}

/** Returns the first line of the best evidence, without the file and suites of a test. */
function describeSignal({ failure, tests }: ShownTrial): string {
  const [signal] = failure?.evidence ?? [];
  if (signal === undefined) return failure?.why ?? "no rule explains this trial";
  const failed = tests.flatMap((report) => report.tests).find(({ status }) => status === "failed");
  if (signal.kind !== "failed-test" || failed === undefined) return takeSentence(signal.text);
  const reason = takeSentence(tellReason(failed) ?? "");
  return [shortTestName(failed.name), ...(reason ? [reason] : [])].join(": ");
}

/** Returns the first line, and the next one if the first ends in a colon. */
function takeSentence(text: string): string {
  const [first = "", second = ""] = text.split("\n").flatMap((line) => line.trim() || []);
  return first.endsWith(":") ? `${first} ${second}`.trim() : first;
}

function CauseLinks({ page }: { page: ShownTrial }) {
  const { failure, at, hidden, trajectory, testsInLogs, trial } = page;
  if (hidden.length > 0) return null;
  const { landing } = trajectory;
  const inFile = failure?.evidence.find(({ kind, place }) => kind !== "failed-test" && place.step === null);
  const [inLog] = testsInLogs.values();
  const log = inFile === undefined ? (inLog === undefined ? LOG : logLink(inLog)) : linkSignal(inFile);
  return (
    <span className="row nowrap">
      {failure === null || landing === null ? null : (
        <Link href={openTrialHref(at, { step: landing.key })} mode="stay">
          {landing.isCited ? "" : landing.isError ? "last error, " : "last "}step {landing.key}
        </Link>
      )}
      {trial.folder === "" ? null : (
        <Link href={openTrialHref(at, log)} mode="stay">
          log
        </Link>
      )}
      {failure === null || at.queue !== null ? null : (
        <Link href={clusterHref(failure.clusterKey)}>similar failures</Link>
      )}
    </span>
  );
}

const LOG = { tab: "log" } as const;

export function CauseSection({ page }: { page: ShownTrial }) {
  const { failure, passedFailure, at, job } = page;
  const said = failure ?? passedFailure;
  if (said === null) return null;
  const words = CLASSES[said.failureClass].words;
  return (
    <AsideSection title="Cause" note={failure === null ? `${words}, did not fail the trial` : words}>
      <p>
        {said.why ?? `No rule explains ${failure === null ? "its exception" : "this trial"}.`}
        {failure === null ? " The trial did not fail, so it is in no failure count." : null}
      </p>
      <ClassEvidence page={page} said={said} />
      {failure === null || at.queue !== null ? null : (
        <Link href={trialsPageHref(job.key, { failureClasses: [failure.failureClass] })}>
          All in this job
        </Link>
      )}
    </AsideSection>
  );
}

interface ClassProps {
  page: TrialPage;
  said: NonNullable<TrialPage["passedFailure"]>;
}

function ClassEvidence({ page, said: { failureClass, rule, version, why, evidence } }: ClassProps) {
  return (
    <>
      {evidence.length === 0 ? null : (
        <ul className="cause-evidence">
          {evidence.map((signal, nth) => (
            <li key={nth}>
              <Link href={openTrialHref(page.at, linkSignal(signal))} mode="stay">
                {SIGNAL_WORDS[signal.kind]}
                {", "}
                {describeSignalPlace(signal)}
              </Link>
              <code className="clamp pre-wrap">{shorten(signal)}</code>
            </li>
          ))}
        </ul>
      )}
      <p className="caption">
        {rule === null ? (why === null ? "No rule matches" : "Stopped") : `Rule ${rule}`}, rules {version}
        {failureClass === "unexplained" ? "" : `; owner: ${OWNER_WORDS[CLASSES[failureClass].owner]}`}.
      </p>
    </>
  );
}

function shorten({ kind, text }: Signal): string {
  return kind === "exception" ? (text.split("\n", 1)[0] ?? "") : text;
}
