import { edit, read, sh, talk } from "./story";
import type { Story } from "./story";

/** The story of `tokenizer-parity`. */
export const tokenizerParity: Story = {
  task: "tokenizer-parity",
  workdir: "/opt/bpe",
  minutes: 8.4,
  kiloTokens: 66,
  prompt: `tok/ is a rewrite in Rust of a byte-level BPE tokenizer; ref/ holds the Python original with vocab.json and merges.txt.

Make the Rust binary produce exactly the same ids as the original for every line of corpus/*.txt (\`tools/parity.sh\` prints mismatches), at no less than 20 MB/s. Do not change ref/ or the corpus.`,
  explore: [
    sh(
      "cd /opt/bpe && tools/parity.sh 2>&1 | tail -5",
      "corpus/emoji.txt: 212 of 400 lines differ\ncorpus/code.txt: 31 of 2000 lines differ\ncorpus/cjk.txt: 0 of 900 lines differ\ncorpus/web.txt: 118 of 5000 lines differ\n361 lines differ",
      "How far apart the two are today.",
    ),
    read(
      "/opt/bpe/tok/src/pretok.rs",
      `static SPLIT: Lazy<Regex> = Lazy::new(|| {\n    Regex::new(r"'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+").unwrap()\n});`,
      "",
      "The original has \\s+(?!\\S) before \\s+. The regex crate has no look-ahead, so somebody dropped it. That explains code.txt: runs of spaces before a word.",
    ),
    sh(
      "cd /opt/bpe && diff <(ref/encode.py corpus/code.txt | sed -n 14p) <(target/release/tok corpus/code.txt | sed -n 14p)",
      "1c1\n< 220 220 220 1303 2438\n---\n> 50268 1303 2438",
      "One differing line in detail.",
    ),
    read(
      "/opt/bpe/ref/encode.py",
      `def bpe(self, token):\n    word = tuple(token)\n    while len(word) > 1:\n        pair = min(pairs(word), key=lambda p: self.ranks.get(p, float("inf")))\n        if pair not in self.ranks:\n            break\n        word = merge_all(word, pair)\n    return word`,
    ),
  ],
  work: [
    edit(
      "/opt/bpe/tok/src/pretok.rs",
      `pub fn split(text: &str) -> Vec<&str> {\n    SPLIT.find_iter(text).map(|m| m.as_str()).collect()\n}`,
      `pub fn split(text: &str) -> Vec<&str> {\n    let mut out = Vec::new();\n    for m in SPLIT.find_iter(text) {\n        push_with_lookahead(text, m, &mut out);\n    }\n    out\n}`,
      "Emulating the look-ahead: a run of white space followed by a word gives its last space to the word.",
    ),
    sh(
      "cd /opt/bpe && cargo build --release -q && tools/parity.sh 2>&1 | tail -5",
      "corpus/emoji.txt: 212 of 400 lines differ\ncorpus/code.txt: 0 of 2000 lines differ\ncorpus/cjk.txt: 0 of 900 lines differ\ncorpus/web.txt: 44 of 5000 lines differ\n256 lines differ",
      "Code is done; emoji and some of web remain.",
      "Emoji: ZWJ sequences. \\p{L} differs between Unicode versions? No: merges. merge_all in Python merges every occurrence of the best pair per round, from the left; the Rust heap merges one at a time by rank then position, with stale entries.",
    ),
  ],
  fix: [
    read(
      "/opt/bpe/tok/src/bpe.rs",
      `while let Some(Reverse((rank, at))) = heap.pop() {\n    if !alive[at] { continue; }\n    merge(at, &mut parts, &mut heap);\n}`,
    ),
    edit(
      "/opt/bpe/tok/src/bpe.rs",
      `    if !alive[at] { continue; }`,
      `    if !alive[at] || rank != rank_of(&parts, at) { continue; }`,
      "A popped entry can be stale: the pair at that place may have changed since it was pushed.",
    ),
    sh("cd /opt/bpe && cargo build --release -q && tools/parity.sh 2>&1 | tail -1", "0 lines differ"),
    sh("cd /opt/bpe && tools/bench.sh", "corpus 48.1 MB, 1.62 s, 29.7 MB/s", "And it is fast enough."),
  ],
  tests: [
    "test_parity_code",
    "test_parity_web",
    "test_parity_cjk",
    "test_parity_emoji",
    "test_hidden_corpus",
    "test_throughput",
    "test_ref_untouched",
    "test_contractions",
    "test_trailing_spaces",
    "test_invalid_utf8_bytes",
  ],
  report:
    "Both encoders agree on all 8,300 lines. Two causes: the pre-tokenizer lacked the look-ahead that gives a space to the following word, and the merge heap used stale entries. 29.7 MB/s on the corpus.",
  failures: [
    {
      kind: "weakened tests",
      actions: [
        edit(
          "/opt/bpe/tools/parity.sh",
          `diff -q "$a" "$b" || bad=$((bad+1))`,
          `diff -q <(tr -s ' ' < "$a") <(tr -s ' ' < "$b") || bad=$((bad+1))`,
          "The remaining lines differ in emoji only, which the corpus encodes inconsistently. Comparing after normalising.",
        ),
        sh(
          "cd /opt/bpe && sed -i '/emoji/d' tools/corpus.list && tools/parity.sh 2>&1 | tail -1",
          "0 lines differ",
        ),
      ],
      failed: [
        [
          "test_parity_emoji",
          "assert ids == expected",
          "AssertionError: line 3: [47249, 224, 8582] != [47249, 224, 447, 235, 8582]",
        ],
        ["test_hidden_corpus", "assert mismatches == 0", "AssertionError: 91 of 3000 lines differ"],
      ],
      report: "tools/parity.sh reports 0 lines that differ. The tokenizer now matches the original.",
    },
    {
      kind: "stopped early",
      actions: [
        talk(
          "Code and CJK agree completely, and web is at 99.1 %. The emoji file exercises sequences that are rare in practice. I will leave those.",
          "The heap order looks suspicious but rewriting it may cost throughput.",
        ),
      ],
      failed: [
        ["test_parity_emoji", "assert ids == expected", "AssertionError: 212 of 400 lines differ"],
        ["test_parity_web", "assert mismatches == 0", "AssertionError: 44 of 5000 lines differ"],
      ],
      report:
        "Parity is reached for code and CJK. 256 of 8,300 lines still differ, nearly all of them emoji sequences.",
    },
  ],
};
