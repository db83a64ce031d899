export { serveApi as GET } from "@/lib/pages/api/lists";
