import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { AgentName } from "@/components/ui/agent-name";
import type { ScoreEffect } from "@/lib/pages/errors/agents";

export function ScoreEffectsTable({ effects }: { effects: readonly ScoreEffect[] }) {
  if (effects.length === 0)
    return (
      <p className="muted">
        Every finished trial has a reward, and none was failed by infrastructure or stopped at a time limit.
      </p>
    );
  return (
    <SensitivityTable
      heading="Agent and model"
      rows={effects.map(({ agentModel, line }) => ({
        id: agentModel.name,
        name: <AgentName {...agentModel} />,
        identity: agentModel.identity,
        line,
      }))}
    />
  );
}
