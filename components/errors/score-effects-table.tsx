import { AgentName } from "@/components/ui/agent-name";
import { IntervalPlot, IntervalScale } from "@/components/ui/interval-plot";
import { Methods } from "@/components/ui/methods";
import { Table } from "@/components/ui/table";
import { describeMean, formatCount, formatReward, MISSING } from "@/lib/format/number";
import type { ScoreEffect } from "@/lib/queries/errors/agents";
import type { MeanInterval, Unavailable } from "@/lib/stats";

const WIDTH = 320;
const MOST_ROWS = 12;
const SCALE = (
  <>
    <span className="screen-reader">Mean, interval and effect</span>
    <IntervalScale width={WIDTH} />
  </>
);

/** Mean reward under the three things a missing reward can count as. */
export function ScoreEffectsTable({ effects }: { effects: readonly ScoreEffect[] }) {
  if (effects.length === 0)
    return <p className="muted">Every finished trial has a reward, so nothing is missing from any mean.</p>;
  const shown = effects.slice(0, MOST_ROWS);
  return (
    <>
      <Table
        caption="Mean reward by what a missing reward counts as"
        columns={[
          { id: "agent", label: "Agent and model" },
          { id: "missing", label: "Missing rewards", numeric: true },
          { id: "zero", label: "As scored (missing as 0)", numeric: true },
          { id: "out", label: "Missing excluded", numeric: true },
          { id: "one", label: "Missing as 1", numeric: true },
          { id: "interval", label: SCALE, minor: true },
        ]}
      >
        <tbody>
          {shown.map(({ agentModel, nMissing, asScored, leftOut, asOne }) => (
            <tr key={agentModel.name}>
              <td>
                <AgentName {...agentModel} />
              </td>
              <td className="numeric">{formatCount(nMissing)}</td>
              <td className="numeric">
                <b>{formatMean(asScored)}</b>
              </td>
              <td className="numeric">{formatMean(leftOut)}</td>
              <td className="numeric">{formatMean(asOne)}</td>
              <td className="interval-cell minor">
                <EffectPlot identity={agentModel.identity} asScored={asScored} asOne={asOne} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="caption errors-note">
        Mean headline reward of finished trials: its 95 % interval (line), and from every missing reward 0 to
        every one 1 (bar).
        {effects.length > shown.length
          ? ` ${formatCount(effects.length - shown.length)} more agents have missing rewards.`
          : ""}
      </p>
      <Methods>
        <p>
          The interval is of the mean as Harbor scores it, with missing rewards as 0 and tasks as clusters.
          Timeouts that were verified have a reward, so they are not missing.
        </p>
      </Methods>
    </>
  );
}

function formatMean(mean: MeanInterval | Unavailable): string {
  return mean.kind === "computed" ? formatReward(mean.mean) : MISSING;
}

/** The interval of the mean, with the reach of the missing rewards as a bar below it. */
function EffectPlot({
  identity,
  asScored,
  asOne,
}: {
  identity: number;
  asScored: MeanInterval | Unavailable;
  asOne: MeanInterval | Unavailable;
}) {
  if (asScored.kind === "unavailable" || asOne.kind === "unavailable") return MISSING;
  const { bounds, mean } = asScored;
  const known = bounds.kind === "computed" ? bounds : null;
  return (
    <IntervalPlot
      mark={{
        value: mean,
        low: known?.low ?? null,
        high: known?.high ?? null,
        identity,
        reach: asOne.mean,
      }}
      width={WIDTH}
      title={`as scored ${describeMean(mean, known)}, at most ${formatReward(asOne.mean)}`}
    />
  );
}
