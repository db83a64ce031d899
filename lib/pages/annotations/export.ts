import "server-only";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { CONTENT_TYPES, JUDGMENT_TABLE, writeExport } from "@/lib/output/export";
import { trialHref } from "@/lib/pages/address/href";
import type { ExportParams } from "@/lib/pages/annotations/address";
import { queueItemHref } from "@/lib/pages/annotations/review-address";
import {
  getAnnotationStore,
  listAll,
  type Queue,
  readCodebook,
  readExport,
  readQueue,
  writeJsonLines,
  writeLabelingConfig,
  writeLabelStudioTasks,
  writeLangfuseScores,
} from "@/lib/people/annotations";
import { findTrialPlace } from "@/lib/people/labels/draws";

import { getStore } from "../shell/catalog";
import type { FileDownload } from "../shell/download";
import { readPlacesByName } from "./judged";

const JSON_LINES = "application/x-ndjson; charset=utf-8";

/**
 * Returns the requested judgments as a file. A damaged store exports what can be read; JSON Lines ends with what cannot.
 * @param headers - of the request; links to trials use the host it was sent to
 */
export async function getAnnotationsDownload(params: ExportParams, headers: Headers): Promise<FileDownload> {
  const { format } = params;
  const queue = params.queue === null ? null : await readQueue(getAnnotationStore(), params.queue);
  if (params.queue !== null && queue === null) throw new NotFoundError("This queue does not exist.");
  const name = `annotations${params.history ? "-history" : ""}.${format}`;
  if (format === "label-studio") {
    const pieces = await writeTasks(queue, readOrigin(headers));
    return { name: "label-studio-tasks.json", contentType: CONTENT_TYPES.json, pieces };
  }
  if (format === "label-studio-config") {
    const pieces = writeLabelingConfig((await readCodebook(getAnnotationStore())).codebook);
    return { name: "label-studio-config.xml", contentType: "text/plain; charset=utf-8", pieces };
  }
  const content = await readExport(getAnnotationStore(), params);
  if (format === "jsonl")
    return { name, contentType: JSON_LINES, pieces: [...writeJsonLines(content)].join("") };
  if (format === "langfuse") {
    const pieces = [...writeLangfuseScores(content.judgments)].join("");
    return { name: "langfuse-scores.jsonl", contentType: JSON_LINES, pieces };
  }
  const pieces = writeExport(format, JUDGMENT_TABLE, content.judgments);
  return { name, contentType: CONTENT_TYPES[format], pieces };
}

/** Returns the origin as the browser sees it. The request guard removes forwarded headers that the owner's proxy did not set. */
function readOrigin(headers: Headers): string {
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? "localhost";
  return `${headers.get("x-forwarded-proto") ?? "http"}://${host}`;
}

/** Links of a queue that hides anything go to its own pages, which name no job. */
async function writeTasks(queue: Queue | null, origin: string): Promise<string> {
  const hides = queue?.settings.hides ?? [];
  const judged = queue?.items ?? (await listAll(getAnnotationStore()));
  const subjects = judged.map(({ subject }) => subject);
  const byName = await readPlacesByName(await getStore(), subjects);
  const trials = judged.map(({ subject, ...item }) => {
    const place = findTrialPlace(byName, subject);
    if (place === null) return { subject, url: null };
    const isHidden = queue !== null && hides.length > 0 && "position" in item;
    const page = isHidden ? queueItemHref(queue.queueId, item.position) : trialHref(place.jobKey, place.key);
    return { subject, url: origin + page };
  });
  return writeLabelStudioTasks(trials, hides);
}
