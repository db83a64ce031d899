"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";

import { CAUSE_WORDS } from "@/components/errors/rates";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { Menu } from "@/components/ui/menu";
import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatResumeCommand } from "@/lib/core/format/resume-command";
import type { Rerun } from "@/lib/pages/job/rerun";

import "./rerun.css";

function describeCause(cause: ExceptionCause): string {
  return /^(?:limit|agent)$/.test(cause) ? "counts against the agent" : CAUSE_WORDS[cause].toLowerCase();
}

/** Harbor chooses by exception type only, so a wrong answer has no row. */
export function RerunCard({ rerun: { folder, types, nTypes } }: { rerun: Rerun }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(types.filter(({ isUsual }) => isUsual).map(({ type }) => type)),
  );
  const chosen = types.filter(({ type }) => ticked.has(type));
  const command = formatResumeCommand(
    folder,
    chosen.map(({ type }) => type),
  );
  const nTrials = chosen.reduce((sum, one) => sum + one.nTrials, 0);
  const copies = `Copy for ${formatPlural(nTrials, "trial")}`;
  const nPassed = chosen.reduce((sum, one) => sum + one.nPassed, 0);
  function toggle(type: string, isOn: boolean): void {
    setTicked((before) => new Set(isOn ? [...before, type] : [...before].filter((one) => one !== type)));
  }
  return (
    <Menu className="rerun" look="button button-main" icon={RotateCw} label="Re-run failed">
      <fieldset>
        <legend>Re-run trials with these exceptions</legend>
        {types.map(({ type, cause, nTrials: n, nPassed: passed }) => (
          <label key={type} className="row">
            <input
              type="checkbox"
              checked={ticked.has(type)}
              onChange={(event) => toggle(type, event.target.checked)}
            />
            <code className="cut">{type}</code>
            <span className="muted">{describeCause(cause)}</span>
            <b>{formatCount(n)}</b>
            {passed === 0 ? null : <span className="muted">{formatCount(passed)} passed</span>}
          </label>
        ))}
      </fieldset>
      <CutNote shown={types.length} total={nTypes} noun="exceptions" />
      {chosen.length === 0 ? (
        <p className="muted">Choose at least one exception.</p>
      ) : (
        <>
          <pre className="pre-wrap sunken" tabIndex={0}>
            {command}
          </pre>
          <div className="row">
            <CopyButton text={command} label={copies}>
              {copies}
            </CopyButton>
            <p className="caption">
              Harbor deletes {nTrials === 1 ? "this trial" : "these trials"} first
              {nPassed === 0 ? "" : ` (${formatCount(nPassed)} passed)`}, and every trial folder without a
              result. Before 0.26 it runs in the folder that config.json names: check it if this one was
              moved.
            </p>
          </div>
        </>
      )}
      <p className="caption">
        Wrong answers have no exception and are never run again: that would raise the score by chance.
      </p>
    </Menu>
  );
}
