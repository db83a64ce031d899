import type { SuggesterKind } from "@/lib/domain/suggestion";

import { atSamePlace, type RowPlace } from "./query";
import type { IndexStore } from "../open-store";

/** What a scanner, a judge or a verifier's details say of a trial; a trial has each once. */
export interface MachineTag extends RowPlace {
  readonly kind: Exclude<SuggesterKind, "rule">;
  /** Id of the scanner, or the category. */
  readonly id: string;
  /** Version of the scanner; empty for categories. */
  readonly version: string;
  readonly groupKey: string;
  /** Whether the trial has a readable result. */
  readonly isFinished: boolean;
}

/** Reads the tags that machines gave all trials, or the one at a place; those of people in files are not among them. Linear in the tags. */
export async function readMachineTags(
  { db }: IndexStore,
  place: RowPlace | null = null,
): Promise<readonly MachineTag[]> {
  let scans = db
    .selectFrom("trialScans")
    .innerJoin("trials", atSamePlace("trials", "trialScans"))
    .select(["trials.jobRowId", "trials.position", "trials.groupKey", "trials.state"])
    .select(["trialScans.scanner as id", "trialScans.version"])
    .where("trialScans.nPlaces", ">", 0);
  let tags = db
    .selectFrom("trialTags")
    .innerJoin("trials", atSamePlace("trials", "trialTags"))
    .select(["trials.jobRowId", "trials.position", "trials.groupKey", "trials.state"])
    .select(["trialTags.category as id", "trialTags.source"])
    .distinct()
    .where("trialTags.source", "!=", "human");
  if (place !== null) {
    const { jobRowId, position } = place;
    scans = scans.where("trials.jobRowId", "=", jobRowId).where("trials.position", "=", position);
    tags = tags.where("trials.jobRowId", "=", jobRowId).where("trials.position", "=", position);
  }
  const [found, given] = await Promise.all([scans.execute(), tags.execute()]);
  return [
    ...found.map(({ state, version, ...row }) => ({
      ...row,
      kind: "scanner" as const,
      version: String(version),
      isFinished: state === "finished",
    })),
    ...given.map(({ state, source, ...row }) => ({
      ...row,
      kind: source === "judge" ? ("judge" as const) : ("verifier" as const),
      version: "",
      isFinished: state === "finished",
    })),
  ];
}
