import { referToGlyph } from "./glyph";

import "./agent-name.css";

/** An agent's marker; `identity` 1 to 6, or 0 for the oracle and for doing nothing. See lib/charts/identity.ts. */
export function AgentMark({ identity }: { identity: number }) {
  return (
    <svg
      className={`agent-mark identity-${identity}`}
      aria-hidden="true"
      dangerouslySetInnerHTML={referToGlyph(`agent-${identity}`)}
    />
  );
}

/** A longer name may be cut. */
const MOST_SHOWN = 16;

/** An agent and its model, with the marker that stays with the pair on every page. */
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
