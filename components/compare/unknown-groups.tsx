import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/format/number";

import "./unknown-groups.css";

/** Groups that the address names and no opened folder holds. */
export function UnknownGroups({ refs }: { refs: readonly string[] }) {
  if (refs.length === 0) return null;
  return (
    <div className="unknown-groups">
      <Notice
        tone="error"
        title={`${formatPlural(refs.length, "group")} of this address ${refs.length === 1 ? "is" : "are"} not here`}
        code={refs.join("\n")}
      >
        The job was renamed, moved or deleted since the link was made, or its folder is not open. The rest are
        shown.
      </Notice>
    </div>
  );
}
