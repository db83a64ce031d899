import { Mark } from "@/components/ui/mark";
import { formatCount } from "@/lib/core/format/number";
import type { MatrixCell, VerifierView } from "@/lib/pages/verifier/view-types";

import "./verifier.css";

export function VerdictSection({ verdict, matrix }: Pick<VerifierView, "verdict" | "matrix">) {
  return (
    <section className="verifier-verdict" aria-label="Verdict">
      <div>
        <p className="verifier-headline">{verdict.headline}</p>
        <p className="verifier-sentences">{verdict.sentences.join(" ")}</p>
      </div>
      <ConfusionTable cells={matrix} caption="Labels by verifier and human" />
    </section>
  );
}

const KINDS = ["", "too strict", "too lenient", ""] as const;

export function ConfusionTable({ cells, caption }: { cells: VerifierView["matrix"]; caption: string }) {
  return (
    <table className="verifier-matrix">
      <caption className="screen-reader">{caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            <span className="status-word">
              <Mark status="passed" />
              Verifier pass
            </span>
          </th>
          <th scope="col">
            <span className="status-word">
              <Mark status="failed" />
              Verifier not pass
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            <span className="status-word">
              <Mark status="passed" />
              Human pass
            </span>
          </th>
          <Cell cell={cells[0]} kind={KINDS[0]} />
          <Cell cell={cells[1]} kind={KINDS[1]} />
        </tr>
        <tr>
          <th scope="row">
            <span className="status-word">
              <Mark status="failed" />
              Human fail
            </span>
          </th>
          <Cell cell={cells[2]} kind={KINDS[2]} />
          <Cell cell={cells[3]} kind={KINDS[3]} />
        </tr>
      </tbody>
    </table>
  );
}

/** Ink of the darkest cell, in percent. */
const MOST_INK = 26;

function Cell({ cell: { count, share, trials }, kind }: { cell: MatrixCell; kind: string }) {
  const ink = `${(share * MOST_INK).toFixed(1)}%`;
  return (
    <td style={{ background: `color-mix(in srgb, var(--ink) ${ink}, var(--paper))` }}>
      <b>{formatCount(count)}</b> <span>{kind === "" ? (count === 1 ? "label" : "labels") : kind}</span>
      {trials === null ? null : <span className="verifier-trials">{trials}</span>}
    </td>
  );
}
