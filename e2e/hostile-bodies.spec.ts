import { planRuns } from "../lib/testing/plan-runs";
import { Random } from "../lib/testing/random";
import { readActions } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
interface Change {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Requests of pages for one trial, by action. */
function prepareArguments(trialKey: string): Readonly<Record<string, readonly unknown[]>> {
  const trial = { jobKey: JOB, trialKey };
  const id = "00000000-0000-4000-8000-000000000000";
  const draft = { reviewerId: "Ada", reviewerDiscipline: null, judgment: "pass", categories: [], notes: "n" };
  const target = { kind: "trial", ...trial, list: null };
  const seen = { outcome: "failed", reward: "0.0" };
  return {
    saveReview: [{ target, draft, baseVersionId: null, saveId: null, seen, thenNext: false }],
    undoReview: [{ target, reviewerId: "Ada", versionId: id }],
    findNextReview: [{ target, reviewerId: "Ada" }],
    ...prepareQueueArguments(id),
    saveDecision: [
      {
        queue: null,
        jobs: [JOB],
        sources: [id],
        draft: {
          finalJudgment: "pass",
          categories: [],
          reason: "r",
          basedOn: "a",
          codebookNote: null,
          decidedBy: "Cleo",
        },
        baseDecisionId: null,
        saveId: null,
        thenNext: true,
      },
    ],
    undoDecision: [{ decisionId: id }],
    findCategories: [{ text: "stop" }],
    changeCodebookAction: [{ form: { kind: "retire", id: "lucky" }, baseVersion: 0, author: "Ada" }],
    queueSplitAction: [{ id: "lucky", author: "Ada" }],
    importCodebookAction: [{ text: '{"schema":"assay.codebook/1"}', author: "Ada", isTrial: false }],
    startImport: [],
    sendImportPart: [{ id, name: "a.jsonl", bytes: "e30K" }],
    checkImport: [id],
    applyImport: [id],
    undoTagImportAction: [id],
    acceptInvitationAction: [{ secret: id, name: "Ada", password: "correct horse" }],
    inviteAction: [{ role: "reviewer" }],
    revokeInvitationAction: [id],
    changeAccountAction: [{ id, role: "viewer", isBlocked: false }],
    changeFolderRoleAction: [{ address: "/nowhere", role: "reviewer" }],
    createTokenAction: [{ label: "CI", role: "viewer", days: 90 }],
    revokeTokenAction: [id],
    disconnectAction: [],
    saveViewAction: [{ name: "View", href: "/errors", createdBy: null }],
    renameViewAction: [id, "Name"],
    deleteViewAction: [id],
    restoreViewAction: [id],
    saveRunSetAction: [{ name: "Runs", refs: [`${JOB}:orca__meridian-5__terminal-mix`], createdBy: null }],
    renameRunSetAction: [id, "Name"],
    deleteRunSetAction: [id],
    restoreRunSetAction: [id],
    answerSuggestionAction: [{ target, suggester: "rule:agent-timeout", version: "1", answer: "accepted" }],
    nameClusterAction: [{ key: "0123456789abcdef", name: "Name", base: 0 }],
    dismissFindingAction: [{ key: "out_of_time 0123456789abcdef", title: "Late", reason: "r", base: 0 }],
    restoreFindingAction: [{ key: "out_of_time 0123456789abcdef", reason: "r", base: 0 }],
    rescanAction: [],
  };
}

/** Requests of queue pages. */
function prepareQueueArguments(queueId: string): Readonly<Record<string, readonly unknown[]>> {
  const item = { queueId, position: 0 };
  const source = { job: JOB, list: null, picks: [], judgments: [], judged: null };
  const draw = { source, method: "random", size: 3, seed: 1, order: "random", doubleShare: 0 };
  const form = {
    ...draw,
    name: "Audit",
    goal: "agreement",
    reviewers: [],
    hides: ["verifier"],
    isOpenCoding: false,
  };
  return {
    previewQueueAction: [draw],
    makeQueueAction: [form],
    openNextAction: [queueId],
    putBackAction: [item],
    closeQueueAction: [{ queueId, isClosed: true }],
    takeQueueItem: [{ ...item, reviewerId: "Ada", steal: true }],
    renewQueueLease: [{ ...item, reviewerId: "Ada", token: queueId }],
    releaseQueueItem: [{ ...item, token: queueId }],
    moveQueueItem: [{ ...item, reviewerId: "Ada", kind: "skipped" }],
    makeNextLabels: [{ queue: queueId }],
  };
}

const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  "",
  "\u0000",
  "\ud800",
  "$1",
  "$F1",
  "$K1",
  "$n1",
  "$undefined",
  "__proto__",
  "../../etc/passwd",
  "javascript:alert(1)",
  "x".repeat(50_000),
  [],
  [[[[]]]],
  {},
  { __proto__: null, then: "x", toString: 1, length: -1 },
];

