import { compareText } from "@/lib/core/domain/compare-text";
import type { EnvironmentFacts } from "@/lib/core/domain/environment";
import { formatSettingValue } from "@/lib/core/format/agent-settings";

import type { ComparabilityCheck } from "./comparability-check";
import type { NamedRuns } from "./run";

/** Values equivalent to a config that omits the fact. */
const DEFAULTS: ReadonlySet<string> = new Set(["null", "[]", "{}", '"auto"']);
const COMMIT_CHARS = 12;

/**
 * Returns a check for each fact that differs, else one for all of them. A fact that one side does not record is no difference.
 * @param labels - names of the groups; empty for runs of one set, which differ as soon as they record two values
 */
export function checkEnvironments(
  sides: readonly EnvironmentFacts[],
  labels: readonly string[] = [],
): readonly ComparabilityCheck[] {
  const names = labels.length === 0 ? listMixedFacts(sides) : listDifferingFacts(sides);
  const differing = names.map((name): ComparabilityCheck => {
    const parts = listValues(sides, name).map((value) => {
      const own = labels.filter((_, at) => sides[at]?.get(name)?.includes(value));
      return `${formatFact(name, value)}${own.length === 0 ? "" : `: ${own.join(", ")}`}`;
    });
    return { name, state: "differs", detail: `${parts.join(labels.length === 0 ? " or " : "; ")}.` };
  });
  return differing.length > 0 ? differing : [checkRecorded(sides)];
}

function checkRecorded(sides: readonly EnvironmentFacts[]): ComparabilityCheck {
  const name = "environment";
  const facts = new Map(sides.flatMap((side) => [...side]));
  if (facts.size === 0) return { name, state: "unknown", detail: "Not recorded." };
  const set = [...facts].filter(([, values]) => !values.every((value) => DEFAULTS.has(value)));
  const partly = set.filter(([fact]) => !sides.every((side) => side.has(fact))).map(([fact]) => fact);
  if (partly.length > 0)
    return { name, state: "unknown", detail: `Not recorded by all: ${partly.join(", ")}.` };
  const texts = set.map(([fact, values]) => `${fact} ${formatValues(fact, values)}`);
  return { name, state: "same", detail: `${texts.join(", ") || "Defaults"}.` };
}

export function listDifferingFacts(sides: readonly EnvironmentFacts[]): readonly string[] {
  return listMixedFacts(sides).filter(
    (name) => new Set(sides.flatMap((side) => listValues([side], name).join("\n") || [])).size > 1,
  );
}

function listMixedFacts(sides: readonly EnvironmentFacts[]): readonly string[] {
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return [...names].filter((name) => listValues(sides, name).length > 1);
}

function listValues(sides: readonly EnvironmentFacts[], name: string): readonly string[] {
  return [...new Set(sides.flatMap((side) => side.get(name) ?? []))].toSorted(compareText);
}

export function joinFacts({ contents }: Pick<NamedRuns, "contents">): EnvironmentFacts {
  const sides = contents.map(({ environment }) => environment);
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return new Map(Array.from(names, (name) => [name, listValues(sides, name)]));
}

export function readFact(group: NamedRuns, name: string): string | null {
  const values = joinFacts(group).get(name);
  return values === undefined ? null : formatValues(name, values);
}

function formatValues(name: string, values: readonly string[]): string {
  return values.map((value) => formatFact(name, value)).join(" and ");
}

function formatFact(name: string, value: string): string {
  const text = value === "null" ? "not set" : formatSettingValue(value);
  return name === "Harbor commit" ? text.slice(0, COMMIT_CHARS) : text;
}
