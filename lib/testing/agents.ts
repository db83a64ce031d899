import type { AgentSpec } from "./record";
import type { Manner } from "./trajectory";

/** An invented agent with the way it works. */
export interface SampleAgent {
  readonly spec: AgentSpec;
  readonly manner: Manner;
  /** Time an action takes, relative to the story's minutes. */
  readonly pace: number;
  /** Share of the reading a story offers that this agent does before it acts. */
  readonly care: number;
  readonly openings: readonly string[];
  readonly system: string;
}

const SYSTEM =
  "You work in a Linux container through tools: bash, read, edit, write. Commands time out after 120 seconds. Finish with a short report of what you changed and how you checked it.";

export const ORCA: SampleAgent = {
  spec: { name: "orca", version: "1.18.2", provider: "northsea", model: "meridian-4.5" },
  manner: {
    inputPrice: 5,
    cachePrice: 0.5,
    outputPrice: 25,
    contextTokens: 22400,
    thinks: true,
    effort: "medium",
  },
  pace: 1,
  care: 0.85,
  openings: [
    "I will look at the state of the working tree first.",
    "Before changing anything I want to see what is here.",
    "Starting with the layout and the task's own notes.",
  ],
  system: SYSTEM,
};

export const ORCA_NEXT: SampleAgent = {
  ...ORCA,
  spec: { name: "orca", version: "1.21.0", provider: "northsea", model: "meridian-5" },
  manner: {
    inputPrice: 4,
    cachePrice: 0.4,
    outputPrice: 20,
    contextTokens: 24100,
    thinks: true,
    effort: "high",
  },
  pace: 0.86,
  care: 1,
};

export const LAMP: SampleAgent = {
  spec: { name: "lamp", version: "0.44.1", provider: "brightwork", model: "halyard-2" },
  manner: {
    inputPrice: 3,
    cachePrice: 0.3,
    outputPrice: 15,
    contextTokens: 27900,
    thinks: true,
    effort: null,
  },
  pace: 1.12,
  care: 0.7,
  openings: [
    "Let me get an overview of the environment.",
    "I'll start by listing the files so that I know what I am working with.",
    "First, a look around.",
  ],
  system: SYSTEM,
};

export const TERN: SampleAgent = {
  spec: { name: "tern", version: "0.9.6", provider: null, model: "kestrel-35b" },
  manner: {
    inputPrice: 0.35,
    cachePrice: 0.05,
    outputPrice: 1.2,
    contextTokens: 14800,
    thinks: false,
    effort: null,
  },
  pace: 0.78,
  care: 0.45,
  openings: ["", "Checking files.", "ls first."],
  system: SYSTEM,
};

/** Harbor's own agents: the reference solution, and one that does nothing. Neither has a model. */
export const ORACLE_SPEC: AgentSpec = { name: "oracle", version: "1.0.0", provider: null, model: null };
export const NOP_SPEC: AgentSpec = { name: "nop", version: "1.0.0", provider: null, model: null };
