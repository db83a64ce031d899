import { TrialNotFound } from "@/components/trials/trial-not-found";

export default function NotFound() {
  return <TrialNotFound />;
}
