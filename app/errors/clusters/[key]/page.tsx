import type { Metadata } from "next";
import { notFound } from "next/navigation";

import {
  ClusterCounts,
  ClusterExample,
  ClusterMembers,
  ClusterRank,
  ClusterTitle,
  nameOf,
} from "@/components/clusters/cluster-parts";
import { PageFrame } from "@/components/shell/page-frame";
import { FAILURES } from "@/components/shell/places";
import { decodeSegment } from "@/lib/core/domain/segment";
import { readClusterPage } from "@/lib/pages/clusters/page";
import { getIdentityOf, getStore } from "@/lib/pages/shell/catalog";
import { triageAddress } from "@/lib/pages/triage/address";
import { getTriagePage } from "@/lib/pages/triage/page";

import "@/components/clusters/clusters.css";

export const metadata: Metadata = { title: "Cluster of failures" };

export default async function ClusterRoute({ params }: PageProps<"/errors/clusters/[key]">) {
  const { key } = await params;
  const [page, identityOf, triage] = await Promise.all([
    readClusterPage(await getStore(), decodeSegment(key)),
    getIdentityOf(),
    getTriagePage(triageAddress.read({})),
  ]);
  if (page === null) notFound();
  return (
    <PageFrame crumbs={[FAILURES, { label: nameOf(page.cluster) }]}>
      <ClusterTitle page={page} />
      <ClusterRank clusterKey={page.cluster.key} triage={triage} />
      <ClusterExample page={page} />
      <ClusterCounts page={page} identityOf={identityOf} />
      <ClusterMembers page={page} identityOf={identityOf} />
    </PageFrame>
  );
}
