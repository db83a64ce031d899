import "server-only";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import type { Dataset } from "../datasets/list";
import { nameAgent } from "../tasks/counted";
import type { DimensionSet } from "./dimension-sides";
import { type JobValues, readJobValues } from "./dimension-values";

export interface BesideSide {
  readonly name: string;
  readonly jobKey: string | null;
  readonly refs: readonly string[];
  readonly pageKey: string;
}

export interface BesideAgent {
  readonly agent: string;
  readonly model: string | null;
}

function isSet(side: DimensionSet | JobHead): side is DimensionSet {
  return "runs" in side;
}

/** Returns values that identify a side and change when its files do. */
export function nameSide(side: DimensionSet | JobHead): unknown {
  return isSet(side) ? [side.key, side.name, side.version] : [side.rowId, side.version];
}

export interface Side extends BesideSide {
  readonly values: JobValues;
  /** Groups with finished trials. All groups of a run set have the same key. */
  readonly groups: readonly (BesideAgent & { readonly key: string })[];
  readonly starts: readonly (ClockTime | null)[];
  readonly runs: readonly SideRun[];
  /** Null for a run set. */
  readonly rowId: number | null;
}

interface SideRun {
  readonly job: Pick<JobHead, "key" | "name">;
  readonly group: { readonly key: string };
  /** Key of the undivided group; the group's own key if it is not divided. */
  readonly figureKey: string;
}

export async function readSide(store: IndexStore, side: DimensionSet | JobHead): Promise<Side> {
  if (isSet(side)) {
    const { name, refs, key, values, runs } = side;
    const starts = runs.map(({ job }) => job.time.startedAt);
    const groups = side.agents.map((agent) => ({ key, ...agent }));
    return {
      ...{ name, refs, jobKey: null, pageKey: runs[0]?.job.key ?? "" },
      ...{ values, groups, starts, runs, rowId: null },
    };
  }
  const groups = listFinished(side);
  return {
    name: side.name,
    refs: [side.key],
    jobKey: side.key,
    pageKey: side.key,
    values: await readJobValues(store, side),
    groups,
    starts: [side.time.startedAt],
    runs: groups.map((group) => ({ job: side, group, figureKey: group.key })),
    rowId: side.rowId,
  };
}

export function pickSide({ name, jobKey, refs, pageKey }: Side): BesideSide {
  return { name, jobKey, refs, pageKey };
}

/** Returns the group keys of both sides over the same datasets. Without a common agent, all groups are returned. */
export function chooseGroups(
  here: Side,
  there: Side,
  asked: readonly string[],
  datasets: readonly Pick<Dataset, "groups">[],
): readonly [readonly string[], readonly string[]] {
  const ids = [here, there].flatMap(({ rowId }) => rowId ?? []);
  const shared = datasets.filter(({ groups }) =>
    ids.every((id) => groups.some(({ jobRowId }) => jobRowId === id)),
  );
  const listOwn = ({ rowId, groups }: Side) => {
    // The user picked the runs of a run set, so their datasets are not checked.
    if (rowId === null) return groups;
    const known = shared.flatMap((dataset) => dataset.groups.filter(({ jobRowId }) => jobRowId === rowId));
    const keys = new Set(known.map(({ key }) => key));
    return groups.filter(({ key }) => keys.has(key));
  };
  const own = listOwn(here).filter(
    ({ key }) => here.rowId === null || asked.length === 0 || asked.includes(key),
  );
  const others = listOwn(there);
  const kinds = new Set(own.map(nameAgent));
  const same = new Set(others.map(nameAgent).filter((kind) => kinds.has(kind)));
  const pick = (groups: Side["groups"]) => [
    ...new Set(groups.filter((group) => same.size === 0 || same.has(nameAgent(group))).map(({ key }) => key)),
  ];
  return [pick(own), pick(others)];
}

export function listShared(
  [here, there]: readonly [Side, Side],
  [own, others]: readonly [readonly string[], readonly string[]],
): readonly string[] {
  const listCompared = ({ rowId, runs }: Side, keys: readonly string[]) =>
    rowId === null ? runs : runs.filter(({ group }) => keys.includes(group.key));
  const second = listCompared(there, others);
  const shared = listCompared(here, own).filter((one) => second.some((other) => isShared(one, other)));
  return [...new Set(shared.map(({ job }) => job.name))];
}

/** Two parts of one divided group have no trial in common. */
function isShared(one: SideRun, other: SideRun): boolean {
  const [key, otherKey] = [one.group.key, other.group.key];
  return (
    one.job.key === other.job.key &&
    (key === otherKey || key === other.figureKey || otherKey === one.figureKey)
  );
}

function listFinished({ groups }: JobHead) {
  return groups.filter(({ nFinished }) => nFinished > 0).map(({ group }) => group);
}

export function listAgents({ groups }: Side, keys: readonly string[]): readonly BesideAgent[] {
  return groups.filter(({ key }) => keys.includes(key)).map(({ agent, model }) => ({ agent, model }));
}

/** True if every run of the first side started after all of the second; null if mixed or without a time zone. */
export function isLater(here: Side["starts"], there: Side["starts"]): boolean | null {
  const [own, others] = [listInstants(here), listInstants(there)];
  if (own === null || others === null) return null;
  if (Math.min(...own) > Math.max(...others)) return true;
  return Math.max(...own) < Math.min(...others) ? false : null;
}

function listInstants(starts: Side["starts"]): readonly number[] | null {
  const known = starts.flatMap((start) => (start?.zoned === true ? start.epochMs : []));
  return known.length === starts.length ? known : null;
}
