import { percent } from "@/components/ui/interval-plot";
import { PrefetchLink } from "@/components/ui/prefetch-link";
import { TimeText } from "@/components/ui/time-text";
import { STRIP_HEIGHT } from "@/lib/core/charts/benchmark-strip";
import { datasetHref } from "@/lib/pages/datasets/address";
import type { BenchmarkPanel } from "@/lib/pages/jobs/benchmark-strip";

import "./benchmark-strip.css";

/** Shows what changed: the newest jobs of the benchmarks that ran last. */
export function BenchmarkStrip({ panels }: { panels: readonly BenchmarkPanel[] }) {
  if (panels.length === 0) return null;
  return (
    <nav className="benchmark-strip" aria-label="Benchmarks that were run last">
      {panels.map((panel) => (
        <PrefetchLink key={panel.id} href={datasetHref(panel.id)} title={panel.label}>
          <span className="row benchmark-name">
            <b className="cut grow">{panel.label}</b>
            <TimeText time={panel.when} precision="day" narrow />
          </span>
          <Runs {...panel} />
          <span className="cut benchmark-change">
            {panel.change.size === null ? null : <b>{panel.change.size}</b>} {panel.change.words}
          </span>
        </PrefetchLink>
      ))}
    </nav>
  );
}

function Runs({ points, best, newest }: BenchmarkPanel) {
  const last = points.length - 1;
  const isBest = best.at === last;
  return (
    <span className="benchmark-runs">
      <svg height={STRIP_HEIGHT} aria-hidden="true">
        {points.map(({ x, y, line, title }, at) => (
          <g
            key={at}
            className={at === last ? "benchmark-newest" : at === best.at ? "benchmark-best" : undefined}
          >
            <title>{title}</title>
            {line === null ? null : (
              <line x1={percent(x)} x2={percent(x)} y1={percent(line.from)} y2={percent(line.to)} />
            )}
            <circle cx={percent(x)} cy={percent(y)} r={at === last || at === best.at ? 4 : 2.5} />
          </g>
        ))}
      </svg>
      <span className="benchmark-value" style={{ top: newest.y }}>
        {newest.text} {isBest && last > 0 ? <span className="muted">best</span> : null}
      </span>
      {isBest ? null : (
        <span className="benchmark-value muted" style={{ top: best.y }}>
          {best.text} best
        </span>
      )}
    </span>
  );
}
