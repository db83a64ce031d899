import { bad, edit, read, sh } from "./story";
import type { Story } from "./story";

/** The story of `fix-locale-sort`. */
export const fixLocaleSort: Story = {
  task: "fix-locale-sort",
  workdir: "/srv/names",
  minutes: 2.1,
  kiloTokens: 19,
  prompt: `The nightly export in /srv/names sorts customer names. Since the move to the slim image the order is wrong: "Åberg" comes after "Zorn", "éclair" after "zebra", and the diff tool downstream shows thousands of changed lines.

Make export.sh produce the order it had before (Swedish collation, see golden/ for a day that was right). It runs from cron with an empty environment.`,
  explore: [
    read(
      "/srv/names/export.sh",
      `#!/bin/sh\nset -e\nexport LC_ALL=sv_SE.UTF-8\ncut -d, -f2 customers.csv | sort -u > out/names.txt`,
      "The script does ask for Swedish.",
    ),
    sh(
      "locale -a",
      "C\nC.utf8\nPOSIX",
      "But the image has no Swedish locale.",
      "sort silently falls back to C when the locale is missing: that gives byte order, exactly the symptom.",
    ),
    sh(
      "head -4 /srv/names/golden/names.txt; tail -3 /srv/names/golden/names.txt",
      "Abel\nAdèle\nAdler\nBauer\nÅberg\nÄngström\nÖberg",
      "",
      "In Swedish Å, Ä, Ö come after Z. So the golden order has Åberg at the end, after Zorn; the issue statement says Åberg after Zorn is wrong? No: today it is after zebra and friends because of bytes. Compare with golden, not with intuition.",
    ),
  ],
  work: [
    sh(
      "cd /srv/names && env -i /bin/sh ./export.sh; diff out/names.txt golden/names.txt | grep -c '^[<>]'",
      "3182",
      "Reproducing it with cron's empty environment.",
    ),
  ],
  fix: [
    sh(
      "apt-get install -y -qq locales >/dev/null && sed -i 's/^# *sv_SE.UTF-8/sv_SE.UTF-8/' /etc/locale.gen && locale-gen",
      "Generating locales (this might take a while)...\n  sv_SE.UTF-8... done\nGeneration complete.",
    ),
    edit(
      "/srv/names/export.sh",
      `export LC_ALL=sv_SE.UTF-8`,
      `export LC_ALL=sv_SE.UTF-8\nlocale -a | grep -qi '^sv_SE' || { echo "export: locale sv_SE.UTF-8 is missing" >&2; exit 3; }`,
      "A missing locale should fail loudly from now on.",
    ),
    sh(
      "cd /srv/names && env -i /bin/sh ./export.sh && diff out/names.txt golden/names.txt && echo same",
      "same",
      "Identical with the day that was right, in an empty environment.",
    ),
  ],
  tests: [
    "test_matches_golden",
    "test_empty_environment",
    "test_locale_installed",
    "test_missing_locale_is_loud",
    "test_unique_lines",
    "test_new_names_day2",
  ],
  report:
    "The slim image lacks sv_SE.UTF-8, and sort falls back to byte order without a word. I installed the locale, and export.sh now stops when it is missing. The output equals golden/ in an empty environment.",
  failures: [
    {
      kind: "misread task",
      actions: [
        edit(
          "/srv/names/export.sh",
          `sort -u`,
          `iconv -t ASCII//TRANSLIT | sort -f -u`,
          "Folding accents to ASCII gives a stable order without any locale.",
        ),
        sh("cd /srv/names && ./export.sh && head -3 out/names.txt", "Abel\nAberg\nAdele"),
      ],
      failed: [
        [
          "test_matches_golden",
          "assert names == golden",
          "AssertionError: first difference in line 2: 'Aberg' != 'Adèle'",
        ],
        ["test_new_names_day2", `assert "Öberg" in names`, "AssertionError: 'Oberg' has lost its diaeresis"],
      ],
      report: "Names are now sorted without regard to accents, so Åberg no longer comes after Zorn.",
    },
    {
      kind: "environment",
      actions: [
        bad(100, "apt-get install -y locales", "E: Unable to locate package locales"),
        edit(
          "/srv/names/export.sh",
          `sv_SE.UTF-8`,
          `C.UTF-8`,
          "The locale package cannot be installed; C.UTF-8 is available and handles UTF-8.",
        ),
      ],
      failed: [
        ["test_matches_golden", "assert names == golden", "AssertionError: 3182 lines differ"],
        [
          "test_locale_installed",
          `assert "sv_SE.utf8" in locales`,
          "AssertionError: ['C', 'C.utf8', 'POSIX']",
        ],
      ],
      report: "export.sh uses C.UTF-8 now, which sorts UTF-8 text.",
    },
  ],
};
