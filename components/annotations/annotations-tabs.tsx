import { recordedHref } from "@/lib/addresses/recorded";
import { Tabs } from "@/components/ui/tabs";
import { buildHref } from "@/lib/addresses/href";
import type { RecordedTotals } from "@/lib/store";

/** The two kinds of judgments, never counted together. Nothing where no file of the open folders holds any. */
export function AnnotationsTabs({
  current,
  totals,
  nSaved,
}: {
  current: "saved" | "recorded";
  totals: RecordedTotals;
  /** Judgments saved here; left out or null where they are not known, which is not 0. */
  nSaved?: number | null;
}) {
  if (totals.nJudgments === 0 && current === "saved") return null;
  return (
    <Tabs
      label="Where judgments stand"
      current={current}
      tabs={[
        { id: "saved", label: "Saved here", href: buildHref("/annotations"), count: nSaved ?? null },
        { id: "recorded", label: "Recorded in files", href: recordedHref(null), count: totals.nJudgments },
      ]}
    />
  );
}
