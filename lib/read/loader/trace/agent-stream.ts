import { CLAUDE_STREAM } from "./claude-code";
import { CODEX_EXEC } from "./codex";
import { OPENCODE } from "./opencode";
import { readHead } from "./trace-reader";

const STREAMS = [
  { name: /codex[^/]*$/u, reader: CODEX_EXEC },
  { name: /claude[^/]*$/u, reader: CLAUDE_STREAM },
  { name: /opencode[^/]*$/u, reader: OPENCODE },
] as const;
const MAX_LINES_BEFORE = 5;

/** True if a log is its own program's JSON stream. In any other log a record may be printed by a tool. */
export async function isAgentStream(trialPath: string, file: string): Promise<boolean> {
  const reader = STREAMS.find(({ name }) => name.test(file))?.reader;
  const head = reader === undefined ? null : await readHead(trialPath, file);
  const [first] = head?.records ?? [];
  if (!head || first === undefined || reader?.recognise({ ...head, records: [first] }) !== true) return false;
  return head.text.split("\n", MAX_LINES_BEFORE).some((line) => line.startsWith("{"));
}
