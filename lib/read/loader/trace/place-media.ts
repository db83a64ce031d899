import { posix } from "node:path";

import type { ContentPart, EmbeddedImage } from "@/lib/core/domain/trajectory";

import { describeAudio, isPlayed, type RawAudio } from "./audio";
import { proveImage, type RawImage } from "./embedded-image";
import type { RawPart } from "./raw-trajectory";

const SHOWN_IMAGE = /(?:^image\/|\.)(?:png|jpe?g|gif|webp)$/iu;

export function placeParts(parts: readonly RawPart[], file: string): readonly ContentPart[] {
  return parts.map((part): ContentPart => {
    if (part.kind === "text") return part;
    return part.kind === "image" ? placeImage(part, file) : placeAudio(part, file);
  });
}

function placeImage(part: RawImage, file: string): ContentPart {
  if (part.base64 !== null) return placeEmbedded(proveImage(part.base64, part.mediaType));
  const path = part.path === null ? null : resolveBeside(file, part.path);
  if (path === null)
    return { kind: "image", path, note: describeUnplaced("image", part.path), embedded: null };
  if (SHOWN_IMAGE.test(part.mediaType ?? path)) return { kind: "image", path, note: null, embedded: null };
  const note = `Only PNG, JPEG, GIF and WebP images are shown; \`${path}\` can be read under Files.`;
  return { kind: "image", path: null, note, embedded: null };
}

function placeAudio(part: RawAudio, file: string): ContentPart {
  const path = part.path === null ? null : resolveBeside(file, part.path);
  const { durationSec } = part;
  if (path !== null && isPlayed(part, path)) return { kind: "audio", path, note: null, durationSec };
  const note =
    path !== null
      ? `Only WAV, MP3, M4A, Ogg, FLAC and WebM audio is played; \`${path}\` can be read under Files.`
      : part.path === null
        ? describeAudio(part)
        : describeUnplaced("audio", part.path);
  return { kind: "audio", path: null, note, durationSec };
}

function placeEmbedded(proved: EmbeddedImage | string): ContentPart {
  return typeof proved === "string"
    ? { kind: "image", path: null, note: proved, embedded: null }
    : { kind: "image", path: null, note: null, embedded: proved };
}

function describeUnplaced(what: "image" | "audio", path: string | null): string {
  if (path === null) return `The step names no file for this ${what}.`;
  if (path.startsWith("data:")) return `The ${what} stands in the trace, not in base64, and is not shown.`;
  if (/^[a-z][a-z0-9+.-]*:/iu.test(path)) return `The ${what} is at a network address and is not fetched.`;
  return `The ${what} \`${path}\` is outside the trial folder and is not opened.`;
}

/** Resolves a path in `file` relative to the trial; null for URLs, absolute paths and paths that leave it. */
export function resolveBeside(file: string, stated: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/iu.test(stated) || stated.startsWith("/") || stated.includes("\0")) return null;
  const path = posix.normalize(posix.join(posix.dirname(file), stated.replaceAll("\\", "/")));
  return path === ".." || path.startsWith("..") ? null : path;
}
