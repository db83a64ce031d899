import type { Metadata } from "next";

import { SignInForm } from "@/components/accounts/sign-in";
import { Notice } from "@/components/ui/notice";
import { describeSignInProblem, readSignInProblem } from "@/lib/core/domain/sign-in-problem";
import { readWayBack, signInAddress } from "@/lib/pages/accounts/address";
import { getSignInWays } from "@/lib/pages/accounts/pages";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInRoute({ searchParams }: PageProps<"/sign-in">) {
  const { to, problem: named } = signInAddress.read(await searchParams);
  const ways = getSignInWays();
  const problem = readSignInProblem(named);
  return (
    <main id="main" className="sign-in" tabIndex={-1}>
      <h1>Sign in to Assay</h1>
      {problem === null || ways.oidcName === null ? null : (
        <Notice title="Not signed in" tone="error">
          {describeSignInProblem(problem, ways.oidcName)}
        </Notice>
      )}
      <SignInForm to={readWayBack(to)} ways={ways} />
      <p className="caption">
        {ways.hasPasswords ? "No account or lost password? Ask an admin." : "No account? Ask an admin."}
      </p>
    </main>
  );
}
