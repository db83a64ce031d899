import { AgentMark } from "@/components/ui/agent-mark";
import type { Contender } from "@/lib/queries/errors/page";

/** A contender as a column heading: its marker and agent, and its model where the agent alone would not tell. */
export function ContenderHeading({ contender, all }: { contender: Contender; all: readonly Contender[] }) {
  const isAmbiguous = all.some((other) => other !== contender && other.agent === contender.agent);
  return (
    <span className="contender-heading" title={contender.name}>
      <AgentMark identity={contender.identity} />
      <span className="contender-names">
        <span className="cut">{contender.agent}</span>
        {isAmbiguous && contender.model !== null ? (
          <span className="cut contender-model">{contender.model}</span>
        ) : null}
      </span>
    </span>
  );
}
