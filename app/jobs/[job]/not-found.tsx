export { JobNotFound as default } from "@/components/job/not-found";
