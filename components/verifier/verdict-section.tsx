import { Mark } from "@/components/ui/mark";
import { formatCount } from "@/lib/core/format/number";
import type { VerifierView } from "@/lib/pages/verifier/view";

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

export function ConfusionTable({ cells, caption }: { cells: VerifierView["matrix"]; caption: string }) {
  const [bothPassed, onlyHuman, onlyVerifier, bothFailed] = cells;
  return (
    <table className="verifier-matrix">
      <caption className="screen-reader">{caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            <VerdictHeading status="passed" words="Verifier pass" />
          </th>
          <th scope="col">
            <VerdictHeading status="failed" words="Verifier not pass" />
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            <VerdictHeading status="passed" words="Human pass" />
          </th>
          <Cell cell={bothPassed} />
          <Cell cell={onlyHuman} kind="too strict" />
        </tr>
        <tr>
          <th scope="row">
            <VerdictHeading status="failed" words="Human fail" />
          </th>
          <Cell cell={onlyVerifier} kind="too lenient" />
          <Cell cell={bothFailed} />
        </tr>
      </tbody>
    </table>
  );
}

export function VerdictHeading({ status, words }: { status: "passed" | "failed"; words: string }) {
  return (
    <span className="status-word">
      <Mark status={status} />
      {words}
    </span>
  );
}

/** Ink of the darkest cell, in percent. */
const MOST_INK = 26;

function Cell({
  cell: { count, share, trials },
  kind = count === 1 ? "label" : "labels",
}: {
  cell: VerifierView["matrix"][number];
  kind?: string;
}) {
  const ink = `${(share * MOST_INK).toFixed(1)}%`;
  return (
    <td style={{ background: `color-mix(in srgb, var(--ink) ${ink}, var(--paper))` }}>
      <b>{formatCount(count)}</b> <span>{kind}</span>
      {trials === null ? null : <span className="verifier-trials">{trials}</span>}
    </td>
  );
}
