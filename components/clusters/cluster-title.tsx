import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-title";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import type { ClusterPage } from "@/lib/pages/clusters/page";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

import { ClusterName } from "./cluster-name";
import { nameOf, summarise } from "./cluster-words";

export function ClusterTitle({ page }: { page: ClusterPage }) {
  const { cluster, named } = page;
  const list = { isOfAllJobs: true, clusters: [cluster.key] } as const;
  const history = named?.history ?? [];
  return (
    <>
      <PageTitle
        title={nameOf(cluster)}
        summary={summarise(page)}
        actions={
          <>
            <ButtonLink href={trialsPageHref(null, list)}>List trials</ButtonLink>
            <ForAction action="makeQueueAction">
              <ButtonLink href={newQueueHref({ list: writeTrialsList(list) })}>New queue</ButtonLink>
            </ForAction>
          </>
        }
      />
      <ClusterName
        clusterKey={cluster.key}
        name={cluster.name}
        base={history.at(-1)?.seq ?? 0}
        history={history.toReversed()}
      />
    </>
  );
}
