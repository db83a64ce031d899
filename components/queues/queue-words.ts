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
  selection: "The finished ones of the trials that you selected.",
  random: "Each finished trial that matches has the same chance.",
  stratified:
    "As many of each agent’s trials that passed as of those that did not, drawn at random. A trial that errored, timed out or was cancelled counts as not passed, also without a reward; one with neither a reward nor an exception is left out.",
  disagreements: "Trials whose reviewers contradict the verifier or each other.",
  flaky: "Trials of tasks that the same agent and model passed in some attempts and not in others.",
  clusters:
    "One trial of each kind of failure, the largest first. A cluster is an exception type with the first line of its message, without its numbers; where there is no exception, the failed tests or dimensions.",
  planned:
    "Trials that nobody reviewed yet, of those agents and outcomes where the next labels narrow the interval of the corrected score most.",
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
  random: "Random, as drawn",
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
