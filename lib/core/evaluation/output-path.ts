const MENTION = /\/workspace\/[A-Za-z0-9._/-]+/g;
const SENTENCE_END = ".,:;";
/** Default when the instruction names no path. */
const DEFAULT_OUTPUT_PATH = "/workspace/output.jsonl";

/** Returns the last `/workspace/` path of an instruction, which the reference's loader takes for the output path. */
export function findOutputPath(instruction: string): string {
  const mentions = instruction.match(MENTION) ?? [];
  return trimSentenceEnd(mentions.at(-1) ?? DEFAULT_OUTPUT_PATH);
}

/** A loop, since a pattern for the end of a text takes quadratic time. */
function trimSentenceEnd(path: string): string {
  let end = path.length;
  while (end > 0 && SENTENCE_END.includes(path.charAt(end - 1))) end--;
  return path.slice(0, end);
}
