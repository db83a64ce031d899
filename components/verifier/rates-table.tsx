import type { Route } from "next";

import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { TableFrame } from "@/components/ui/table";
import { formatCount } from "@/lib/core/format/number";
import { verifierHref, type VerifierParams } from "@/lib/pages/annotations/review-address";
import type { VerifierView } from "@/lib/pages/verifier/view";

import "./verifier.css";

type RatesLine = VerifierView["rates"][number]["rows"][number];

const RATES = [
  { name: "tpr", label: "TPR", words: "human pass found" },
  { name: "tnr", label: "TNR", words: "human fail found" },
  { name: "ppv", label: "PPV", words: "pass confirmed" },
  { name: "npv", label: "NPV", words: "not pass confirmed" },
] as const;

const PLOT_WIDTH = 84;
const COLUMNS = 1 + 4 + RATES.length;

export function RatesTable({ rates, params }: Pick<VerifierView, "rates"> & { params: VerifierParams }) {
  return (
    <Section
      title="Humans vs verifier"
      note="95 %, weighted by how the trials were drawn"
      actions={
        <ButtonLink href={toFile(params)} look="bare" download>
          CSV
        </ButtonLink>
      }
    >
      <div className="verifier-rates">
        <fieldset className="verifier-switch">
          <legend className="screen-reader">Which rate the table shows</legend>
          {RATES.map(({ name, label }) => (
            <label key={name}>
              <input type="radio" name="verifier-rate" value={name} defaultChecked={name === "tpr"} />
              {label}
            </label>
          ))}
        </fieldset>
        <TableFrame
          caption="Humans against the verifier"
          className="table-compact"
          rooms={[]}
          head={<Head />}
        >
          {rates.map(({ title, note, rows }) => (
            <tbody key={title}>
              <tr className="verifier-group">
                <th colSpan={COLUMNS} scope="rowgroup">
                  {title} <span className="muted">{note}</span>
                </th>
              </tr>
              {rows.map((row) => (
                <Line key={row.id} row={row} />
              ))}
            </tbody>
          ))}
        </TableFrame>
      </div>
      <p className="caption table-note">
        Scale of each plot: 0 to 1. A rate requires 5 labels of each verdict it uses, or all trials of that
        verdict if there are fewer.
      </p>
    </Section>
  );
}

function toFile(params: VerifierParams): Route {
  return verifierHref(params).replace("/annotations/verifier", "/annotations/verifier/export") as Route; // The route beside the page.
}

function Head() {
  return (
    <>
      <td />
      {["Both pass", "Only verifier", "Only human", "Neither"].map((label) => (
        <th key={label} scope="col" className="numeric verifier-count">
          {label}
        </th>
      ))}
      {RATES.map(({ name, label, words }) => (
        <th key={name} scope="col" className={`verifier-${name}`}>
          <b>{label}</b> <span>{words}</span>
        </th>
      ))}
    </>
  );
}

function Line({ row }: { row: RatesLine }) {
  return (
    <tr>
      <th scope="row">
        <Name row={row} />
      </th>
      {row.counts.map((count, at) => (
        <td key={at} className={`numeric verifier-count${count === 0 ? " zero" : ""}`}>
          {formatCount(count)}
        </td>
      ))}
      {row.rates.map((cell) => (
        <Rate key={cell.name} cell={cell} />
      ))}
    </tr>
  );
}

function Name({ row: { agent, href, name } }: { row: RatesLine }) {
  if (agent !== null) return <AgentName {...agent} />;
  return href === null ? (
    <span className="verifier-all cut">{name}</span>
  ) : (
    <Link className="quiet cut" href={href}>
      {name}
    </Link>
  );
}

function Rate({ cell: { name, text, title, drawn } }: { cell: RatesLine["rates"][number] }) {
  return (
    <td className={`verifier-${name}`} title={title}>
      {drawn === null ? (
        <span className="caption">{text}</span>
      ) : (
        <span className="verifier-rate">
          <b>{text}</b>
          <IntervalPlot mark={drawn} width={PLOT_WIDTH} title={title} />
        </span>
      )}
    </td>
  );
}
