import "server-only";
import type { Annotation, AnnotationSubject } from "@/lib/core/domain/annotation";
import { type Category, foldLabel, listOffered } from "@/lib/core/domain/codebook";
import type { Judgment } from "@/lib/core/domain/judgment";
import { oncePer } from "@/lib/core/domain/once-per";
import { type BlindPart, CATEGORY_CONTEXTS, findContext } from "@/lib/core/domain/review";
import {
  type AnnotationStore,
  type CodebookHistory,
  followMerges,
  listAll,
  readCodebook,
  resolveLabel,
} from "@/lib/people/annotations";

export interface OfferedCategory extends Pick<
  Category,
  "label" | "key" | "definition" | "example" | "counterExample" | "colour"
> {
  /** Other trials of the task where reviewers used it; 0 while hidden. */
  readonly nOfTask: number;
}

export interface SplitCategory {
  readonly label: string;
  readonly into: readonly string[];
}

/** The order is stable while the codebook is unchanged. */
export interface Offers {
  readonly byJudgment: Readonly<Record<Judgment, readonly OfferedCategory[]>>;
  /** True while reviewers only write notes. */
  readonly isOpenCoding: boolean;
}

const MOST_OFFERED = 14;

/** While the verifier is hidden, offers must not tell a failed trial from a passed one. */
export async function readOffers(
  store: AnnotationStore,
  subject: AnnotationSubject,
  hidden: readonly BlindPart[],
): Promise<Offers> {
  const history = await readCodebook(store);
  const { codebook } = history;
  const uses = hidden.includes("suggestions")
    ? new Map<string, number>()
    : await countUses(store, history, subject);
  const isVerifierHidden = hidden.includes("verifier");
  const offer = (judgment: Judgment): readonly OfferedCategory[] => {
    const context = findContext(judgment, subject.outcomeSeen);
    const contexts = isVerifierHidden
      ? CATEGORY_CONTEXTS.filter((one) => one === judgment || one === `${judgment}-against`)
      : [context];
    const offered = new Set(contexts.flatMap((one) => listOffered(codebook, one)));
    return [...offered]
      .slice(0, MOST_OFFERED)
      .map((category) => toOffer(category, uses.get(category.id) ?? 0));
  };
  return {
    byJudgment: { pass: offer("pass"), fail: offer("fail"), defer: offer("defer") },
    isOpenCoding: codebook.isOpenCoding,
  };
}

export async function searchCategories(
  store: AnnotationStore,
  text: string,
): Promise<readonly OfferedCategory[]> {
  const { codebook } = await readCodebook(store);
  const sought = foldLabel(text);
  const live = codebook.categories.filter(({ state }) => state === "live");
  const rank = (category: Category) => {
    const { label, text: said } = foldTexts(category);
    if (label.startsWith(sought)) return 0;
    if (label.includes(sought)) return 1;
    return said.includes(sought) ? 2 : null;
  };
  return live
    .flatMap((category) => {
      const at = rank(category);
      return at === null ? [] : [{ category, at }];
    })
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_FOUND)
    .map(({ category }) => toOffer(category, 0));
}

const MOST_FOUND = 12;

/** Keyed by category, which is a new object after each change. */
const foldTexts = oncePer(({ label, definition, example }: Category) => ({
  label: foldLabel(label),
  text: foldLabel(`${definition} ${example}`),
}));

export function describeCategories(
  { codebook }: CodebookHistory,
  labels: readonly string[],
): readonly OfferedCategory[] {
  const byLabel = new Map(codebook.categories.map((category) => [category.label, category]));
  const bare = { key: null, definition: "", example: "", counterExample: "", colour: null };
  return labels.map((label) => toOffer(byLabel.get(label) ?? { ...bare, label }, 0));
}

export function listSplits(
  history: CodebookHistory,
  judgments: readonly Pick<Annotation, "categories" | "codebookVersion">[],
): readonly SplitCategory[] {
  const splits = judgments.flatMap(({ categories, codebookVersion }) =>
    categories.flatMap((label): readonly SplitCategory[] => {
      const category = resolveLabel(history, label, codebookVersion);
      if (category?.state !== "split") return [];
      const parts = category.successors.flatMap((id) => followMerges(history.byId, id) ?? []);
      return [{ label, into: parts.filter(({ state }) => state === "live").map((part) => part.label) }];
    }),
  );
  return [...new Map(splits.map((one) => [one.label, one])).values()];
}

function toOffer(
  { label, key, definition, example, counterExample, colour }: Omit<OfferedCategory, "nOfTask">,
  nOfTask: number,
): OfferedCategory {
  return { label, key, definition, example, counterExample, colour, nOfTask };
}

/** Counts other trials of the task by category id of their current judgments. */
async function countUses(
  store: AnnotationStore,
  history: CodebookHistory,
  { taskName, trialName }: AnnotationSubject,
): Promise<ReadonlyMap<string, number>> {
  const uses = new Map<string, number>();
  for (const { subject, chains } of await listAll(store)) {
    if (subject.taskName !== taskName || subject.trialName === trialName) continue;
    const ids = chains.flatMap(({ current }) =>
      (current?.categories ?? []).flatMap(
        (label) => resolveLabel(history, label, current?.codebookVersion ?? null)?.id ?? [],
      ),
    );
    for (const id of new Set(ids)) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return uses;
}
