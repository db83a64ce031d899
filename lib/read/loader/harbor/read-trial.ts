import { BARE_STEP, type StepRecord, sumTokens, type TrialFiles } from "@/lib/core/domain/trial";
import type { PyValue } from "@/lib/core/scoring";
import { prepareTrialDocument, type TrialDocument } from "@/lib/read/schema/recognise";
import { parseTrialConfig, parseTrialResult } from "@/lib/read/schema/trial-files";

import { isObject, type JsonObject, objectOr, pickNumber, pickText } from "../detail/json-shape";
import { selectSteps } from "../detail/list-trial-files";
import { parseLooseJson } from "../detail/parse-loose-json";
import { folderName, isOneName, joinFolder, type LoadRoot } from "../discover/load-root";
import { FILE_LIMITS, listOrNull } from "../file-access";
import { findLock, stampFile } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { computeDigest } from "../hashes";
import { enterTrial } from "../large-files";
import { parseDocument, readText, type TextReading } from "../read-document";
import { readRewardFolder, type RewardFolder } from "./read-rewards";
import {
  completeSourceTrial,
  describeConfigured,
  prepareBareFiles,
  prepareFiles,
  type Report,
  type TrialFolder,
  type TrialReading,
} from "./trial-files";

const RESULT = "result.json";
const TRACES = [
  { folder: "agent", schema: "" },
  { folder: "artifacts", schema: "ATIF-" },
];

export function readTrial(root: LoadRoot, folder: string): TrialReading {
  const reader = new FolderReader(root, folder);
  const refusal = enterTrial(`${root.path}/${folder}`, "result");
  if (refusal !== null) {
    reader.probe(RESULT, { stamp: stampFile(root, joinFolder(folder, RESULT)) });
    reader.report("reader_stopped", "", refusal);
    return closeReading(reader, prepareUnread(root, folder));
  }
  const reading = readText(root, joinFolder(folder, RESULT), FILE_LIMITS.trial);
  reader.probe(RESULT, reading);
  const lock = reading.kind === "refused" ? findLock(root, folder) : null;
  if (lock !== null) {
    reader.issues.push(lock);
    return closeReading(reader, prepareUnread(root, folder));
  }
  // Parse before opening another file, so that a crash can be attributed to this one.
  const document = parseResult(reader, reading);
  const resultDigest = document !== null && reading.kind === "read" ? computeDigest(reading.bytes) : null;
  const place = { folder, ...readRewardFolder(reader, "verifier") };
  const parsed = document && parseTrialDocument(reader, RESULT, place, document);
  if (parsed !== null) {
    const record = completeSourceTrial(reader, parsed.record);
    const steps = readSteps(reader, record);
    const traceTokens = readTraceTokens(reader, record);
    const files = markUnrecorded(record, { ...record, verifier: record.phases.verifier }, record);
    return closeReading(reader, {
      ...parsed,
      record: { ...record, ...files, steps, resultDigest, traceTokens },
    });
  }
  const config = reader.readFields("config.json", FILE_LIMITS.config, parseTrialConfig);
  const state = reading.kind === "absent" ? "missing" : "unreadable";
  const record = prepareBareFiles(place, config, state, folderName(root, folder));
  return closeReading(reader, {
    record: completeSourceTrial(reader, record),
    configured: describeConfigured(config),
  });
}

type ParsedTrial = Pick<TrialReading, "record" | "configured">;

export function closeReading(reader: FolderReader, parsed: ParsedTrial): TrialReading {
  return { ...parsed, issues: reader.issues, ...reader.probes };
}

export function prepareUnread(root: LoadRoot, folder: string): ParsedTrial {
  return {
    record: prepareBareFiles({ folder }, null, "unreadable", folderName(root, folder)),
    configured: describeConfigured(null),
  };
}

export function readEmbeddedTrial(root: LoadRoot, jobFolder: string, value: PyValue): TrialReading | null {
  const reader = new FolderReader(root, jobFolder);
  const document = prepareTrialDocument(value);
  const parsed = document && parseTrialDocument(reader, RESULT, { folder: "" }, document);
  return parsed && closeReading(reader, parsed);
}

function parseResult(reader: FolderReader, reading: TextReading): TrialDocument | null {
  const exact = reader.accept(RESULT, parseDocument(reader.root, reader.locate(RESULT), reading));
  if (exact === null) return null;
  const document = prepareTrialDocument(exact.value);
  if (document === null)
    reader.report("result_foreign", RESULT, "The file is not a trial result that Harbor wrote.");
  return document;
}

