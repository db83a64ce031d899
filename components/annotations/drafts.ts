import { readAccountName } from "@/components/shell/account-name";
import type { AnnotationDraft } from "@/lib/core/domain/annotation";
import { getBasePath } from "@/lib/core/domain/base-path";
import type { Judgment } from "@/lib/core/domain/judgment";
import { formatReviewerName, NAME_COOKIE, parseReviewerName } from "@/lib/core/domain/request-marks";
import type { DecisionBasis } from "@/lib/core/domain/review";

const NAME_SECONDS = 400 * 24 * 60 * 60;

export type Reviewer = Pick<AnnotationDraft, "reviewerId" | "reviewerDiscipline">;

export type DraftContent = Omit<AnnotationDraft, keyof Reviewer>;

/** `open` leaves the conflict open on purpose; null is not chosen yet. */
export type DecisionChoice = Judgment | "open";

export interface DecisionContent {
  readonly choice: DecisionChoice | null;
  readonly basedOn: DecisionBasis | null;
  readonly categories: readonly string[];
  readonly reason: string;
  readonly codebookNote: string | null;
}

export function readReviewer(): Reviewer {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${NAME_COOKIE}=`));
  const named = parseReviewerName(cookie?.slice(NAME_COOKIE.length + 1) ?? "");
  const reviewerId = readAccountName() ?? named.reviewerId;
  return reviewerId === "" ? (earlierReviewer.read("") ?? named) : { ...named, reviewerId };
}

export function rememberReviewer(reviewer: Reviewer): void {
  document.cookie = `${NAME_COOKIE}=${formatReviewerName(reviewer)}; path=${getBasePath() || "/"}; max-age=${NAME_SECONDS}; samesite=lax`;
}

export const NO_CONTENT: DraftContent = {
  judgment: null,
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
};

export const NO_DECISION: DecisionContent = {
  choice: null,
  basedOn: null,
  categories: [],
  reason: "",
  codebookNote: null,
};

interface Based {
  readonly base: string | null;
}

export const reviewDrafts = createDrafts<DraftContent & Based & { readonly refusal: string | null }>(
  "assay-draft:",
  { ...NO_CONTENT, base: null, refusal: null },
);
export const decisionDrafts = createDrafts<DecisionContent & Based>("assay-decision:", {
  ...NO_DECISION,
  base: null,
});
/** Earlier releases kept the name here. */
const earlierReviewer = createDrafts<Reviewer>("assay-reviewer", {
  reviewerId: "",
  reviewerDiscipline: null,
});
export const unansweredSaves = createDrafts<{ readonly text: string; readonly saveId: string | null }>(
  "assay-save:",
  { text: "", saveId: null },
);

/** Keeps drafts in the browser, by trial or conflict. A field that another version stored with another type is taken from `empty`. */
function createDrafts<Draft extends object>(prefix: string, empty: Draft) {
  return {
    read: (key: string): Draft | null => {
      try {
        const stored: unknown = JSON.parse(localStorage.getItem(prefix + key) ?? "null");
        if (typeof stored !== "object" || stored === null) return null;
        const known = Object.entries(stored).filter(
          ([name, value]) =>
            name in empty &&
            Array.isArray(value) === Array.isArray(empty[name as keyof Draft]) &&
            (value !== null || empty[name as keyof Draft] === null),
        );
        return { ...empty, ...Object.fromEntries(known) };
      } catch {
        return null;
      }
    },
    /** @param draft - null forgets it */
    keep: (key: string, draft: Draft | null): void => {
      try {
        if (draft === null) localStorage.removeItem(prefix + key);
        else localStorage.setItem(prefix + key, JSON.stringify(draft));
      } catch {
        // Storage is blocked or full: the text stays in the form, and the status shows that it is unsaved.
      }
    },
  };
}

interface Save {
  readonly saveId: string | null;
  readonly thenNext: boolean;
}

/** Sends saves with `action`. Each is kept until it is answered, so that `resend` can repeat it after the page was left. */
export function keepSaves<Request extends Save, Result>(
  draftKey: string,
  action: (request: Request) => Promise<Result>,
) {
  async function send({ thenNext, ...content }: Omit<Request, "saveId">): Promise<Result> {
    const text = JSON.stringify(content);
    const kept = unansweredSaves.read(draftKey);
    // Resending the same text after a lost answer is the same save.
    const { saveId } = kept?.text === text ? kept : { saveId: makeSaveId() };
    unansweredSaves.keep(draftKey, { text, saveId });
    const result = await action({ ...content, saveId, thenNext } as unknown as Request);
    unansweredSaves.keep(draftKey, null);
    return result;
  }
  return {
    send,
    /** Returns null if every save was answered. */
    resend: async (): Promise<Result | null> => {
      const kept = unansweredSaves.read(draftKey);
      // The server validates it.
      return kept === null || kept.text === ""
        ? null
        : send({ ...(JSON.parse(kept.text) as Request), thenNext: false });
    },
  };
}

/** Returns null where the browser has no random UUIDs (a non-local, insecure origin); the store then makes one. */
function makeSaveId(): string | null {
  return "randomUUID" in crypto ? crypto.randomUUID() : null;
}
