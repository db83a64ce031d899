import { Tabs } from "@/components/ui/tabs";
import { MISSING } from "@/lib/core/format/number";
import type { ShellModel } from "@/lib/pages/shell/shell";

export function RunsTabs({ current, shell }: { current: "jobs" | "trials" | "run-sets"; shell: ShellModel }) {
  return (
    <Tabs
      label="Lists of runs"
      current={current}
      tabs={[
        { id: "jobs", label: "Jobs", href: "/", count: shell.nJobs ?? MISSING },
        { id: "trials", label: "Trials", href: "/trials", count: shell.nTrials ?? MISSING },
        { id: "run-sets", label: "Run sets", href: "/run-sets" },
      ]}
    />
  );
}
