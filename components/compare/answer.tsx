import { CommandKey } from "@/components/shell/command-key";
import { AgentMark } from "@/components/ui/agent-mark";
import { ButtonLink } from "@/components/ui/button";
import { Stamp } from "@/components/ui/check";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { SCORING_CHOICES, SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { formatPlural } from "@/lib/core/format/number";
import { capitalise, formatVerdict } from "@/lib/core/format/words";
import { listValues } from "@/lib/pages/address/address";
import { type CompareParams, compareParamsHref, reportHref } from "@/lib/pages/compare/address";
import type { ChosenGroup, ComparePage, Comparison } from "@/lib/pages/compare/page";
import { jobPageHref } from "@/lib/pages/job/address";

import { ChangeForm, Choice, GroupOrder } from "./change-controls";
import { DifferencePlot } from "./difference-plot";
import { RunSets } from "./run-sets";

export function Answer({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { answer, rest, groups } = comparison;
  // A part of a group is in no report, so its figures cannot be checked.
  const isReportable = groups.every(({ runs }) =>
    runs.every(({ group, figureKey }) => group.key === figureKey),
  );
  return (
    <div className="answer">
      <RulesDiffer comparison={comparison} params={params} />
      <PageTitle
        title={answer.heading === null ? null : <Heading {...answer.heading} />}
        {...(rest === null ? {} : { summary: rest })}
        actions={
          <>
            <CopyButton text={answer.markdown} label="Copy as Markdown" withAddress>
              Copy as Markdown
            </CopyButton>
            {isReportable ? (
              <ButtonLink download href={reportHref(params)}>
                Report
              </ButtonLink>
            ) : null}
          </>
        }
      />
      <div className="flow quiet-line">
        {answer.facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <FiguresStamp comparison={comparison} />
        <ChangeMenu comparison={comparison} params={params} />
      </div>
    </div>
  );
}

function Heading({ ahead, behind, words, range }: NonNullable<Comparison["answer"]["heading"]>) {
  return (
    <>
      {words[0]}
      <Name group={ahead} />
      {words[1]}
      <Name group={behind} />
      {words[2]} <span className="answer-range">({range})</span>
    </>
  );
}

function Name({ group }: { group: ChosenGroup }) {
  const runs = group.runs.map((run) => `${run.job.name}: ${run.group.key}`);
  return (
    <span className="answer-name" title={[group.fullName ?? group.label, ...runs].join("\n")}>
      <AgentMark {...group} size={13} />
      {group.label}
    </span>
  );
}

/** Above the answer: the groups are scored over different trials. */
function RulesDiffer({ comparison: { checks }, params }: { comparison: Comparison; params: CompareParams }) {
  const check = checks.find(({ name, state }) => name === "scoring rule" && state === "differs");
  if (check === undefined) return null;
  return (
    <p className="answer-banner" role="alert">
      <Mark status="failed" />
      <span>
        <b>The scoring rules differ.</b> {check.detail}{" "}
        {(["harbor-0.25", "harbor-0.26"] as const).map((rule, at) => (
          <span key={rule}>
            {at > 0 && " or "}
            <Link href={compareParamsHref(params, { rule, missing: "zero" })}>
              {rule === "harbor-0.25" ? "Score all as Harbor 0.25" : "as Harbor 0.26"}
            </Link>
          </span>
        ))}
      </span>
    </p>
  );
}

function FiguresStamp({ comparison: { groups, stamp } }: { comparison: Comparison }) {
  const runs = groups.flatMap((group) => group.runs);
  const worst = runs.find(({ group }) => group.verdict === stamp.verdict) ?? runs[0];
  if (worst === undefined) return null;
  const words = stamp.verdict === "exact" ? "figures checked" : formatVerdict(stamp.verdict);
  return (
    <Stamp
      verdict={stamp.verdict}
      words={
        stamp.nFigures === 0
          ? capitalise(formatVerdict(stamp.verdict))
          : `${stamp.nExact} of ${stamp.nFigures} ${words}`
      }
      href={jobPageHref(worst.job.key, { tab: "verification" })}
    />
  );
}

export function Differences({ comparison }: { comparison: Comparison }) {
  const { groups, pairs, adjustment, answer } = comparison;
  const { rows, ticks, isRate } = answer.differences;
  if (rows.length === 0) return null;
  const candidate = pairs.length === 1 ? (pairs[0]?.first.label ?? "") : "candidate";
  return (
    <section className="differences" aria-label="Differences">
      <DifferencePlot
        groups={groups.map(({ refs }) => refs)}
        rows={rows}
        ticks={ticks}
        sides={[groups[0]?.label ?? "", candidate]}
        isRate={isRate}
      />
      {adjustment === null ? null : (
        <p className="caption table-note">Filled: clear. Hollow: no clear difference. {adjustment}</p>
      )}
    </section>
  );
}

const USUAL = {
  key: null,
  threshold: 1,
  missing: "zero",
  rule: "recorded",
  tasks: "common",
  k: null,
} as const;

function ChangeMenu({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { groups, key, counting } = comparison;
  const isUsual = compareParamsHref(params, USUAL) === compareParamsHref({ ...params, k: null });
  return (
    <details className="facet facet-end change-menu" data-menu="">
      <summary>
        <span className={isUsual ? undefined : "ink"}>
          {key} ≥ {params.threshold} · {counting}
        </span>{" "}
        · <u>change</u>
      </summary>
      <div className="facet-panel">
        <Settings comparison={comparison} params={params} />
        <div className="change-groups">
          {isUsual ? null : (
            <Link href={compareParamsHref(params, USUAL)} mode="replace">
              Reset settings
            </Link>
          )}
          <ShortenedNames groups={groups} />
          <RunSets groups={groups} params={params} />
          <div className="flow">
            <ButtonLink href={compareParamsHref(params, { picking: true })}>Change groups</ButtonLink>
            <NextBaseline groups={groups} params={params} />
          </div>
          {groups.length === 2 ? null : (
            <GroupOrder groups={groups.map(({ id, label, refs }) => ({ id, label, refs }))} />
          )}
        </div>
      </div>
    </details>
  );
}

function Settings({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { key, rewardKeys, nCommon, nUnion } = comparison;
  const { threshold, missing, rule, tasks } = params;
  return (
    <ChangeForm kept={listValues(compareParamsHref(params, USUAL))}>
      <Choice
        label="Reward key"
        name="key"
        value={key}
        options={rewardKeys.map((entry) => ({
          value: entry.key,
          label: `${entry.key} (${entry.count})`,
        }))}
      />
      <label>
        Passed at
        <input
          key={threshold}
          className="input"
          name="threshold"
          type="number"
          step="any"
          placeholder="1"
          defaultValue={threshold === 1 ? "" : threshold}
          title="Minimum reward of a passed attempt. Enter applies."
        />
      </label>
      <Choice
        label="Scoring rule"
        name="rule"
        value={missing === "exclude" ? "graded" : rule}
        options={SCORING_CHOICES.map((value) => ({ value, label: SCORING_WORDS[value] }))}
      />
      {nCommon === nUnion ? null : (
        <Choice
          label="Curves over"
          name="tasks"
          value={tasks}
          options={[
            { value: "common", label: `${String(nCommon)} common tasks` },
            { value: "own", label: "each group's own" },
          ]}
        />
      )}
    </ChangeForm>
  );
}

function ShortenedNames({ groups }: Pick<Comparison, "groups">) {
  const shortened = groups.filter(({ fullName }) => fullName !== undefined);
  return shortened.length === 0 ? null : (
    <p>
      Names are shortened:{" "}
      {shortened.map(({ label, fullName }) => `${label} is ${fullName ?? ""}`).join("; ")}.
    </p>
  );
}

function NextBaseline({ groups, params }: Pick<Comparison, "groups"> & { params: CompareParams }) {
  const [first, second, ...others] = groups;
  if (first === undefined || second === undefined) return null;
  const isPair = others.length === 0;
  return (
    <Link
      className="button button-plain"
      href={compareParamsHref(params, {
        refs: [second, ...others, first].flatMap(({ refs }) => refs),
        order: "chosen",
      })}
      title={isPair ? "Reverse the difference" : `Compare the others with ${second.label}`}
      data-command="compare.baseline"
    >
      {isPair ? "Swap" : "Next baseline"}
      <CommandKey id="compare.baseline" />
    </Link>
  );
}

export function UnknownGroups({ refs }: { refs: readonly string[] }) {
  if (refs.length === 0) return null;
  return (
    <Notice
      tone="error"
      title={`${formatPlural(refs.length, "group")} of this URL ${refs.length === 1 ? "is" : "are"} not open`}
      code={refs.join("\n")}
    >
      The job was renamed, moved or deleted, or its folder is not open. The rest are shown.
    </Notice>
  );
}

export function TooManyGroups({ nNamed }: { nNamed: number }) {
  if (nNamed <= MAX_GROUPS) return null;
  return (
    <Notice title={`Only the first ${MAX_GROUPS} of ${nNamed} groups are compared`}>
      A comparison takes {MAX_GROUPS} groups at most. Change groups to choose others.
    </Notice>
  );
}

/** Warns that groups share rollouts, which breaks the assumption of independent samples. */
export function SharedRollouts({ shared }: Pick<ComparePage, "shared">) {
  if (shared.length === 0) return null;
  const [pair] = shared;
  const title =
    shared.length === 1 && pair !== undefined
      ? `${formatPlural(pair.nRollouts, "rollout")} with two verdicts each, not independent samples`
      : "Some groups share rollouts, so they are not independent samples";
  return (
    <Notice tone="error" title={title}>
      {shared.map(({ first, second, nRollouts }) => (
        <p key={`${first.id} ${second.id}`}>
          {formatPlural(nRollouts, "trial")} of {first.label} and {second.label}{" "}
          {nRollouts === 1 ? "is the same agent run" : "are the same agent runs"}, graded twice.
        </p>
      ))}
      <p>
        The difference shows what the verifier changed. Intervals and p-values assume separate runs and do not
        apply. Tokens and cost of a regrade are the source&rsquo;s and count once.
      </p>
    </Notice>
  );
}
