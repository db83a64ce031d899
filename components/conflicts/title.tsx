import { CommandKey } from "@/components/shell/command-key";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { verifierHref } from "@/lib/pages/annotations/review-address";
import type { ConflictsPage } from "@/lib/pages/conflicts/page";

export function describeConflicts({ rows, nTwice, open }: ConflictsPage): string {
  if (nTwice === 0) return "Agreement of reviewers on trials that two of them judged.";
  const twice = formatPlural(nTwice, "trial");
  if (rows.length === 0) return `${twice} reviewed twice or more, no conflict.`;
  const nOpen = rows.filter(({ standing }) => standing !== "decided").length;
  const left = nOpen === 0 ? "All are decided." : `${formatCount(nOpen)} not decided.`;
  return `${formatCount(rows.length)} of ${twice} reviewed twice are in conflict. ${left}${describeHidden(open)}`;
}

function describeHidden(open: ConflictsPage["open"]): string {
  const hidden = [
    ...(open?.context.agent === null ? ["agent and model"] : []),
    ...(open?.context.verifier === null ? ["verifier and tests"] : []),
  ];
  if (hidden.length === 0) return "";
  const words = hidden.join(", ");
  return ` ${words.charAt(0).toUpperCase()}${words.slice(1)} stay hidden until you decide.`;
}

export function ConflictActions({ page: { scope, next } }: { page: ConflictsPage }) {
  return (
    <>
      {next === null ? null : (
        <Link href={next} className="button button-bare" data-command="adjudication.next">
          Next conflict <CommandKey id="adjudication.next" />
        </Link>
      )}
      <ButtonLink href={verifierHref(scope)}>Verifier accuracy</ButtonLink>
    </>
  );
}
