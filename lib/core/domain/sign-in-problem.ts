/** By the code in addresses and the audit log. Texts repeat nothing from the provider or the address. */
const PROBLEMS = {
  denied: (name: string) =>
    `${name} refused the sign-in, or you cancelled it. Continue with ${name} again, or ask its administrator for access to Assay.`,
  expired: (name: string) =>
    `This sign-in took longer than 10 minutes, was already used, or began in another browser. Continue with ${name} again.`,
  unreachable: (name: string) =>
    `${name} does not answer. Try again in a moment. If that does not help, ask an admin to run assay doctor.`,
  clock: (name: string) =>
    `The answer of ${name} is expired or not yet valid by this server's clock, so one of the two clocks is wrong. Ask an admin to set it.`,
  rejected: (name: string) =>
    `Could not verify that the answer is from ${name}, for this Assay and for this sign-in. You were not signed in. ` +
    "Try again. If that does not help, ask an admin to check the audit log.",
  client: (name: string) =>
    `${name} does not accept this Assay. Ask an admin to check the client ID, its secret and the callback URL at ${name}.`,
  unverified: (name: string) =>
    `${name} does not confirm that your e-mail address is verified. Verify it there, then continue with ${name} again.`,
  domain: (name: string) =>
    `The domain of your e-mail address at ${name} is not allowed here. Sign out there and use another address, or ask an admin.`,
  blocked: () => "This account is blocked. Ask an admin.",
  uninvited: () => "You have no account here yet. Ask an admin for an invitation, and open its link.",
  invitation: () => "This invitation was used, was revoked or has expired. Ask an admin for a new one.",
  name: (name: string) =>
    `An account with your name already exists. If it is yours, sign in with its password and connect ${name} on its page. ` +
    "Otherwise ask an admin.",
  connected: (name: string) =>
    `Could not connect the accounts. Your ${name} account belongs to another account here, or this account to another user there. ` +
    "Ask an admin to block the account that is not needed.",
} as const;

export type SignInProblem = keyof typeof PROBLEMS;

export function readSignInProblem(text: string | null): SignInProblem | null {
  return text !== null && Object.hasOwn(PROBLEMS, text) ? (text as SignInProblem) : null; // Checked in this line.
}

export function describeSignInProblem(problem: SignInProblem, name: string): string {
  return PROBLEMS[problem](name);
}
