import { computeReviewerKey } from "@/lib/core/domain/annotation";
import type { Shown } from "@/lib/store/visibility";

import { findMemberJob, type Saved } from "./view-schema";

export interface Viewer {
  readonly shown: Shown;
  readonly asker: string | null;
}

/** URL parameters that name a job, alone or before a group or trial of it. */
const JOB_PARTS: ReadonlySet<string> = new Set(["g", "a", "b", "job", "with", "pool"]);
const TEXT_PARTS = ["q", "find"] as const;
const SET = "set:";

/**
 * Leaves out views and run sets that name anything hidden: a job without a visible folder, or any name that only hidden folders
 * have, in the address or title. Unreadable rows are left out too. The asker's own views are all visible, so that a hidden one
 * cannot confirm a guessed name. Others' views with a text search are left out, since the text may be a hidden name.
 *
 * @throws StoreError
 */
export async function limitSaved(saved: Saved, viewer: Viewer | null): Promise<Saved> {
  if (viewer === null) return saved;
  const { shown, asker } = viewer;
  const sets = [...saved.run_set.byId.values()];
  const views = [...saved.view.byId.values()];
  const texts = new Map(
    [...sets, ...views].map((one) => [
      one.id,
      "href" in one
        ? [...listTexts(one.name), ...listAddressTexts(one.href)]
        : listTexts(`${one.name} ${one.rule ?? ""}`),
    ]),
  );
  const hiddenNames = await shown.findHiddenNames([...texts.values()].flat());
  const namesHidden = ({ id }: { readonly id: string }) =>
    texts.get(id)?.some((text) => hiddenNames.has(text)) !== false;

  const members = sets.flatMap((set) => set.members);
  const refs = new Map(views.map(({ id, href }) => [id, listRefs(href)]));
  const jobs = await shown.findJobs(
    members.flatMap(({ job }) => job ?? []),
    [...members.map(({ jobKey }) => jobKey), ...[...refs.values()].flat().flatMap((ref) => ref.jobs)],
  );
  const keys = new Set(jobs.map(({ key }) => key));
  const shownSets = new Map(
    sets
      .filter((set) => !namesHidden(set) && set.members.every((one) => findMemberJob(one, jobs) !== null))
      .map((set) => [set.id, set]),
  );
  const isShownRef = ({ set, jobs: some }: Ref) =>
    set === null ? some.some((key) => keys.has(key)) : shownSets.has(set);
  const isOwn = ({ createdBy }: (typeof views)[number]) =>
    asker !== null && createdBy !== null && computeReviewerKey(createdBy) === computeReviewerKey(asker);
  const shownViews = views.filter(
    (view) =>
      isOwn(view) ||
      (!namesHidden(view) && !hasFreeText(view.href) && refs.get(view.id)?.every(isShownRef) === true),
  );
  return {
    view: { byId: new Map(shownViews.map((view) => [view.id, view])), unreadable: [] },
    run_set: { byId: shownSets, unreadable: [] },
  };
}

interface Ref {
  readonly set: string | null;
  /** One of these texts is the key of the job. */
  readonly jobs: readonly string[];
}

function listRefs(href: string): readonly Ref[] {
  const { pathname, searchParams } = new URL(href, "http://here.invalid");
  const [page, job] = pathname.slice(1).split("/").map(decode);
  const ofPath = page === "jobs" && job !== undefined ? [{ set: null, jobs: [job] }] : [];
  const ofQuery = [...searchParams].flatMap(([name, value]): readonly Ref[] => {
    if (name === "set") return [{ set: value, jobs: [] }];
    // On the list of jobs it is a pattern for names.
    const isRule = page === "" && name === "pool";
    if (!JOB_PARTS.has(name) || isRule || value === "") return [];
    const ref = value.replace(/^[+ ]/, "");
    if (ref.startsWith(SET)) return [{ set: ref.slice(SET.length), jobs: [] }];
    const ends = [...ref.matchAll(/[:/]/g)].map(({ index }) => index);
    return [{ set: null, jobs: [...ends, ref.length].map((end) => ref.slice(0, end)) }];
  });
  return [...ofPath, ...ofQuery];
}

function hasFreeText(href: string): boolean {
  const { searchParams } = new URL(href, "http://here.invalid");
  return TEXT_PARTS.some((part) => (searchParams.get(part) ?? "") !== "");
}

/** Lists everything in an address that may be a name. */
function listAddressTexts(href: string): readonly string[] {
  const { pathname, searchParams } = new URL(href, "http://here.invalid");
  const values = [...pathname.split("/"), ...searchParams.values()];
  return values.flatMap((value) => {
    // An address may contain another one.
    const once = decode(value);
    const parts = once.split(/[/?&=:,]/).flatMap((part) => [part, decode(part)]);
    return [value, once, ...parts, ...listTexts(once)];
  });
}

function listTexts(text: string): readonly string[] {
  return [text, ...text.split(/\s+/)].filter((part) => part !== "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
