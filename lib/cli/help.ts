/** Names of the commands, in the order of the help. */
export const COMMAND_NAMES = [
  "view",
  "score",
  "verify",
  "check",
  "trials",
  "evaluations",
  "index",
  "annotations",
] as const;

/** One of {@link COMMAND_NAMES}. */
export type CommandName = (typeof COMMAND_NAMES)[number];

const SUMMATION = `  --summation NAME   How recorded means were summed: cpython-3.12 (default) or sequential (Python 3.11 and older).`;

/** `assay --help`. */
export const HELP = `Usage: assay COMMAND [OPTIONS]

Recomputes, explains and reviews the results of agent benchmark runs. Job folders are only ever read.

  assay view [DIR ...]          Show jobs in the browser
  assay score JOB               Print a job's outcome line
  assay verify JOB ...          Compare every recorded figure with the one computed again
  assay check DIR               Print what could not be read, and what is odd
  assay trials DIR              List trials
  assay evaluations DIR         Write each trial's EvaluationResult
  assay index [DIR ...]         Bring the index that pages read up to date
  assay annotations export      Write reviewers' judgments as JSON Lines

  assay COMMAND --help          Options of a command
  assay --version               Version

Exit codes: 0 all is well, 1 a figure does not match, 2 the command could not run.
`;

/** \`assay COMMAND --help\`. */
export const COMMAND_HELP: Readonly<Record<CommandName, string>> = {
  view: `Usage: assay view [DIR ...] [OPTIONS]

Shows the jobs below each DIR (default: the current folder) in the browser, until Ctrl-C.

  --port PORT        Port to listen on, 0 for any free one (default 4680).
  --host HOST        Interface to listen on (default 127.0.0.1, this machine only).
  --allow-host NAME  Answer to this name too, besides localhost and the address listened on; may be given again.
  --behind-proxy     Believe X-Forwarded-Host and X-Forwarded-Proto, which a proxy in front must then set.
  --token            Ask for an access token, as is always done when anybody but this machine can get in. It is $ASSAY_TOKEN,
                     else a new one at every start, printed with the address. With $ASSAY_ADMIN_TOKEN in its place one
                     may also change judgments that were saved in another browser.
  --data DIR         Folder for annotations (default $ASSAY_DATA, else the user's data folder).
${SUMMATION}
`,
  score: `Usage: assay score JOB [OPTIONS]

Prints the outcome line that evaluators derive from the job's result.json.

  --from-trials      Derive it from the trials instead, as if Harbor had just written result.json.
  --json             Print JSON (assay.score/1).
${SUMMATION}
`,
  verify: `Usage: assay verify JOB ... [OPTIONS]

Computes metrics, pass@k, counters, lists, rewards and outcome of every job in or below each JOB again, and says for each
recorded figure: exact, differs by N ulp, explained by a rule of Harbor, mismatch, not recorded, or incomplete because what
it was made from is not all here.

  --json             Print JSON (assay.verify/2).
  --all              List every figure, not only those that are not exact.
  --strict           Exit with 1 on incomplete data too, not only on a mismatch.
${SUMMATION}
`,
  check: `Usage: assay check DIR [OPTIONS]

Prints the load report: files that cannot be read or trusted (problems), and oddities that change nothing (notes).

  --json             Print JSON (assay.check/1).
  --strict           Exit with 1 when there is a problem.
`,
  trials: `Usage: assay trials DIR [OPTIONS]

Lists the trials of every job in or below DIR.

  --format FORMAT    table (default, main fields), json (all fields, assay.trials/2), csv or parquet (one row a trial).
  --json             The same as --format json.
  --output FILE      Write to FILE instead, outside DIR; Parquet, which is no text, needs it.
`,
  evaluations: `Usage: assay evaluations DIR [OPTIONS]

Writes the EvaluationResult of every trial in or below DIR (assay.evaluation/2): reward, validity, breakdown, error tags,
confidence and annotations by the evaluation contract, which of them nothing states, where each comes from, and why a trial
has none. The contract has no word for a validity gate that is unknown: \`evaluation\` is then null, and
\`partial_evaluation\` has what is known with null at the gate. Counts go to stderr.

  --format FORMAT    jsonl (default, a line a trial) or json (one list).
  --contract NAME    seed (default) or head, which also refuses a reward above 0 for an output of the wrong shape.
  --output FILE      Write to FILE instead, outside DIR.
  --data DIR         Folder of the annotations (default $ASSAY_DATA, else the user's data folder).
  --strict           Exit with 1 when the contract refuses a trial's result.
`,
  index: `Usage: assay index [DIR ...] [OPTIONS]

Brings the index of the jobs below each DIR (default: the current folder) up to date, as \`assay view\` does by itself, and
prints what it holds. The index is a file of the data folder, or a schema of the database in $DATABASE_URL; it can be
deleted at any time.

  --data DIR         Folder for the index (default $ASSAY_DATA, else the user's data folder).
  --findings         Also read verifiers' details and analyses, which \`assay view\` does in the background.
  --json             Print JSON (assay.index/2).
${SUMMATION}
`,
  annotations: `Usage: assay annotations export [OPTIONS]

Writes the judgments that count, one JSON object a line (assay.annotation/1).

  --data DIR         Folder of the annotations (default $ASSAY_DATA, else the user's data folder).
  --history          Write superseded and withdrawn versions too.
`,
};
