import { runInNewContext } from "node:vm";

import { cutText, TextBounder } from "@/lib/domain/text-bounder";
import { listStepTexts, type TrajectoryStep } from "@/lib/domain/trajectory";
import { stripTerminal } from "@/lib/loader/detail";

/** What is looked for in all steps. */
export interface FindRequest {
  /** A text, or the source of a regular expression; empty finds nothing. */
  readonly text: string;
  readonly isPattern: boolean;
  /** Whether capital and small letters differ. */
  readonly isCased: boolean;
}

/** A step that matches, with its first match in its surroundings. */
export interface FoundStep {
  readonly key: string;
  readonly verb: string;
  readonly nMatches: number;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** What was found in a whole trajectory, folded text and steps outside the window included. */
export interface Found {
  readonly nMatches: number;
  /** Whether there are more, which were not counted. */
  readonly hasMore: boolean;
  readonly nSteps: number;
  /** Steps that match nearest to the open one, at most {@link MAX_LISTED}, in their order. */
  readonly steps: readonly FoundStep[];
  /** Steps that match before the listed ones. */
  readonly nBefore: number;
  /** The first step that matches. */
  readonly firstKey: string | null;
  /** The next and the previous step that matches, seen from the open one, around the ends. */
  readonly nextKey: string | null;
  readonly previousKey: string | null;
  /** Why nothing could be looked for, as one sentence; null when it was. */
  readonly problem: string | null;
}

/** The same with the indexes of all steps that match. */
interface FoundAmong extends Found {
  readonly indexes: ReadonlySet<number>;
}

const MAX_MATCHES = 10_000;
const MAX_LISTED = 100;
const BEFORE_CHARS = 40;
const MATCH_CHARS = 120;
const AFTER_CHARS = 120;
/** A pattern can take for ever; nobody waits longer than this for a list of matches. */
const TIMEOUT_MS = 2_000;
const NOTHING = {
  nMatches: 0,
  hasMore: false,
  nSteps: 0,
  steps: [],
  nBefore: 0,
  firstKey: null,
  nextKey: null,
  previousKey: null,
};

/** A match in one of the texts. */
type Place = readonly [text: number, start: number, end: number];

/** Runs where it can be stopped: a regular expression cannot be interrupted otherwise. */
const SEARCH = `(() => {
  const pattern = new RegExp(source, flags);
  const places = [];
  let last = -1;
  for (let text = 0; text < texts.length; text++) {
    pattern.lastIndex = 0;
    // Beyond the limit each step is still known to match.
    for (let found; (places.length < most || owners[text] !== last) && (found = pattern.exec(texts[text])) !== null;) {
      places.push([text, found.index, pattern.lastIndex]);
      last = owners[text];
      if (found[0] === "") pattern.lastIndex++;
    }
  }
  return JSON.stringify(places);
})()`;

/**
 * Looks for a text or a pattern in everything that the steps say, do and get back.
 * @param current - index of the step that is open; null for the first that matches
 */
export function findInSteps(
  steps: readonly TrajectoryStep[],
  request: FindRequest,
  current: number | null,
): FoundAmong {
  const pieces = steps.flatMap((step) =>
    [...listStepTexts(step)].map((text) => ({ step, text: stripTerminal(text) })),
  );
  const texts = pieces.map(({ text }) => text);
  const places = search(
    texts,
    pieces.map(({ step }) => step.index),
    request,
  );
  if (typeof places === "string") return { ...NOTHING, problem: places, indexes: new Set() };
  const byStep = Map.groupBy(places, ([at]) => pieces[at]?.step);
  const found = [...byStep].flatMap(([step, own]) => (step === undefined ? [] : [{ step, own }]));
  const open = current ?? found[0]?.step.index ?? -1;
  const next = found.findIndex(({ step }) => step.index > open);
  const previous = found.findLastIndex(({ step }) => step.index < open);
  const from = Math.max(0, (next === -1 ? found.length : next) - MAX_LISTED / 2);
  const listed = found.slice(from, from + MAX_LISTED).map(({ step, own }) => showFound(step, own, texts));
  return {
    nMatches: Math.min(places.length, MAX_MATCHES),
    hasMore: places.length > MAX_MATCHES,
    nSteps: found.length,
    steps: new TextBounder(MAX_LISTED).bound(listed),
    nBefore: from,
    firstKey: found[0]?.step.key ?? null,
    nextKey: found[Math.max(0, next)]?.step.key ?? null,
    previousKey: found.at(previous)?.step.key ?? null,
    problem: null,
    indexes: new Set(found.map(({ step }) => step.index)),
  };
}

/** Every match in its order up to one more than are counted, then the first of each step; why there is no answer instead. */
function search(
  texts: readonly string[],
  owners: readonly number[],
  { text, isPattern, isCased }: FindRequest,
): readonly Place[] | string {
  const source = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const flags = isCased ? "gm" : "gim";
  try {
    const input = { texts, owners, source, flags, most: MAX_MATCHES + 1 };
    const answer: unknown = runInNewContext(SEARCH, input, { timeout: TIMEOUT_MS });
    return JSON.parse(String(answer)) as readonly Place[]; // What the script above wrote.
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string }; // Of another context's class.
    return code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
      ? "This pattern takes too long over so much text. Make it simpler, or look for plain text."
      : `${message.replace(/^Invalid regular expression: /u, "Not a regular expression: ")}.`;
  }
}

function showFound(step: TrajectoryStep, places: readonly Place[], texts: readonly string[]): FoundStep {
  const [at, start, end] = places[0] ?? [0, 0, 0];
  const text = texts[at] ?? "";
  const oneLine = (piece: string) => piece.replaceAll(/\s+/g, " ").toWellFormed();
  return {
    key: step.key,
    verb: step.calls[0]?.name ?? step.source,
    nMatches: places.length,
    before: oneLine(text.slice(Math.max(0, start - BEFORE_CHARS), start)),
    match: oneLine(cutText(text.slice(start, end), MATCH_CHARS)),
    after: oneLine(cutText(text.slice(end, end + AFTER_CHARS), AFTER_CHARS)),
  };
}
