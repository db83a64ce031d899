import { parsePythonFloat } from "./python/float-parse";
import { parsePythonJson } from "./python/json-parse";
import { PythonError, recoverPython, type PyValue } from "./python/value";
import type { KnownReasonCode } from "./reason-codes";

/** Bytes; null where a file does not exist. */
export interface RewardFiles {
  readonly json: Uint8Array | null;
  readonly text: Uint8Array | null;
}

/** Harbor's exception class, and its reason code. */
export interface RewardFileError {
  readonly name:
    | "RewardFileNotFoundError"
    | "RewardFileEmptyError"
    | "VerifierOutputParseError"
    | "RecursionError";
  readonly reasonCode: KnownReasonCode;
  readonly message: string;
}

export type RewardFilesResult =
  | { readonly ok: true; readonly rewards: PyValue }
  | { readonly ok: false; readonly error: RewardFileError };

/**
 * Returns the rewards of one verifier run, as Harbor's verifier reads them from its two files. `validateRewards` checks the types
 * later.
 * @returns `reward.json` verbatim, else `{"reward": float}` from `reward.txt`; an error when neither exists, the chosen file has
 * no bytes, or it cannot be parsed
 * @see harbor 0.13.1 src/harbor/verifier/verifier.py, `Verifier.verify`
 */
export function readRewardFiles(files: RewardFiles): RewardFilesResult {
  if (files.json !== null) {
    return readFile(files.json, "reward.json", parsePythonJson);
  }
  if (files.text !== null) {
    return readFile(files.text, "reward.txt", (text) => new Map([["reward", parsePythonFloat(text)]]));
  }
  return fail("RewardFileNotFoundError", "harbor_reward_missing", "No reward file found");
}

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a file as Python's `read_text()` gives it: strict UTF-8, byte order mark kept, `\r\n` and `\r` as `\n`.
 * @throws PythonError ValueError when the bytes are not UTF-8 (Python's UnicodeDecodeError is one)
 */
export function decodePythonText(bytes: Uint8Array): string {
  try {
    const text = STRICT_UTF8.decode(bytes);
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  } catch {
    throw new PythonError("ValueError", "'utf-8' codec can't decode the bytes");
  }
}

function readFile(bytes: Uint8Array, file: string, parse: (text: string) => PyValue): RewardFilesResult {
  if (bytes.length === 0) {
    return fail("RewardFileEmptyError", "harbor_reward_empty", `Reward file is empty: ${file}`);
  }
  return recoverPython<RewardFilesResult>(
    () => ({ ok: true, rewards: parse(decodePythonText(bytes)) }),
    (error) => {
      // Harbor turns only ValueError into its own class; a RecursionError passes through.
      const name = error.name === "RecursionError" ? "RecursionError" : "VerifierOutputParseError";
      return fail(
        name,
        "harbor_reward_parse_error",
        `Failed to parse rewards from ${file}: ${error.message}`,
      );
    },
  );
}

function fail(
  name: RewardFileError["name"],
  reasonCode: KnownReasonCode,
  message: string,
): RewardFilesResult {
  return { ok: false, error: { name, reasonCode, message } };
}
