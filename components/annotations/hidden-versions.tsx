import { buildHref } from "@/lib/addresses/href";
import { formatPlural } from "@/lib/format/number";

/** How many versions a page does not show because they are too much for it, with the way to them; nothing when it shows all. */
export function HiddenVersions({ nHidden }: { nHidden: number }) {
  if (nHidden === 0) return null;
  return (
    <p className="caption">
      {formatPlural(nHidden, "more version")} of this trial would be too much for this page.{" "}
      <a href={buildHref("/annotations/export", { history: "1" })} download>
        Export with history
      </a>{" "}
      has all of them.
    </p>
  );
}
