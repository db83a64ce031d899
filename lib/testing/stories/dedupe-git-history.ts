import { edit, sh, write } from "./story";
import type { Story } from "./story";

/** The story of `dedupe-git-history`. */
export const dedupeGitHistory: Story = {
  task: "dedupe-git-history",
  workdir: "/repos/mono",
  minutes: 6.7,
  kiloTokens: 45,
  prompt: `/repos/mono was merged from two clones of the same project: 1,240 commits appear twice with different hashes (same tree, author, date and message, other parents). The repository has 3,118 commits.

Rewrite the history so that each change appears once, keep all branches and tags pointing at equivalent commits, keep merge commits that merge real work, and write map.tsv (old hash, new hash) for all 3,118. The tree of every branch tip must be unchanged.`,
  explore: [
    sh(
      "cd /repos/mono && git rev-list --all --count && git log --all --format='%T %at %ae %s' | sort | uniq -d | wc -l",
      "3118\n1240",
      "The pairs can be found by tree, date, author and subject.",
    ),
    sh(
      "cd /repos/mono && git for-each-ref --format='%(refname) %(objecttype)' | awk '{print $2}' | sort | uniq -c",
      "     14 commit\n      9 tag",
      "14 branches, 9 annotated tags: tags need rewriting too.",
    ),
    sh(
      "cd /repos/mono && git log --all --merges --format=%h | wc -l; which git-filter-repo; git --version",
      "211\n/usr/bin/git-filter-repo\ngit version 2.43.0",
      "",
      "filter-repo cannot merge two lines on its own. I build the mapping myself in topological order and create commits with commit-tree, then update the refs.",
    ),
  ],
  work: [
    write(
      "/repos/dedupe.py",
      `for old in rev_list("--topo-order", "--reverse", "--all"):\n    c = commit(old)\n    parents = unique(new[p] for p in c.parents)\n    key = (c.tree, c.author, c.author_date, c.message)\n    twin = seen.get(key)\n    if twin is not None and new_parents(twin) == parents:\n        new[old] = twin\n        continue\n    if len(c.parents) > 1 and len(parents) == 1 and tree(parents[0]) == c.tree:\n        new[old] = parents[0]\n        continue\n    new[old] = seen[key] = commit_tree(c, parents)`,
      "Oldest first: a twin is the same change on the same new parents; a merge of twins with nothing of its own disappears.",
    ),
    sh(
      "cd /repos/mono && cp -r . /repos/try && cd /repos/try && python3 ../dedupe.py && git rev-list --all --count",
      "1881",
      "On a copy first. I expect 3,118 - 1,240 = 1,878 and some empty merges less.",
      "1881 > 1878: three duplicates are left. Their messages probably differ in white space or the Signed-off-by trailer.",
    ),
  ],
  fix: [
    sh(
      "cd /repos/try && git log --all --format='%T %at %ae' | sort | uniq -d | head -3",
      "41c07fe 1712040011 mara@lab.example\n9a0b2d1 1712049184 mara@lab.example\nf3350c8 1712051002 mara@lab.example",
      "Same tree, date and author: only the message differs.",
    ),
    edit(
      "/repos/dedupe.py",
      "    key = (c.tree, c.author, c.author_date, c.message)",
      "    key = (c.tree, c.author, c.author_date, normalise(c.message))",
      "Trailing spaces and CRLF in messages are normalised for the comparison only; the first message is kept.",
    ),
    sh(
      "cd /repos/mono && python3 ../dedupe.py --refs --tags && git rev-list --all --count && wc -l < map.tsv && python3 ../tips.py",
      "1840\n3118\n14 of 14 branch tips have the same tree\n9 of 9 tags point at equivalent commits",
      "Now for real, with refs and tags.",
    ),
    sh(
      "cd /repos/mono && git fsck --full 2>&1 | tail -1; git log --merges --all --oneline | wc -l",
      "Checking objects: 100% (20417/20417), done.\n173",
    ),
  ],
  tests: [
    "test_no_duplicate_changes",
    "test_branch_tip_trees",
    "test_tags_equivalent",
    "test_map_complete",
    "test_real_merges_kept",
    "test_authors_and_dates",
    "test_fsck",
    "test_no_orphan_branches",
  ],
  report:
    "Each change appears once: 1,840 commits instead of 3,118 (1,240 twins and 38 merges without work of their own are gone). All 14 branch tips have their old trees, 9 tags are rewritten, map.tsv has 3,118 lines, git fsck is clean.",
  failures: [
    {
      kind: "misread task",
      actions: [
        sh(
          "cd /repos/mono && git filter-repo --force --commit-callback 'commit.skip() if commit.original_id in DUP else None'",
          "Parsed 3118 commits\nNew history written in 2.31 seconds",
          "Skipping the second of each pair with filter-repo.",
        ),
        sh(
          "cd /repos/mono && git rev-list --all --count && cut -f1,2 .git/filter-repo/commit-map > map.tsv",
          "1878",
        ),
      ],
      failed: [
        ["test_map_complete", "assert zero == []", "AssertionError: 1240 old hashes map to 0000000000000000"],
        ["test_real_merges_kept", "assert merges >= 173", "AssertionError: 88 merges are left"],
      ],
      report: "The duplicated commits are removed: 1,878 commits are left, and map.tsv has the mapping.",
    },
  ],
};
