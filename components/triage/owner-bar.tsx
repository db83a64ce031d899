import { Link } from "@/components/ui/link";
import { formatCount, formatPercent } from "@/lib/core/format/number";
import { listClasses, nameHeading, OWNERS, OWNER_WORDS } from "@/lib/core/triage/classes";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";

export function OwnerBar({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { owners, classes: nBy, scope } = page;
  const total = scope.failures.length;
  const parts = OWNERS.map((owner) => ({ owner, n: owners.get(owner) ?? 0 })).filter(({ n }) => n > 0);
  return (
    <>
      <div className="owner-strip" aria-hidden>
        {parts.map(({ owner, n }) => (
          <span key={owner} className="owner-fill" data-owner={owner} style={{ flexGrow: n }} />
        ))}
      </div>
      <ul className="owner-bar" aria-label={`${formatCount(total)} trials by who can fix them`}>
        {parts.map(({ owner, n }) => {
          const classes = listClasses({ owner }).filter((one) => nBy.has(one));
          return (
            <li key={owner}>
              <Link
                href={triageHref(params, { classes: listClasses({ owner }), open: null })}
                className="owner-part"
              >
                <span>
                  <span className="owner-mark" data-owner={owner} /> <b>{formatCount(n)}</b>{" "}
                  <span className="muted">{formatPercent(n / total)}</span>
                </span>
                <span>{OWNER_WORDS[owner]}</span>
                <span className="muted owner-classes">
                  {owner === "unexplained"
                    ? "read first"
                    : classes
                        .map((one) => `${nameHeading(one)} ${formatCount(nBy.get(one) ?? 0)}`)
                        .join(", ")}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}
