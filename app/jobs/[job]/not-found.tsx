import { JobNotFound } from "@/components/job/not-found";

export default function NotFound() {
  return <JobNotFound />;
}
