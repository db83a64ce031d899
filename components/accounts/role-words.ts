import type { Role } from "@/lib/core/domain/account";

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "Viewers look at jobs, trials and judgments.",
  reviewer: "Reviewers look, and judge trials.",
  adjudicator: "Adjudicators judge, decide conflicts and change the codebook.",
  admin: "Admins do everything, and manage accounts.",
};
