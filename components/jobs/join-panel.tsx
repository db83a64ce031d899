import { X } from "lucide-react";

import { CheckList } from "@/components/compare/run-sets";
import { ForAction } from "@/components/shell/account-context";
import { IntervalPlot, IntervalScale } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import type { JoinPanel as Panel } from "@/lib/pages/run-sets/jobs-run-sets";

import { JoinForm } from "./run-set-forms";

import "./join-panel.css";

export function JoinPanel({ panel, params }: { panel: Panel; params: JobsParams }) {
  const { members, unknown, checks, rows, joined } = panel;
  const close = jobsHref(params, { join: [], page: params.page });
  const nKnown = members.reduce((sum, member) => sum + member.nKnown, 0);
  return (
    <aside className="panel side-panel join-panel" aria-label="New run set">
      <div className="row">
        <h2>New run set</h2>
        <Link href={close} className="button button-bare join-close" title="Close without saving">
          <X size={14} aria-hidden />
          <span className="screen-reader">Close without saving</span>
        </Link>
      </div>
      <ForAction action="saveRunSetAction" subject="Counting runs together">
        <JoinForm
          // Resets the name for another selection.
          key={members.map(({ ref }) => ref).join(" ")}
          name={panel.name}
          refs={members.map(({ ref }) => ref)}
          rule={panel.rule}
          params={params}
        />
      </ForAction>
      {unknown.length === 0 ? null : <p role="alert">Not open, so left out: {unknown.join(", ")}.</p>}
      <h3>
        Members{" "}
        <span className="muted">
          {formatPlural(members.length, "run")}, {formatPlural(joined.nTrials, "trial")},{" "}
          {nKnown === 0
            ? "no rollout counted twice"
            : `${formatPlural(nKnown, "trial")} left out: an earlier run has the same rollout`}
        </span>
      </h3>
      <Members panel={panel} params={params} />
      <Guard checks={checks} />
      <Changes rows={rows} nRuns={members.length} />
      <Means panel={panel} />
    </aside>
  );
}

function Members({ panel: { members }, params }: { panel: Panel; params: JobsParams }) {
  return (
    <ul className="join-members">
      {members.map(({ ref, jobName, nTrials, when }) => (
        <li key={ref} className="row">
          <span className="cut" title={ref}>
            {jobName}
          </span>
          <span className="muted">
            {formatPlural(nTrials, "trial")}, <TimeText time={when} narrow />
          </span>
          <Link
            href={jobsHref(params, {
              join: members.map((member) => member.ref).filter((one) => one !== ref),
              page: params.page,
            })}
            title={`Leave out ${jobName}`}
          >
            <X size={12} aria-hidden />
            <span className="screen-reader">Leave out {jobName}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Guard({ checks }: Pick<Panel, "checks">) {
  if (checks.length === 0) return null;
  const nSame = checks.filter(({ state }) => state === "same").length;
  const differs = checks.some(({ state }) => state === "differs");
  return (
    <>
      <h3>
        Runs of the same{" "}
        <span className="muted">
          {formatCount(nSame)} of {formatPlural(checks.length, "check")}
        </span>
      </h3>
      {differs ? <p className="caption">Differences are marked on every figure of this set.</p> : null}
      <CheckList checks={checks} />
    </>
  );
}

function Changes({ rows, nRuns }: Pick<Panel, "rows"> & { nRuns: number }) {
  if (nRuns < 2) return null;
  const notes = rows.flatMap(({ note }) => note ?? []);
  return (
    <>
      <table className="join-changes">
        <caption>Effect of counting them together</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="screen-reader">Figure</span>
            </th>
            <th scope="col" className="numeric">
              Each of {nRuns}
            </th>
            <th scope="col" className="numeric">
              Together
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, each, joined }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="numeric">{each}</td>
              <td className="numeric">
                <b>{joined}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note} className="caption">
          {note}
        </p>
      ))}
    </>
  );
}

function Means({ panel: { members, joined, identity } }: { panel: Panel }) {
  const lines = [
    ...members.map((member) => ({ ...member, key: member.ref, name: member.jobName, isJoined: false })),
    ...(members.length < 2 ? [] : [{ ...joined, key: "joined", name: "together", isJoined: true }]),
  ];
  return (
    <table className="join-means">
      <caption>Mean reward, 95 % interval</caption>
      <thead>
        <tr>
          <td />
          <td>
            <IntervalScale width={124} />
          </td>
          <td />
        </tr>
      </thead>
      <tbody>
        {lines.map(({ key, name, mean, low, high, isJoined }) => (
          <tr key={key} className={isJoined ? "join-joined" : undefined}>
            <th scope="row" className="cut">
              {name}
            </th>
            <td>
              <IntervalPlot
                width={124}
                title={
                  low === null
                    ? "No interval"
                    : `${formatReward(mean)}, 95 % from ${formatReward(low)} to ${formatReward(high)}`
                }
                mark={low === null ? null : { value: mean, low, high, identity }}
              />
            </td>
            <td className="numeric">{mean === null ? <Unknown /> : formatReward(mean)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
