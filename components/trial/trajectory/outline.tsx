import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { stepHref, type TrialParams } from "@/lib/addresses/trial";
import { formatCount } from "@/lib/format/number";
import type { TrialPage } from "@/lib/queries/trial/page";

import { AsideSection } from "../trial-parts";

import "./outline.css";

/** The outline of a trajectory in the left column: its parts, each a link to its first step. Nothing without one. */
export function Outline({
  page: { at, trajectory },
  search,
  currentKey,
}: {
  page: TrialPage;
  search: TrialParams;
  /** Step that is open; null where none is. */
  currentKey: string | null;
}) {
  const { outline, outlineTotal } = trajectory;
  if (outline.length === 0) return null;
  return (
    <AsideSection title="Outline">
      <ol className="outline">
        {outline.map(({ key, title, marked }) => (
          <li key={key}>
            <Link
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
          </li>
        ))}
      </ol>
      {outlineTotal > outline.length ? (
        <p className="caption">
          {outline.length} of {formatCount(outlineTotal)} steps shown.
        </p>
      ) : null}
    </AsideSection>
  );
}
