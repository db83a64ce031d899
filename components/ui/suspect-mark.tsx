import { capitalise, SUSPECT_WORDS } from "@/lib/core/format/words";

export function SuspectMark({ reason, isFull = false }: { reason: string; isFull?: boolean }) {
  const words = isFull ? SUSPECT_WORDS.full : SUSPECT_WORDS.short;
  return (
    <span className="status-word suspect-mark" title={`${capitalise(SUSPECT_WORDS.full)}: ${reason}`}>
      <BrokenRing />
      {words}
    </span>
  );
}

/** A broken ring: neither failed nor passed can be told. */
function BrokenRing() {
  return (
    <svg width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <circle
        cx={6}
        cy={6}
        r={4.75}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeDasharray="2.2 1.53"
      />
      <path d="M6 3.4v3.1M6 8.1v.6" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" />
    </svg>
  );
}
