/** In the order in which a key is tried and the sheet lists scopes. */
export const SCOPES = {
  queue: "Queue",
  queuePage: "Page of a queue",
  adjudication: "Adjudication",
  review: "Review",
  trial: "Trial",
  diff: "Side by side",
  compare: "Compare",
  triage: "Failures",
  list: "Lists",
  everywhere: "Everywhere",
} as const;

export type Scope = keyof typeof SCOPES;

/** Scopes that one page may have besides "everywhere": within them a key has one meaning. */
const PAGES: readonly (readonly Scope[])[] = [
  ["list", "queuePage"],
  ["list", "compare"],
  ["trial", "review", "queue"],
  ["trial", "review", "adjudication"],
  ["diff"],
];

/** Every command also has a visible control; keys are a shortcut to it. */
export interface Command {
  readonly words: string;
  /** Default keys, named as by `readChords` (`key-chord.ts`). */
  readonly keys: readonly string[];
  /** Selector to click or focus without `useCommands`; by default the element with the command's id as `data-command`. */
  readonly target?: string;
  /** Selector present on every page of the command, if its target may appear later; the sheet looks for it. */
  readonly needs?: string;
  /** True if holding the key repeats it; only for commands that change nothing. */
  readonly repeats?: true;
  /** True for keys that cannot be changed: those of the browser, of fields and of digits. */
  readonly isFixed?: true;
  /** True if it also works while a dialog or menu is open. */
  readonly isAboveLayers?: true;
}

const ROWS = "[data-row-link]";
const TABLE_ROWS = `tr ${ROWS}`;
const TABS = "[data-tabs] > a + a";
const JOBS_LIST = "#compare-groups";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

