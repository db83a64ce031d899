import { BUILD_STORIES } from "./build";
import type { Story } from "./story";
import { TEXT_STORIES } from "./text";

const ALL: readonly Story[] = [...BUILD_STORIES, ...TEXT_STORIES];

/** The stories of the terminal-mix tasks, in the order the dataset lists them. */
export const STORIES: readonly Story[] = [...ALL].sort((x, y) => (x.task < y.task ? -1 : 1));
