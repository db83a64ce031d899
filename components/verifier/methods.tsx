import { Methods } from "@/components/ui/methods";

export function VerifierMethods() {
  return (
    <Methods>
      <p>
        A label is the agreed or decided judgment. Humans count as right. A trial that is deferred, in
        conflict or waiting for another review has no label, and is counted next to the filters.
      </p>
      <p>
        Only randomly sampled trials count: random, stratified and planned queues of the same list. A list
        filtered by result, such as failed trials, corrects no score and gives no TPR and TNR: its samples
        omit the other trials. Within an agent and verdict, each queue is a simple random sample without
        replacement, so all of them together are one too. A label represents as many trials as its stratum has
        per label. The planner uses earlier labels to choose how many trials to sample per stratum, never
        which.
      </p>
      <p>
        Corrected score: the share of trials that humans pass, per stratum, weighted by trials (Cochran 1977,
        5A.9). Its interval adds the Wilson intervals of the strata, narrowed by the labelled share. It is for
        these trials, not for new tasks. If an agent has too few labels, all agents are corrected by verdict
        alone if every queue was random.
      </p>
      <p>
        TPR: share of human passes that the verifier passes. TNR: share of human fails that it does not pass.
        PPV and NPV: share of the verifier’s passes, and of the others, where humans agree. Weighted by
        stratum, with intervals in log odds (Korn and Graubard 1998).
      </p>
    </Methods>
  );
}