/** Replaces, removes, doubles or nests one part of a value at any depth. */
function breakValue(value: unknown, random: Random): unknown {
  const isInside = typeof value === "object" && value !== null && random.unit() < 0.8;
  if (!isInside) return random.pick([...ODD, [value, value], { a: value }]);
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (entries.length === 0) return random.pick(ODD);
  const at = random.int(0, entries.length - 1);
  const isLeftOut = random.unit() < 0.15;
  const changed = entries.flatMap(([key, part], index) => {
    if (index !== at) return [[key, part] as const];
    return isLeftOut ? [] : [[key, breakValue(part, random)] as const];
  });
  return Array.isArray(value) ? changed.map(([, part]) => part) : Object.fromEntries(changed);
}

/** Removes or doubles a piece of a text, or replaces it by brackets and signs. */
function breakText(text: string, random: Random): string {
  const from = random.int(0, text.length);
  const to = random.int(from, Math.min(text.length, from + 20));
  const piece = random.pick([
    "",
    text,
    "[".repeat(5_000),
    '{"a":'.repeat(500),
    "$@1",
    '"',
    "\\u",
    "\u0000",
    "1e999",
  ]);
  return text.slice(0, from) + piece + text.slice(to);
}

const PART = "--x\r\ncontent-disposition: form-data; name=";

/** A valid or malformed request: mutates its values, text, type, action or method. */
function prepareChange(actions: ReadonlyMap<string, string>, trialKey: string, random: Random): Change {
  const known = prepareArguments(trialKey);
  const name = random.pick([...actions.keys()]);
  const id = actions.get(name) ?? "";
  const list = known[name];
  if (list === undefined) throw new Error(`${name} is not among the actions tested with malformed bodies`);
  const headers = { "next-action": id, "content-type": "text/plain;charset=UTF-8" };
  const change = { path: "/", method: "POST", headers, body: JSON.stringify(list) };
  const form = `${PART}"0"\r\n\r\n${change.body}\r\n--x--\r\n`;
  switch (random.int(0, 9)) {
    case 0:
      return change;
    case 1:
    case 2:
    case 3:
      return { ...change, body: JSON.stringify(breakValue(list, random)) };
    case 4:
    case 5:
      return { ...change, body: breakText(change.body, random) };
    case 6:
      return {
        ...change,
        headers: {
          ...headers,
          "content-type": random.pick(["multipart/form-data; boundary=x", "multipart/form-data"]),
        },
        body: random.pick([form, breakText(form, random), `${PART}"$ACTION_ID_${id}"\r\n\r\n\r\n--x--\r\n`]),
      };
    case 7:
      return {
        ...change,
        headers: {
          ...headers,
          "next-action": random.pick(["", "0".repeat(42), "junk", id.slice(1), `${id}00`]),
        },
      };
    case 8:
      return {
        ...change,
        headers: { ...headers, "next-router-state-tree": random.pick(["%", "%7B", "[]", "%5B%22%22%5D"]) },
      };
    default:
      return {
        ...change,
        path: random.pick(["/no-such-page", "/jobs.csv", "/api/events", "/annotations", `/jobs/${JOB}`]),
        method: random.pick(["POST", "PUT", "PATCH", "DELETE"]),
      };
  }
}

test("no malformed body causes a server error", async () => {
  await withFewJobs(async ({ url, jobsFolder, runCli }) => {
    const actions = readActions();
    const [trial] = readFailedTrials(jobsFolder, JOB);
    expect([...actions.keys()].toSorted()).toEqual(Object.keys(prepareArguments("")).toSorted());
    const { numRuns, seed } = planRuns({ short: 60, long: 2_000 });
    const random = new Random(`bodies ${String(seed)}`);
    const statuses = new Map<number, number>();
    for (let run = 0; run < numRuns; run += 1) {
      const { path, ...change } = prepareChange(actions, trial?.name ?? "", random);
      const answer = await fetch(url + path, { ...change, redirect: "manual" });
      await answer.text();
      expect(answer.status, JSON.stringify({ path, ...change }).slice(0, 1_000)).toBeLessThan(500);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
    // Some requests reached their action, and some did not.
    for (const status of [200, 400]) expect(statuses.get(status) ?? 0).toBeGreaterThan(numRuns / 20);
    expect((await fetch(url)).status).toBe(200);
    expect(runCli("annotations", "export", "--history").code).toBe(0);
  });
});
