import { BUILD_STORIES } from "./build";
import { DATA_STORIES } from "./data";
import { NETWORK_STORIES } from "./network";
import { OPERATION_STORIES } from "./operations";
import type { Story } from "./story";
import { SYSTEM_STORIES } from "./systems";
import { TEXT_STORIES } from "./text";

const ALL: readonly Story[] = [
  ...BUILD_STORIES,
  ...TEXT_STORIES,
  ...DATA_STORIES,
  ...SYSTEM_STORIES,
  ...NETWORK_STORIES,
  ...OPERATION_STORIES,
];

/** The stories of the 24 terminal-mix tasks, by name, as the dataset lists them. */
export const STORIES: readonly Story[] = [...ALL].sort((x, y) => (x.task < y.task ? -1 : 1));
