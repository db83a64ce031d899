/** Lines that may follow a traceback at a log's end: what a shell says when its script has died. */
const MAX_LINES_AFTER = 30;

const TRACEBACK = /^(?:Exception Group )?Traceback \(most recent call last\):$/;
// What pytest says when it dies itself, whatever it sums up afterwards.
const PYTEST_DEATH = /^INTERNALERROR> Traceback \(most recent call last\):$/;
const FRAME = /^\s+File "([^"]+)", line \d+(?:, in .*)?$/;
// Said of exceptions that end nothing.
const HARMLESS =
  /^(?:Exception ignored in|Error in atexit|--- Logging error ---|Exception in thread|.*exception was never retrieved)/;

/** Ends of test runs, in which failing tests show tracebacks that are no fault of the verifier. */
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

// Scripts by which verifiers are written, given inline or lying where verifiers lie, and the tools that they are run with.
const VERIFIER_PATHS: readonly RegExp[] = [
  /^<(?:stdin|string)>$/,
  /(?:^|\/)(?:tests?|verifiers?|graders?)\//,
  /(?:^|\/)(?:verify|verifier|grade|grader|judge|score|scorer|compute_reward|conftest|test_[^/]*)\.py$/,
  /\/bin\/(?:pytest|py\.test|rewardkit)$/,
  /\/(?:_?pytest|rewardkit|unittest)\//,
];
const LAUNCHER = /^<frozen |(?:^|\/)runpy\.py$/;

export interface LogEnd {
  /** Index of the line at which the traceback begins that the verifier died of; null when there is none. */
  readonly traceback: number | null;
  /** Whether a test run came to an end and said that tests failed, which explains a reward of 0. */
  readonly saysFailure: boolean;
  /** Whether a test run came to an end at all. */
  readonly saysSummary: boolean;
}

/**
 * Reads the end of a verifier's log for a traceback of the verifier itself: at the end, without a summary of a test run
 * behind it, and with its outermost frame in `tests/`, in an inline script or in a test runner. Tracebacks of other
 * programs are what is being judged, and an AssertionError is how a plain script says that a check failed.
 */
export function readLogEnd(lines: readonly string[]): LogEnd {
  const summaries = lines.flatMap((line, at) =>
    SUMMARIES.some((summary) => summary.test(line)) ? [at] : [],
  );
  const saysFailure =
    summaries.some((at) => FAILURE.test(lines[at] ?? "")) || lines.some((line) => FAILED_UNITTEST.test(line));
  const death = lines.findIndex((line) => PYTEST_DEATH.test(line));
  if (death !== -1) return { traceback: death, saysFailure: false, saysSummary: true };
  const rest = { saysFailure, saysSummary: summaries.length > 0 };
  const from = summaries.at(-1) ?? -1;
  for (let at = lines.length - 1; at > from; at--) {
    if (!TRACEBACK.test(lines[at] ?? "") || HARMLESS.test(lines[at - 1] ?? "")) continue;
    return { traceback: isDeath(lines, at) && isOfVerifier(lines, at) ? at : null, ...rest };
  }
  return { traceback: null, ...rest };
}

/** Whether the program ended with this traceback: little follows its exception, which is no failed check. */
function isDeath(lines: readonly string[], at: number): boolean {
  let end = at + 1;
  while (end < lines.length && /^(?:\s|$)/.test(lines[end] ?? "")) end++;
  if (/^AssertionError\b/.test(lines[end] ?? "")) return false;
  return lines.slice(end + 1).filter((line) => line.trim() !== "").length <= MAX_LINES_AFTER;
}

function isOfVerifier(lines: readonly string[], at: number): boolean {
  for (const line of lines.slice(at + 1, at + 1 + 2 * MAX_LINES_AFTER)) {
    const path = FRAME.exec(line)?.[1];
    if (path !== undefined && !LAUNCHER.test(path)) return VERIFIER_PATHS.some((own) => own.test(path));
    if (/^\S/.test(line)) return false;
  }
  return false;
}
