/** By the code in addresses and the audit log. Texts repeat nothing from the provider or the address. */
const PROBLEMS = {
  denied: (name: string) =>
    `${name} did not let you in, or you stopped there. Continue with ${name} again, or ask whoever runs it whether you may use Assay.`,
  expired: (name: string) =>
    `This sign-in took longer than 10 minutes, was finished before, or began in another browser. Continue with ${name} again.`,
  unreachable: (name: string) =>
    `${name} does not answer. Try again in a moment. If that does not help, an admin runs assay doctor.`,
  clock: (name: string) =>
    `What ${name} said is too old or not yet good by the clock of this server, so one of the two clocks is wrong. Ask an admin to set it.`,
  rejected: (name: string) =>
    `What came back from ${name} is not proven to be from it, for this Assay and for this sign-in, so nobody was signed in. ` +
    "Try again. If that does not help, the audit log tells an admin more.",
  client: (name: string) =>
    `${name} does not accept this Assay. An admin checks the client id, its secret and the callback address at ${name}.`,
  unverified: (name: string) =>
    `${name} does not say that your e-mail address is verified. Verify it there, then continue with ${name} again.`,
  domain: (name: string) =>
    `Your e-mail address at ${name} is of a domain that may not sign in here. Sign out there and use another one, or ask an admin.`,
  blocked: () => "This account is blocked. Ask an admin.",
  uninvited: () => "You have no account here yet. Ask an admin for an invitation, and open its link.",
  invitation: () => "This invitation was used, revoked, or is too old. Ask an admin for a new one.",
  name: (name: string) =>
    `Somebody has an account with your name. If it is yours, sign in with its password and connect ${name} on its page. ` +
    "Otherwise ask an admin.",
  connected: (name: string) =>
    `The two do not go together: you at ${name} belong to another account here, or this account to somebody else there. ` +
    "An admin can block the account that is not needed.",
} as const;

export type SignInProblem = keyof typeof PROBLEMS;

export function readSignInProblem(text: string | null): SignInProblem | null {
  return text !== null && Object.hasOwn(PROBLEMS, text) ? (text as SignInProblem) : null; // Just asked.
}

export function describeSignInProblem(problem: SignInProblem, name: string): string {
  return PROBLEMS[problem](name);
}
