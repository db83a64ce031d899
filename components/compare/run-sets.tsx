import { ForAction } from "@/components/shell/account-context";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { formatPlural } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { CompareChoice, Comparison, FoundGroup } from "@/lib/pages/compare/page";
import { jobsHref } from "@/lib/pages/jobs/address";

import "./run-sets.css";

export function RunSets({ groups, params }: { groups: Comparison["groups"]; params: CompareParams }) {
  const sets = groups.filter(({ runs, saved }) => runs.length > 1 || saved !== null);
  if (sets.length === 0) return null;
  return (
    <ul className="run-sets" aria-label="Run sets">
      {sets.map((group) => (
        <li key={group.id}>
          <b>{group.label}</b> counts {formatPlural(group.runs.length, "run")} together:{" "}
          {group.runs.map(({ ref, job }, at) => (
            <span key={ref}>
              {at > 0 && ", "}
              <Link href={jobHref(job.key)}>{job.name}</Link>
            </span>
          ))}
          . <MissingRuns group={group} />
          <KnownRollouts nKnown={group.contents.reduce((sum, run) => sum + run.nKnown, 0)} />
          <Link href={compareParamsHref(params, { refs: separate(groups, group) })}>Separate them</Link>
          <ForAction action="saveRunSetAction">
            {group.saved === null ? (
              <Link href={jobsHref({ join: group.runs.map(({ ref }) => ref) })}>Name and save</Link>
            ) : (
              <Link href="/run-sets">Rename or delete</Link>
            )}
          </ForAction>
        </li>
      ))}
    </ul>
  );
}

function separate(groups: readonly FoundGroup[], set: FoundGroup): readonly string[] {
  return groups.flatMap(({ id, refs, runs }) => (id === set.id ? runs.map(({ ref }) => ref) : refs));
}

function MissingRuns({ group: { saved } }: { group: FoundGroup }) {
  if (saved === null || (saved.missing.length === 0 && !saved.isDeleted)) return null;
  return (
    <b className="run-sets-missing">
      {saved.missing.length > 0 && `Not open, so not counted: ${saved.missing.join(", ")}.  `}
      {saved.isDeleted ? "This set was deleted; its runs are still counted together here. " : ""}
    </b>
  );
}

export function KnownRollouts({ nKnown }: { nKnown: number }) {
  if (nKnown === 0) return null;
  return (
    <>
      {formatPlural(nKnown, "trial")} {nKnown === 1 ? "grades a rollout" : "grade rollouts"} that an earlier
      run also has, and {nKnown === 1 ? "is" : "are"} left out.{" "}
    </>
  );
}

export const STATE_MARKS = { same: "passed", differs: "partial", unknown: "unscored" } as const;

export function CheckList({ checks }: { checks: Comparison["checks"] }) {
  return (
    <ul className="check-list">
      {checks.map((check) => (
        <li key={check.name}>
          <Mark status={STATE_MARKS[check.state]} label={check.state} />
          <b>{check.name}</b>
          <span className="muted">{check.detail}</span>
        </li>
      ))}
    </ul>
  );
}

export function RunChecks({ checks }: { checks: Comparison["checks"] }) {
  const differing = checks.filter(({ state }) => state === "differs");
  const unknown = checks.filter(({ state }) => state === "unknown");
  const list = (some: typeof checks) => some.map(({ name }) => name).join(", ");
  return (
    <details data-menu="" className="run-checks">
      <summary className="inline-row">
        <Mark status={differing.length > 0 ? "partial" : unknown.length > 0 ? "unscored" : "passed"} />
        {differing.length > 0
          ? `Warnings: ${list(differing)}`
          : unknown.length > 0
            ? `No recorded difference; not recorded: ${list(unknown)}`
            : "No recorded difference"}
      </summary>
      <CheckList checks={checks} />
    </details>
  );
}

export function SuggestedSets({
  chosen,
  suggested,
  params,
}: Pick<CompareChoice, "chosen" | "suggested"> & { params: CompareParams }) {
  if (suggested.length === 0) return null;
  const names = suggested.map((set) => set.map(({ runs: [{ job }] }) => job.name).join(", ")).join("; ");
  return (
    <Link
      href={compareParamsHref(params, { refs: joinSuggested(chosen, suggested) })}
      title={`${names} look like repeats: the same agent, model and dataset, and names that differ by a number, or times in one folder`}
    >
      {suggested.length === 1
        ? `Count these ${String(suggested[0]?.length ?? 0)} together`
        : `Count them together as ${formatPlural(suggested.length, "run set")}`}
    </Link>
  );
}

function joinSuggested(
  chosen: readonly FoundGroup[],
  suggested: readonly (readonly FoundGroup[])[],
): readonly string[] {
  return chosen.flatMap((group) => {
    const set = suggested.find((one) => one.includes(group));
    if (set === undefined) return group.refs;
    return set[0] === group
      ? set.flatMap(({ refs }, at) => refs.map((ref) => (at === 0 ? ref : `+${ref}`)))
      : [];
  });
}
