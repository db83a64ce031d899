import type { ActionName } from "@/lib/people/accounts";

type Answer = (...args: never[]) => unknown;

const answers = new Map<string, Answer>();

/** Answers a server action in place of the server until the test ends. */
export function answerAction(name: ActionName, answer: Answer): void {
  answers.set(name, answer);
}

export function forgetAnswers(): void {
  answers.clear();
}

/** Replaces an action in a page, see `vitest.config.ts`. */
export async function callServer(name: string, args: never[]): Promise<unknown> {
  const answer = answers.get(name);
  // As if the server did not answer.
  if (answer === undefined) throw new Error(`no answer to ${name}`);
  return structuredClone(await answer(...structuredClone(args)));
}
