import { AgentMark } from "@/components/ui/agent-mark";
import type { AgentModel } from "@/lib/pages/errors/scope";

import "./agent-model-heading.css";

export function AgentModelHeading({
  agentModel,
  all,
}: {
  agentModel: AgentModel;
  all: readonly AgentModel[];
}) {
  const isAmbiguous = all.some((other) => other !== agentModel && other.agent === agentModel.agent);
  return (
    <span className="agent-model-heading" title={agentModel.name}>
      <AgentMark identity={agentModel.identity} />
      <span className="agent-model-names">
        <span className="cut">{agentModel.agent}</span>
        {isAmbiguous && agentModel.model !== null ? (
          <span className="cut agent-model-version">{agentModel.model}</span>
        ) : null}
      </span>
    </span>
  );
}
