import type { ChartGroup } from "@/lib/core/charts/chart-group";

import { AgentMark } from "./agent-mark";
import { MarkedName } from "./marked-name";

const MOST_SHOWN = 16;

export function AgentName({
  identity,
  agent,
  model,
}: {
  identity: number;
  agent: string;
  model: string | null;
}) {
  return (
    <span className="agent-name">
      <AgentMark identity={identity} />
      <span className="cut" title={agent.length > MOST_SHOWN ? agent : undefined}>
        {agent}
      </span>
      {model === null ? null : (
        <span className="agent-model cut" title={model.length > MOST_SHOWN ? model : undefined}>
          {model}
        </span>
      )}
    </span>
  );
}

export function GroupName({ group }: { group: ChartGroup }) {
  const { identity, variant = 0, isInk = false, isPlain = false, label, fullName } = group;
  return (
    <MarkedName
      label={label}
      {...(fullName === undefined ? {} : { title: fullName })}
      mark={{
        identity,
        ...(variant === 0 ? {} : { variant }),
        ...(isInk ? { isInk } : {}),
        ...(isPlain ? { isPlain } : {}),
      }}
    />
  );
}
