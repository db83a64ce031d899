import { Mark } from "@/components/ui/mark";
import type { ValidityGate } from "@/lib/core/domain/breakdown";
import { capitalise } from "@/lib/core/format/words";
import type { TrialPage } from "@/lib/pages/trial/page";

import { AsideSection, LogPlaceLink } from "./trial-parts";

export function ValiditySection({ page }: { page: TrialPage }) {
  const { gates } = page.evaluation;
  const doubted = gates.find((gate) => isDoubted(page, gate));
  return (
    <AsideSection title="Validity">
      <ul className="aside-list">
        {gates.map((gate) => (
          <GateLine key={gate.name} gate={gate} isDoubted={gate === doubted} />
        ))}
      </ul>
      {doubted === undefined ? null : (
        <p className="caption">
          <Doubt page={page} gate={doubted} />
        </p>
      )}
    </AsideSection>
  );
}

/** True if a log or the failure class contradicts a gate that the evaluation contract calls met. */
function isDoubted({ failure }: TrialPage, { name, met, doubt }: ValidityGate): boolean {
  const isOfClass = name === "verifier_completed" && failure?.failureClass === "verifier";
  return met === true && (doubt !== null || isOfClass);
}

function GateLine({ gate, isDoubted: isInDoubt }: { gate: ValidityGate; isDoubted: boolean }) {
  const { name, met, basis } = gate;
  const word = isInDoubt ? "in doubt" : met === null ? "unknown" : met ? "yes" : "no";
  return (
    <li>
      <Mark status={met === null || isInDoubt ? "unscored" : met ? "passed" : "failed"} />
      <span className="nowrap">{capitalise(name.replaceAll("_", " "))}</span>
      <span className="muted grow">{basis}</span>
      <span className={word === "yes" || word === "unknown" ? "muted" : ""}>{word}</span>
    </li>
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
