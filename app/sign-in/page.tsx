import type { Metadata } from "next";

import { SignInForm } from "@/components/accounts/sign-in-form";
import { readWayBack, signInAddress } from "@/lib/addresses/accounts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInRoute({ searchParams }: PageProps<"/sign-in">) {
  const { to } = signInAddress.read(await searchParams);
  return (
    <main id="main" className="sign-in" tabIndex={-1}>
      <h1>Sign in to Assay</h1>
      <SignInForm to={readWayBack(to)} />
      <p className="caption">No account, or the password is lost? Ask an admin of this Assay.</p>
    </main>
  );
}