function parseTrialDocument(
  reader: FolderReader,
  file: string,
  place: TrialFolder,
  { plain, exact }: TrialDocument,
): ParsedTrial | null {
  // Before parsing, which drops a name of the wrong type with an issue of its own.
  const missing = listMissingNames(objectOr(plain));
  const result = reader.take(file, parseTrialResult(plain));
  if (result === null) return null;
  const report: Report = (code, detail) => reader.report(code, file, detail);
  const record = prepareFiles(place, result, exact, report);
  for (const { field, kind, key } of missing)
    report("field_invalid", `${field}: is missing; the ${kind} is taken to be "${record[key]}"`);
  return { record, configured: describeConfigured(result.config ?? null) };
}

/** Lists missing names that others replace. An empty name is not missing: Harbor writes one for a task with `path: "."`. */
function listMissingNames({ task_name: task = null, agent_info: info = null }: JsonObject) {
  const isAgentMissing = info === null || (isObject(info) && (info["name"] ?? null) === null);
  return [
    ...(task === null ? [{ field: "task_name", kind: "task", key: "taskName" } as const] : []),
    ...(isAgentMissing ? [{ field: "agent_info.name", kind: "agent", key: "agent" } as const] : []),
  ];
}

/** Only a trajectory distinguishes zero cost without tokens from an unreported cost. */
function readTraceTokens(
  reader: FolderReader,
  { tokens, simulatedUser }: TrialFiles,
): TrialFiles["traceTokens"] {
  if (tokens.costUsd !== 0 || (sumTokens(tokens) ?? 0) > 0 || simulatedUser !== null) return null;
  for (const { folder, schema } of TRACES) {
    const file = `${folder}/trajectory.json`;
    if (!reader.mayEnter(folder)) continue;
    const reading = readText(reader.root, reader.locate(file), FILE_LIMITS.trial);
    reader.probe(file, reading);
    const parsed = reading.kind === "read" ? parseLooseJson(reading.text, file) : null;
    const trace = parsed?.ok === true ? objectOr(parsed.value) : null;
    if (trace === null || !(pickText(trace, "schema_version") ?? "").startsWith(schema)) continue;
    const totals = objectOr(trace["final_metrics"]);
    return sumTokens({
      inputTokens: pickNumber(totals, "total_prompt_tokens"),
      outputTokens: pickNumber(totals, "total_completion_tokens"),
    });
  }
  return null;
}

/**
 * Marks reward files that result.json lacks. Since 0.26 Harbor also verifies after an error of the agent.
 * @see harbor 0.26.0 src/harbor/trial/single_step.py
 */
function markUnrecorded(
  { rewardFile, otherRewardFile }: RewardFolder,
  { rewards, exception, verifier }: Pick<StepRecord, "rewards" | "exception" | "verifier">,
  { recordedValidity }: Pick<TrialFiles, "recordedValidity">,
): RewardFolder {
  const raisedMs = exception?.occurredAt?.epochMs ?? Infinity;
  const isAgents = recordedValidity !== null && raisedMs < (verifier?.startedAt?.epochMs ?? 0);
  const isLost = rewards === null && verifier?.finishedAt != null && (exception === null || isAgents);
  if (!isLost || rewardFile.kind !== "read") return { rewardFile, otherRewardFile };
  return { rewardFile: { ...rewardFile, isUnrecorded: true }, otherRewardFile };
}

/** Adds steps that result.json leaves out though their folder has a reward: Harbor lists a step before it makes its folder. */
function readSteps(reader: FolderReader, record: TrialFiles): TrialFiles["steps"] {
  const listed = record.steps?.map((step) => {
    const read = readStepRewards(reader, step);
    return { ...read, ...markUnrecorded(read, read, record) };
  });
  const mayLack = record.recordedValidity !== null && record.rewardFile.kind === "absent";
  if ((listed === undefined && !mayLack) || !reader.mayEnter("steps")) return listed ?? null;
  const names = new Set(listed?.map(({ stepName }) => stepName));
  const unlisted = selectSteps(listOrNull(reader.root, reader.locate("steps"))?.entries ?? [], null)
    .filter((stepName) => !names.has(stepName))
    .map((stepName) => readStepRewards(reader, { ...BARE_STEP, stepName }))
    .flatMap((step) =>
      step.rewardFile.kind === "read"
        ? [{ ...step, rewardFile: { ...step.rewardFile, isUnrecorded: true as const } }]
        : [],
    );
  return listed === undefined && unlisted.length === 0 ? null : [...unlisted, ...(listed ?? [])];
}

/** Reads nothing if a step name would escape the folder or a link is on the way. */
function readStepRewards(reader: FolderReader, step: StepRecord): StepRecord {
  const { stepName } = step;
  if (!isOneName(stepName)) return step;
  const folder = `steps/${stepName}`;
  if (!reader.mayEnter("steps") || !reader.mayEnter(folder)) return step;
  return { ...step, ...readRewardFolder(reader, `${folder}/verifier`) };
}
