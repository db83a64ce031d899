import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import type { ValidityGate } from "@/lib/core/domain/breakdown";
import { formatPlural } from "@/lib/core/format/number";
import { openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { AsideSection, LogPlaceLink } from "./trial-parts";

export function ValiditySection({ page }: { page: TrialPage }) {
  const { evaluation, at } = page;
  const { gates, issues } = evaluation;
  const [issue] = issues;
  const doubted = gates.find((gate) => isDoubted(page, gate));
  return (
    <AsideSection title="Validity">
      <ul className="aside-list">
        {gates.map((gate) => (
          <li key={gate.name} title={gate.basis}>
            <GateLine gate={gate} isDoubted={gate === doubted} />
          </li>
        ))}
      </ul>
      {doubted === undefined ? null : (
        <p className="caption aside-sentence">
          <Doubt page={page} gate={doubted} />
        </p>
      )}
      {issue === undefined ? null : (
        <p className="caption aside-sentence">
          {evaluation.stated === null ? "No evaluation" : "Evaluation with an issue"}: {issue.message}{" "}
          <Link
            href={openTrialHref(at, { tab: "evaluation" })}
            mode="stay"
            aria-label="Issues of the evaluation"
          >
            {formatPlural(issues.length, "issue")}
          </Link>
        </p>
      )}
      <Methods>
        <ul className="aside-basis">
          {gates.map((gate) => (
            <li key={gate.name}>
              {nameGate(gate)}: {gate.basis}
            </li>
          ))}
        </ul>
      </Methods>
    </AsideSection>
  );
}

/** True if a log or the failure class contradicts a gate that the evaluation contract calls met. */
function isDoubted({ failure }: TrialPage, { name, met, doubt }: ValidityGate): boolean {
  const isOfClass = name === "verifier_completed" && failure?.failureClass === "verifier";
  return met === true && (doubt !== null || isOfClass);
}

function nameGate({ name }: ValidityGate): string {
  return name.replaceAll("_", " ");
}

function GateLine({ gate, isDoubted: isInDoubt }: { gate: ValidityGate; isDoubted: boolean }) {
  const { met } = gate;
  const word = isInDoubt ? "in doubt" : met === null ? "unknown" : met ? "yes" : "no";
  return (
    <>
      <Mark status={met === null || isInDoubt ? "unscored" : met ? "passed" : "failed"} />
      <span className="grow">{nameGate(gate)}</span>
      <span className={word === "yes" || word === "unknown" ? "muted" : ""}>{word}</span>
    </>
  );
}

function Doubt({ page, gate: { doubt } }: { page: TrialPage; gate: ValidityGate }) {
  if (doubt === null) return <>There is a reward, but: {page.failure?.why}</>;
  return (
    <>
      There is a reward, but {doubt.says}: <LogPlaceLink page={page} place={doubt.place} />
    </>
  );
}
