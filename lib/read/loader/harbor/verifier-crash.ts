import type { Fact } from "@/lib/core/triage/facts";

/** Shell output may follow a traceback after its script died. */
const MAX_LINES_AFTER = 30;

const TRACEBACK = /^(?:Exception Group )?Traceback \(most recent call last\):$/;
const PYTEST_DEATH = /^INTERNALERROR> Traceback \(most recent call last\):$/;
const FRAME = /^\s+File "([^"]+)", line \d+(?:, in .*)?$/;
// Exceptions reported without ending the program.
const HARMLESS =
  /^(?:Exception ignored in|Error in atexit|--- Logging error ---|Exception in thread|.*exception was never retrieved)/;

/** Ends of test runs, whose tracebacks come from failing tests, not from the verifier. */
const SUMMARIES: readonly RegExp[] = [
  // pytest, loud and quiet
  /^=* ?(?:\d+ [a-z]+(?:, )?)+ in \d[\d.]*s\b/,
  /^(?:FAILED|ERROR|PASSED) \S+::/,
  // unittest
  /^Ran \d+ tests? in /,
  // jest and vitest, mocha, go, cargo, TAP
  /^\s*Tests:? +\d+ (?:failed|passed)/,
  /^\s*\d+ (?:passing|failing)\b/,
  /^(?:ok|FAIL)\s+\S+\s+\d[\d.]*s$/,
  /^--- (?:FAIL|PASS): /,
  /^test result: /,
  /^(?:not )?ok \d+ /,
  /^# (?:fail|pass) \d/,
];
const FAILED_UNITTEST = /^FAILED \((?:failures|errors)=/;
const FAILURE =
  /\b[1-9]\d* (?:failed|failing|errors?)\b|^FAILED|^ERROR|^(?:--- )?FAIL\b|^not ok|^# fail [1-9]/;

const VERIFIER_PATHS: readonly RegExp[] = [
  /^<(?:stdin|string)>$/,
  /(?:^|\/)(?:tests?|verifiers?|graders?)\//,
  /(?:^|\/)(?:verify|verifier|grade|grader|judge|score|scorer|compute_reward|conftest|test_[^/]*)\.py$/,
  /\/bin\/(?:pytest|py\.test|rewardkit)$/,
  /\/(?:_?pytest|rewardkit|unittest)\//,
];
const LIBRARY = /\/(?:(?:site|dist)-packages|lib(?:64)?\/python[\d.]+)\/|^<frozen /;
const MISSING = /^FileNotFoundError: .*'([^']+)'$/;
/** Programs, and folders of the verifier and the system, where agents write no answer. */
const NOT_OF_ANSWER = /^[^/.]+$|(?:^|\/)(?:tests?|verifiers?|graders?|logs|usr|bin)\//;
const LAUNCHER = /^<frozen |(?:^|\/)runpy\.py$/;

interface LogEnd {
  readonly traceback: number | null;
  readonly death: Fact | null;
  readonly saysFailure: boolean;
  readonly saysSummary: boolean;
}

/**
 * Finds a traceback of the verifier itself. It ends the log, no test summary follows, and its outermost frame is in `tests/`, an
 * inline script or a test runner. Excludes tracebacks that the agent's files raised or that report a missing answer file. Other
 * programs' tracebacks are under test, and plain scripts report a failed check with AssertionError.
 */
export function readLogEnd(lines: readonly string[]): LogEnd {
  const summaries = lines.flatMap((line, at) =>
    SUMMARIES.some((summary) => summary.test(line)) ? [at] : [],
  );
  const saysFailure =
    summaries.some((at) => FAILURE.test(lines[at] ?? "")) || lines.some((line) => FAILED_UNITTEST.test(line));
  const death = lines.findIndex((line) => PYTEST_DEATH.test(line));
  if (death !== -1)
    return { traceback: death, death: "verifier-died", saysFailure: false, saysSummary: true };
  const rest = { saysFailure, saysSummary: summaries.length > 0 };
  const from = summaries.at(-1) ?? -1;
  for (let at = lines.length - 1; at > from; at--) {
    if (!TRACEBACK.test(lines[at] ?? "") || HARMLESS.test(lines[at - 1] ?? "")) continue;
    const fact = findDeath(lines, at);
    return { traceback: fact === null ? null : at, death: fact, ...rest };
  }
  return { traceback: null, death: null, ...rest };
}

/** Returns null if the program continued after the exception, which may be a failed check, or if it is under test. */
function findDeath(lines: readonly string[], at: number): Fact | null {
  let end = at + 1;
  while (end < lines.length && /^(?:\s|$)/.test(lines[end] ?? "")) end++;
  const error = lines[end] ?? "";
  const nAfter = lines.slice(end + 1).filter((line) => line.trim() !== "").length;
  if (/^AssertionError\b/.test(error) || nAfter > MAX_LINES_AFTER) return null;
  const paths = lines.slice(at + 1, end).flatMap((line) => FRAME.exec(line)?.[1] ?? []);
  const frames = paths.filter((path) => !LAUNCHER.test(path));
  if (!isOfVerifier(frames[0])) return null;
  if (!isOfVerifier(frames.findLast((path) => isOfVerifier(path) || !LIBRARY.test(path))))
    return "answer-raised";
  const missing = MISSING.exec(error)?.[1];
  return missing === undefined || NOT_OF_ANSWER.test(missing) ? "verifier-died" : "answer-not-found";
}

function isOfVerifier(path = ""): boolean {
  return VERIFIER_PATHS.some((own) => own.test(path));
}
