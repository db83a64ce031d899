import type { LoadIssue } from "@/lib/core/domain/load-issue";

const MOST_ISSUES = 20;

export class MirrorIssues {
  private readonly issues: LoadIssue[] = [];
  private nIssues = 0;

  reset(): void {
    this.issues.length = 0;
    this.nIssues = 0;
  }

  note(code: LoadIssue["code"], path: string, detail: string): void {
    this.nIssues++;
    if (this.nIssues <= MOST_ISSUES) this.issues.push({ code, path, detail });
  }

  noteStop(issue: Pick<LoadIssue, "code" | "detail">): void {
    if (!this.issues.some(({ path, detail }) => path === "" && detail === issue.detail))
      this.issues.unshift({ ...issue, path: "" });
  }

  list(): readonly LoadIssue[] {
    const more = this.nIssues - MOST_ISSUES;
    if (more <= 0) return this.issues;
    return [
      ...this.issues,
      { code: "object_not_fetched", path: "", detail: `${more} more objects are not here.` },
    ];
  }
}
