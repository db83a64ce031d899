import { hash } from "node:crypto";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { Codebook } from "@/lib/core/domain/codebook";
import { JUDGMENTS } from "@/lib/core/domain/judgment";
import type { BlindPart } from "@/lib/core/domain/review";

import type { JudgmentRow } from "./lines";

const SCORE_NAME = "assay.judgment";

/**
 * Returns a line for each current judgment of a trial with an id: a request body that creates a score in Langfuse
 * (`CreateScoreRequest`, https://js.reference.langfuse.com/interfaces/_langfuse_core.CreateScoreRequest.html). The trace id
 * is the trial's id, which Langfuse accepts before the trace exists. `metadata` has the trial's name for other trace ids.
 * A reviewer's score of a trial keeps its id, so that a later judgment replaces it.
 */
export function* writeLangfuseScores(rows: readonly JudgmentRow[]): Generator<string> {
  for (const { annotation, reviewerKey, categoryIds } of rows) {
    const { subject, judgment, notes, status } = annotation;
    if (status !== "current" || subject.trialId === null) continue;
    const score = {
      id: hash("sha256", `${subject.trialId} ${reviewerKey}`).slice(0, 32),
      traceId: subject.trialId,
      name: SCORE_NAME,
      value: judgment,
      dataType: "CATEGORICAL",
      ...(notes === null ? {} : { comment: notes }),
      metadata: {
        version_id: annotation.versionId,
        timestamp: annotation.timestamp,
        reviewer_id: annotation.reviewerId,
        trial_name: subject.trialName,
        job_name: subject.jobName,
        categories: annotation.categories,
        category_ids: categoryIds,
        confidence: annotation.confidence,
      },
    };
    yield `${JSON.stringify(score)}\n`;
  }
}

/**
 * Returns tasks in Label Studio's import format (https://labelstud.io/guide/tasks, "Basic Label Studio JSON format"), with
 * the trial's identity and URL. `hides` omits what reviewers must not know. Contains no predictions.
 */
export function writeLabelStudioTasks(
  trials: readonly { readonly subject: AnnotationSubject; readonly url: string | null }[],
  hides: readonly BlindPart[],
): string {
  const tasks = trials.map(({ subject, url }) => {
    const agent = hides.includes("agent")
      ? {}
      : { job_name: subject.jobName, agent: subject.agent, model: subject.model ?? "" };
    const verifier = hides.includes("verifier")
      ? {}
      : { outcome: subject.outcomeSeen, reward: subject.rewardSeen ?? "" };
    const shown = {
      task: subject.taskName,
      trial: subject.trialName,
      ...agent,
      ...verifier,
      page: url ?? "",
    };
    const text = Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
    const ids = { trial_id: subject.trialId ?? "", job_id: subject.jobUuid ?? "" };
    return { data: { text: text.join("\n"), ...shown, ...ids }, predictions: [] };
  });
  return `${JSON.stringify(tasks, null, 2)}\n`;
}

/**
 * Returns a labeling configuration for these tasks with the selectable categories
 * (https://labelstud.io/tags/choices, https://labelstud.io/tags/textarea). A choice's alias is the category's id.
 */
export function writeLabelingConfig({ categories }: Codebook): string {
  const live = categories.filter(({ state }) => state === "live");
  const verdicts = JUDGMENTS.map((judgment) => `    <Choice value="${judgment}"/>`);
  const choices = live.map(
    ({ id, label }) => `    <Choice value="${escapeXml(label)}" alias="${escapeXml(id)}"/>`,
  );
  return [
    "<View>",
    `  <Text name="trial" value="$text"/>`,
    `  <Choices name="judgment" toName="trial" choice="single" required="true" showInline="true">`,
    ...verdicts,
    "  </Choices>",
    `  <Choices name="categories" toName="trial" choice="multiple">`,
    ...choices,
    "  </Choices>",
    `  <TextArea name="notes" toName="trial" rows="4" maxSubmissions="1"/>`,
    "</View>",
    "",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
