import { formatTime } from "@/lib/format/time";

/** `14 Nov 12:03 UTC`, with the year when it is not this one. Stored times are always UTC. */
export function formatAnnotationTime(timestamp: string): string {
  return `${formatUtcTime(timestamp)} UTC`;
}

/** The same without its clock, for columns whose heading says UTC. */
export function formatUtcTime(timestamp: string): string {
  return formatTime(
    { text: timestamp, epochMs: Date.parse(timestamp), zoned: true },
    new Date().getUTCFullYear(),
  );
}
