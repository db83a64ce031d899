import { FileCheck } from "lucide-react";

import { logLink, trialPageHref } from "@/lib/addresses/trial";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { formatPlural } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { describeSuspicion } from "@/lib/format/words";
import type { TrialPage } from "@/lib/queries/trial/page";

import { shortTestName } from "./test-words";
import { SoftLink } from "@/components/ui/soft-link";
import { SuspectMark } from "@/components/ui/suspect-mark";

const NAMED_FAILURES = 6;

/** The verifier after the agent's last step: what it ran into and what it wrote. Null when it never ran. */
export function VerifierRow({ page }: { page: TrialPage }) {
  const { trial, tests, rewards, entry, checks } = page;
  const { suspicion } = checks;
  const log = suspicion?.traceback ?? { file: "verifier/test-stdout.txt", line: null };
  const durationMs = computeDurationMs(trial.phases.verifier);
  if (durationMs === null && tests.length === 0 && rewards.length === 0) return null;
  const cases = tests.flatMap((report) => report.tests);
  const failed = cases.filter(({ status }) => status === "failed");
  const nFailed = tests.reduce((sum, report) => sum + report.nFailed, 0);
  return (
    <li className="step step-verifier">
      <div className="step-head">
        <span className="step-number" />
        <FileCheck size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
        <b>verifier</b>
        <code className="cut step-headline">{tests[0]?.tool ?? ""}</code>
        {nFailed === 0 ? null : (
          <span className="step-mark step-mark-failed">
            <svg width={12} height={12} aria-hidden="true">
              <use href="#mark-failed" />
            </svg>
            {nFailed} failed
          </span>
        )}
        {suspicion === null ? null : <SuspectMark reason={describeSuspicion(suspicion)} isFull />}
        <SoftLink
          className="nowrap"
          href={trialPageHref(
            entry.job.key,
            trial.key,
            log.line === null ? { tab: "log", file: log.file } : logLink(log),
          )}
          way="stay"
        >
          Log
        </SoftLink>
        <span className="step-duration">{formatDuration(durationMs)}</span>
      </div>
      <pre className="step-pre" tabIndex={0}>
        {describeResult(
          page,
          { nTests: page.parts.tests.total, nFailed },
          failed.slice(0, NAMED_FAILURES).map(({ name }) => shortTestName(name)),
        )}
      </pre>
    </li>
  );
}

function describeResult(
  { rewards, trial, rewardFigure }: TrialPage,
  { nTests, nFailed }: { readonly nTests: number; readonly nFailed: number },
  named: readonly string[],
): string {
  const more = nFailed > named.length ? ` and ${nFailed - named.length} more` : "";
  const tests =
    nTests === 0
      ? []
      : [
          `${formatPlural(nTests, "test")}, ${nFailed} failed${nFailed === 0 ? "" : `: ${named.join(", ")}${more}`}`,
        ];
  // The texts are those of result.json; they may be called the file's only where both are the same.
  const isSame = rewardFigure?.verdict === "exact" && trial.rewardFile.kind === "read";
  const file = isSame ? trial.rewardFile.file : "result.json";
  const texts = rewards.map(({ key, text }) => (rewards.length === 1 ? text : `${key} ${text}`));
  return [...tests, `${file}: ${texts.length === 0 ? "no reward" : texts.join(", ")}`].join("\n");
}
