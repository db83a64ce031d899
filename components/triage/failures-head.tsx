import type { ReactNode } from "react";

import { FAILURES } from "@/components/shell/places";
import { FacetMenu } from "@/components/ui/facet-menu";
import { PageTitle } from "@/components/ui/page-title";
import { Tabs } from "@/components/ui/tabs";
import { errorsHref, scannersHref } from "@/lib/pages/errors/address";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";

import "./triage.css";

type FailuresTab = "causes" | "agent" | "task" | "exceptions" | "scanners";

export function FailuresHead({
  tab,
  params,
  counts = {},
  children,
}: {
  tab: FailuresTab;
  params: Partial<TriageParams>;
  counts?: Partial<Record<FailuresTab, number>>;
  children?: ReactNode;
}) {
  const { jobs = [], agents = [] } = params;
  const tabs = [
    ["causes", "Causes", triageHref(params, { view: "causes" })],
    ["agent", "By agent", triageHref(params, { view: "agent" })],
    ["task", "By task", triageHref(params, { view: "task" })],
    ["exceptions", "Exceptions", errorsHref({ jobs, agents })],
    ["scanners", "Scanners", scannersHref()],
  ] as const;
  return (
    <PageTitle
      title={FAILURES.label}
      tabs={
        <Tabs
          label="Failures"
          current={tab}
          tabs={tabs.map(([id, label, href]) => ({ id, label, href, count: counts[id] ?? null }))}
        />
      }
      actions={children}
    />
  );
}

export function BenchmarkMenu({ page, params }: { page: TriagePage; params: TriageParams }) {
  return (
    <FacetMenu
      label="Benchmark"
      options={page.facets.datasets.map(({ id, label, count }) => ({
        value: id,
        label,
        count,
        selected: params.datasets.includes(id),
        href: triageHref(params, { datasets: [id], open: null }),
      }))}
    />
  );
}

export function FailuresAnswer({ answer, children }: { answer: ReactNode; children?: ReactNode }) {
  return (
    <p className="failures-answer">
      <b>{answer}</b> <span className="muted">{children}</span>
    </p>
  );
}
