const START = /^=+ FAILURES =+$/u;
const END = /^=+ (?:PASSES|short test summary info|warnings summary|\d+ (?:failed|passed)\b)/u;
const BLOCK = /^_{3,} .* _{3,}$/u;
const SAID = /^E\s/u;
/** Lines of a block that say why it failed; later ones are of what it compared. */
const SAID_LINES = 4;
const SAID_CHARS = 160;
const ABSENT =
  /\bmissing\b|\b(?:does not|doesn't|should|must) exist\b|\bnot found\b|\bno such file\b|\bnot created\b|\bFileNotFoundError\b|\bwhere False = (?:exists|is_file|is_dir)\(/iu;
/** What the verifier brings along itself is none of the agent's. */
const OWN = /\/(?:tests?|logs)\//u;

/**
 * Whether every failed test in a log of pytest says that something was not there, and one did fail. Tests that could not
 * be set up count as failed ones.
 */
export function saysAllIsAbsent(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => START.test(line));
  if (start === -1) return false;
  const length = lines.slice(start + 1).findIndex((line) => END.test(line));
  const body = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  const blocks: string[][] = [];
  for (const line of body) {
    if (BLOCK.test(line)) blocks.push([]);
    else if (SAID.test(line)) blocks.at(-1)?.push(line.slice(0, SAID_CHARS));
  }
  return blocks.length > 0 && blocks.every((said) => said.slice(0, SAID_LINES).some(isAbsence));
}

function isAbsence(line: string): boolean {
  return ABSENT.test(line) && !OWN.test(line);
}