/** The part of an id before the dot is the scope. */
export const COMMANDS = {
  "queue.skip": { words: "Skip to the end of my queue", keys: ["s"] },
  "queue.next": { words: "Next item not yet reviewed", keys: ["Shift+ArrowRight"] },
  "queue.previous": { words: "Previous item not yet reviewed", keys: ["Shift+ArrowLeft"] },

  // Same key as going on from a trial of the queue.
  "queuePage.review": {
    words: "Review the next trial of the queue",
    keys: ["Ctrl+Enter"],
    target: "[data-review-next]",
  },

  "adjudication.next": { words: "Next conflict", keys: ["Shift+ArrowRight"] },
  "adjudication.open": { words: "Leave the conflict open", keys: ["4"] },
  "adjudication.basis": { words: "Basis: A, B, both, own", keys: ["e"] },
  "adjudication.unclear": { words: "Codebook unclear", keys: ["p"] },
  "adjudication.nextAnchor": { words: "Next piece of evidence", keys: ["."] },
  "adjudication.previousAnchor": { words: "Previous piece of evidence", keys: [","] },

  "review.pass": { words: "Pass", keys: ["1"] },
  "review.fail": { words: "Fail", keys: ["2"] },
  "review.defer": { words: "Defer", keys: ["3", "d"] },
  "review.category": {
    words: "Toggle a category",
    keys: DIGITS.map((digit) => `Shift+${digit}`),
    isFixed: true,
  },
  "review.search": { words: "Add a category", keys: ["t"] },
  "review.note": { words: "Note", keys: ["n"] },
  "review.evidence": { words: "Attach the step, line, test, dimension or file as evidence", keys: ["m"] },
  "review.confidence": { words: "Confidence: low, medium, high, none", keys: ["h"] },
  "review.undo": { words: "Undo", keys: ["u"] },
  "review.again": {
    words: "Reuse the text of the last undone judgment",
    keys: ["U"],
    needs: ".review-verdicts",
  },
  "review.save": { words: "Save", keys: ["Ctrl+s"] },
  "review.saveNext": { words: "Save and open the next", keys: ["Ctrl+Enter"] },

  "trial.previous": { words: "Previous trial of the list or queue", keys: ["ArrowLeft"], repeats: true },
  "trial.next": { words: "Next trial of the list or queue", keys: ["ArrowRight"], repeats: true },
  "trial.list": { words: "Back to the list", keys: ["l"] },
  "trial.diff": { words: "Compare side by side with another attempt", keys: ["c"] },
  "trial.nextError": { words: "Next step with an error", keys: ["J"], repeats: true },
  "trial.previousError": { words: "Previous step with an error", keys: ["K"], repeats: true },
  // Pressed again in the field, the key is the browser's own find.
  "trial.find": { words: "Find in all steps or files", keys: ["Ctrl+f"], isFixed: true },
  "trial.match": {
    words: "In the find field: next match, with Shift previous",
    keys: ["Enter"],
    isFixed: true,
  },
  "trial.leaveFind": { words: "From the find field back to the text", keys: ["Escape"], isFixed: true },
  // On layouts with signs above digits, # is Shift 3, which toggles a category.
  "trial.goTo": { words: "Go to a step or line by number", keys: ["g", "#"] },
  "trial.previousTrace": {
    words: "Previous trace of the trial",
    keys: ["{"],
  },
  "trial.nextTrace": {
    words: "Next trace of the trial",
    keys: ["}"],
  },
  "trial.copyLink": { words: "Copy a link to the step, or the line clicked", keys: ["y"] },
  "trial.copyStep": { words: "Copy the step as Markdown", keys: ["Y"] },
  "trial.wrap": { words: "Wrap long lines", keys: ["w"] },
  "trial.raw": { words: "Show Markdown and JSON as written", keys: ["r"] },
  "trial.unfold": { words: "Unfold or fold all reasoning and repeated texts", keys: ["z"] },

  "diff.divergence": { words: "First divergence", keys: ["d"] },
  "diff.next": { words: "Next difference", keys: ["n"], repeats: true },
  "diff.previous": { words: "Previous difference", keys: ["p"], repeats: true },
  "diff.swap": { words: "Swap A and B", keys: ["x"] },
  "diff.scroll": { words: "Scroll trajectories independently or together", keys: ["l"] },

  "compare.baseline": {
    words: "Change the baseline: swap two groups, or use the row’s or the next group",
    keys: ["b"],
  },
  // Same key as going from a trial to two side by side.
  "compare.pick": { words: "Pick the marked attempt for side by side", keys: ["c"] },
  "compare.diff": {
    words: "Open the two picked attempts side by side",
    keys: ["s"],
    target: "[data-picked-diff] a",
  },

  "triage.trials": { words: "Open the trials of the cause", keys: ["Enter"], isFixed: true },
  "triage.review": {
    words: "Review the trials of the cause",
    keys: ["r"],
    target: "[data-cause] [data-make-queue]",
  },
  "triage.right": { words: "The cause of the next example is correct", keys: ["y"] },
  "triage.wrong": { words: "The cause of the next example is wrong", keys: ["n"] },
  "triage.owner": {
    words: "Show the causes of one owner, or all again",
    keys: DIGITS.slice(0, 7),
    isFixed: true,
  },
  // The key selects rows that have checkboxes.
  "triage.dismiss": { words: "Dismiss the cause, with a reason", keys: ["x"] },

  "list.select": { words: "Select the row", keys: ["x"], needs: "tr input[type=checkbox]" },
  "list.queue": {
    words: "Make a queue of the selection or of this list",
    keys: ["q"],
    target: "[data-make-queue]",
  },
  "list.join": { words: "Count the selected groups together", keys: ["p"], needs: JOBS_LIST },
  "list.undo": { words: "Undo the last run set change", keys: ["u"], needs: JOBS_LIST },
  "list.open": { words: "Open the row", keys: ["Enter"], needs: TABLE_ROWS, isFixed: true },
  "list.arrows": {
    words: "Next or previous row, from a row",
    keys: ["ArrowDown", "ArrowUp"],
    needs: TABLE_ROWS,
    isFixed: true,
  },
  "list.ends": {
    words: "First or last row of the page, from a row",
    keys: ["Home", "End"],
    needs: TABLE_ROWS,
    isFixed: true,
  },

  "everywhere.nextRow": { words: "Next row, step or file", keys: ["j"], needs: ROWS, repeats: true },
  "everywhere.previousRow": { words: "Previous row, step or file", keys: ["k"], needs: ROWS, repeats: true },
  "everywhere.filter": { words: "Filter this list", keys: ["/"], target: "[data-filter-text]" },
  "everywhere.firstRow": {
    words: "From the filter to the first row",
    keys: ["ArrowDown", "Enter"],
    needs: "[data-filter-text]",
    isFixed: true,
  },
  "everywhere.previousTab": { words: "Previous tab", keys: ["["], needs: TABS },
  "everywhere.nextTab": { words: "Next tab", keys: ["]"], needs: TABS },
  "everywhere.rail": { words: "Collapse or expand the rail", keys: ["\\"] },
  "everywhere.search": { words: "Search, saved views, go to", keys: ["Ctrl+k"], isAboveLayers: true },
  "everywhere.keys": { words: "Show these shortcuts", keys: ["?"], isAboveLayers: true },
  "everywhere.help": { words: "Help on this page", keys: ["H"] },
  "everywhere.leave": { words: "Close, clear or unfocus", keys: ["Escape"], isFixed: true },
} as const satisfies Readonly<Record<`${Scope}.${string}`, Command>>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as readonly CommandId[];

/** Widens the type, so that optional fields can be read. */
export function getCommand(id: CommandId): Command {
  return COMMANDS[id];
}

export function getScope(id: CommandId): Scope {
  return id.slice(0, id.indexOf(".")) as Scope;
}

export function canMeet(a: Scope, b: Scope): boolean {
  return (
    a === "everywhere" ||
    b === "everywhere" ||
    a === b ||
    PAGES.some((page) => page.includes(a) && page.includes(b))
  );
}
