import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { OutlineStep } from "@/lib/core/domain/trajectory";
import { formatPlural } from "@/lib/core/format/number";
import { stepHref } from "@/lib/pages/trial/address";

import { AsideSection, type ShownTrial } from "../trial-parts";

import "./outline.css";

export function Outline({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { outline, openPart, nAll } = trajectory;
  const currentKey = search.tab === "trajectory" ? trajectory.currentKey : null;
  if (outline.length === 0) return null;
  const draw = ({ key, title, marked }: OutlineStep) => (
    <Link
      className="choice"
      href={stepHref(at, search, { step: key })}
      mode="stay"
      aria-current={key === currentKey ? "step" : undefined}
    >
      <span className="cut grow" title={title}>
        {title}
      </span>
      {marked ? <Mark status="errored" label="has an error" /> : null}
      <span>{key}</span>
    </Link>
  );
  return (
    <AsideSection title="Outline" note={formatPlural(nAll, "step")}>
      <ol className="outline">
        {outline.map((entry) => (
          <li key={entry.key}>
            {draw(entry)}
            {openPart === null || currentKey === null || openPart.key !== entry.key ? null : (
              <ol>
                <More n={openPart.nBefore} />
                {openPart.steps.map((step) => (
                  <li key={step.key}>{draw(step)}</li>
                ))}
                <More n={openPart.nAfter} />
              </ol>
            )}
          </li>
        ))}
      </ol>
    </AsideSection>
  );
}

function More({ n }: { n: number }) {
  return n === 0 ? null : <li className="caption">{formatPlural(n, "more step")}</li>;
}
