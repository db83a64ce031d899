import { capitalise, SUSPECT_WORDS } from "@/lib/core/format/words";

import { Mark } from "./mark";

export function SuspectMark({ reason, isFull = false }: { reason: string; isFull?: boolean }) {
  const words = isFull ? SUSPECT_WORDS.full : SUSPECT_WORDS.short;
  return (
    <span className="status-word suspect-mark" title={`${capitalise(SUSPECT_WORDS.full)}: ${reason}`}>
      <Mark status="suspect" />
      {words}
    </span>
  );
}
