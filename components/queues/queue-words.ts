import type { BlindPart, QueueGoal, QueueOrder, SampleMethod } from "@/lib/core/domain/review";
import type { QueueStanding } from "@/lib/pages/queues/address";

export const GOAL_WORDS: Readonly<Record<QueueGoal, string>> = {
  "corrected-score": "Corrected score",
  "failure-causes": "Causes of failure",
  agreement: "Agreement of reviewers",
  other: "Other",
};

export const METHOD_WORDS: Readonly<Record<SampleMethod, string>> = {
  all: "All of the list",
  selection: "The selected trials",
  random: "Random sample",
  stratified: "Sample by agent and outcome",
  disagreements: "Disagreements",
  flaky: "Flaky tasks",
  clusters: "One per failure cluster",
  planned: "Where labels narrow the corrected score most",
};

export const METHOD_HINTS: Readonly<Record<SampleMethod, string>> = {
  all: "Every finished trial that matches.",
  selection: "The finished trials of your selection.",
  random: "Each matching finished trial has the same chance.",
  stratified:
    "The same number of passed and not passed trials of each agent, sampled at random. A trial that errored, timed out or was cancelled counts as not passed, even without a reward. Trials with neither a reward nor an exception are left out.",
  disagreements: "Trials whose reviewers contradict the verifier or each other.",
  flaky: "Trials of tasks that the same agent and model passed in some attempts only.",
  clusters:
    "One trial per failure cluster, largest first. A cluster is an exception type with the first line of its message, without numbers; without an exception, the failed tests or dimensions.",
  planned:
    "Unreviewed trials of the agents and outcomes where the next labels narrow the interval of the corrected score most.",
};

export const DRAWN_WORDS: Readonly<Record<SampleMethod, string>> = {
  all: "all of the list",
  selection: "selected by hand",
  random: "drawn at random",
  stratified: "drawn by agent and outcome",
  disagreements: "on which reviewers or the verifier disagree",
  flaky: "of flaky tasks",
  clusters: "one per failure cluster",
  planned: "drawn where labels narrow the corrected score most",
};

export const ORDER_WORDS: Readonly<Record<QueueOrder, string>> = {
  random: "Random",
  list: "As in the list",
};

export const BLIND_WORDS: Readonly<Record<BlindPart, string>> = {
  reviewers: "Other reviewers’ judgments",
  verifier: "The verifier’s reward and tests",
  agent: "Agent, model and job names",
  suggestions: "Suggested categories",
};

export const BLIND_NOUNS: Readonly<Record<BlindPart, string>> = {
  agent: "agent",
  verifier: "verifier",
  reviewers: "other reviewers",
  suggestions: "suggestions",
};

export const STANDING_HEADINGS: Readonly<Record<QueueStanding, string>> = {
  conflict: "Conflict",
  todo: "To do",
  waiting: "Waiting for the second reviewer",
  done: "Agreed or decided",
  skipped: "Skipped by you",
};
