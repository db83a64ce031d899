import { Methods } from "@/components/ui/methods";

export function VerifierMethods() {
  return (
    <Methods>
      <p>
        A label is what reviewers agree on, or what somebody decided. Humans count as right. A trial that is
        deferred, in conflict or waiting for another review has no label, and is counted beside the filters.
      </p>
      <p>
        Only trials drawn by chance count: random, stratified and planned queues of the same list. A list
        filtered by what came of its trials, such as the failed ones, corrects no score and gives no TPR and
        TNR: nobody drew from the others. Within an agent and verdict each of them is a simple random draw
        without replacement, so all of them together are one too, and a label stands for as many trials as its
        stratum has for each label. The planner looks at the labels so far when it says how many to draw from
        each stratum, never which trials.
      </p>
      <p>
        Corrected score: the share of trials that humans pass, stratum by stratum, added up by trials (Cochran
        1977, 5A.9). Its interval adds the Wilson intervals of the strata, narrowed by what is already
        labelled. It is for these trials, not for new tasks. Where an agent has too few labels, all agents are
        corrected by verdict alone if every queue was random.
      </p>
      <p>
        TPR: of what humans pass, the share that the verifier passes; TNR: of what they fail, the share that
        it does not pass; PPV and NPV: of what the verifier passes or not, the share where humans say the
        same. Weighted by stratum, with intervals in log odds (Korn and Graubard 1998).
      </p>
    </Methods>
  );
}
