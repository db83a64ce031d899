import { TimeText } from "@/components/ui/time-text";

/** When a judgment was saved or taken back. Stored times are always UTC. */
export function AnnotationTime({ timestamp, className }: { timestamp: string; className?: string }) {
  const time = { text: timestamp, epochMs: Date.parse(timestamp), zoned: true };
  return <TimeText time={time} {...(className === undefined ? {} : { className })} />;
}
