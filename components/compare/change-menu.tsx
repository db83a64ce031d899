import { CommandKey } from "@/components/shell/command-key";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { SCORING_CHOICES, SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { listValues } from "@/lib/pages/address/address";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";

import { ChangeForm, Choice } from "./change-form";
import { GroupOrder } from "./group-order";
import { RunSets } from "./run-sets";

const USUAL = {
  key: null,
  threshold: 1,
  missing: "zero",
  rule: "recorded",
  tasks: "common",
  k: null,
} as const;

export function ChangeMenu({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
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
