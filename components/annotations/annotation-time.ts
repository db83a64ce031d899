import { formatTime } from "@/lib/format/time";

/** `14 Nov 12:03 UTC`, with the year when it is not this one. Stored times are always UTC. */
export function formatAnnotationTime(timestamp: string): string {
  const epochMs = Date.parse(timestamp);
  return `${formatTime({ text: timestamp, epochMs, zoned: true }, new Date().getUTCFullYear())} UTC`;
}
