import type { CorrelationCell, CorrelationMatrix } from "@/lib/core/charts/correlation-matrix";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";

export function CorrelationTable({
  matrix,
  of,
  isOpen,
}: {
  matrix: CorrelationMatrix;
  of: string;
  isOpen: boolean;
}) {
  const { names, rows, usualN, reasons } = matrix;
  return (
    <details className="correlation" open={isOpen}>
      <summary>
        Correlations <span className="muted">of {of}</span>
      </summary>
      <div className="table-scroll" role="group" aria-label="Correlations" tabIndex={0}>
        <table className="correlation-table">
          <caption className="screen-reader">Correlations of {of}, each pair once</caption>
          <thead>
            <tr>
              <td />
              {names.slice(0, -1).map((name, index) => (
                <th key={name} scope="col" title={name}>
                  {index + 1}
                  <span className="screen-reader"> {name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              <tr key={index}>
                <th scope="row">
                  <span className="muted">{index + 1}</span> {names[index]}
                </th>
                {cells.map((cell, other) => (
                  <Cell key={other} cell={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption table-note">
        Pearson&rsquo;s r over the {formatPlural(usualN, "trial")} that report both dimensions, or over n if a
        cell shows one.{" "}
        {reasons.map(({ words, count }) => `${MISSING} in ${formatPlural(count, "pair")}: ${words}. `)}
      </p>
    </details>
  );
}

function Cell({ cell }: { cell: CorrelationCell }) {
  return (
    <td className={cell.text === null ? "unknown" : `correlation-${cell.strength}`} title={cell.title}>
      {cell.text ?? MISSING}
      {cell.n === null ? null : <small className="caption">n {formatCount(cell.n)}</small>}
    </td>
  );
}
