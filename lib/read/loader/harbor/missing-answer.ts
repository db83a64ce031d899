const START = /^=+ FAILURES =+$/u;
const END = /^=+ (?:PASSES|short test summary info|warnings summary|\d+ (?:failed|passed)\b)/u;
const BLOCK = /^_{3,} .* _{3,}$/u;
const SAID = /^E\s/u;
/** Leading lines of a block state the failure; later ones show compared values. */
const SAID_LINES = 4;
const SAID_CHARS = 160;
const NO_FILE = /\bno such file\b|\bFileNotFoundError\b|\bwhere False = (?:exists|is_file|is_dir)\(/iu;
const NOT_THERE = /\b(?:missing|(?:does not|doesn't|should|must) exist|not found|not created)\b/iu;
/** Match paths, folders, files and words for them. Others may concern a part of an existing answer. */
const NAMES_PLACE =
  /(?<![^\s"'`([{=:,])(?:(?:~|\.{1,2})?\/[\w.-]|[\w-][\w.-]*\/(?![^\s"'`)\]},:;]))|\b(?:files?|directory|folder|script|binary|executable|PATH)\b/iu;
const NAMES_FILE =
  /[\w-]\.(?:v\d+|7z|bak|bin|bmp|bz2|caffemodel|cc|cfg|comp|conf|cpp|crt|css|csv|c|dat|db|diz|docx?|elf|fasta|gif|go|gz|h5|hpp|html?|h|ini|ipynb|jar|java|jpe?g|jsonl?|jsx?|lock|log|md|mp[34]|npy|npz|onnx|out|parquet|patch|pb|pdf|pem|pkl|png|ppm|pptx?|pth?|py|rb|rs|rst|safetensors|sh|so|sqlite3?|sql|stan|svg|tar|tex|tgz|tiff?|toml|tsv|tsx?|txt|vcf|wasm|wav|webp|xlsx?|xml|xz|ya?ml|zip)\b/iu;
const IS_INSIDE =
  /\b(?:missing|exist|found|created)\b.{0,120}?\s(?:in|from|inside)\s(?!(?:\w+ ){0,2}(?:PATH|directory|folder)\b|["'`]?[.~]?(?:\/[\w-]+)*\/?["'`]?[.,;:]?(?:\s|$))/iu;
const OWN = /\/(?:tests?|logs)\//u;

/** True if tests failed in a pytest log and each reports something missing. Setup errors count as failures. */
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
  const isNamed = NAMES_PLACE.test(line) || NAMES_FILE.test(line);
  const isAbsent = NOT_THERE.test(line) && isNamed && !IS_INSIDE.test(line);
  return (isAbsent || NO_FILE.test(line)) && !OWN.test(line);
}
