import { SuggestionAnswers } from "@/components/trial/suggestion-answer";
import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { formatCount, formatPercent, formatPlural, formatRange } from "@/lib/core/format/number";
import { SIGNAL_WORDS, formatTask } from "@/lib/core/format/words";
import { taxonomyHref } from "@/lib/pages/taxonomy/address";
import type { TriageParams } from "@/lib/pages/triage/address";
import type { RuleAnswers } from "@/lib/pages/triage/answers";
import type { FindingDetail, FindingRow, TriagePage } from "@/lib/pages/triage/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import type { TrialsParams } from "@/lib/pages/trials/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { describeSignalPlace, linkSignal } from "./signal-link";
import { dropBenchmark, markDifferences, quoteEvidence } from "./triage-words";
import type { Who } from "./who";

export interface CauseProps {
  readonly row: FindingRow;
  readonly page: TriagePage;
  readonly params: TriageParams;
  readonly detail: FindingDetail;
  readonly answers: RuleAnswers | null;
  readonly who: Who;
}

export function CauseExamples({
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
            <li key={`${example.jobKey} ${example.key}`} className="cause-example">
              <Link
                className="row"
                href={trialPageHref(example.jobKey, example.key, { list, ...place })}
                title={`${example.jobName}, attempt ${String(example.attempt)}`}
              >
                <b>{dropBenchmark(formatTask({ ...example, trialName: example.key }), params)}</b>
                {agentModel === undefined ? null : <AgentName {...agentModel} />}
                <span className="caption nowrap cause-place">
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
