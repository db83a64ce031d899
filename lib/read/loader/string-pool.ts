import type { AgentSetting, RewardFileReading } from "@/lib/core/domain/trial";
import { dumpPythonJson, type RewardDict } from "@/lib/core/scoring";

export class StringPool {
  private readonly strings = new Map<string, string>();
  private readonly lists = new Map<string, readonly string[]>();
  private readonly rewards = new Map<string, RewardDict>();
  private readonly rewardFiles = new Map<string, RewardFileReading>();
  private readonly settings = new Map<string, readonly AgentSetting[]>();
  private latestList: readonly string[] = [];

  share(text: string | null | undefined): string | null {
    return text === null || text === undefined ? null : this.shareText(text);
  }

  shareText(text: string): string {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    this.strings.set(text, text);
    return text;
  }

  shareRewards(rewards: RewardDict | null): RewardDict | null {
    if (rewards === null) return null;
    const key = dumpPythonJson(rewards);
    const known = this.rewards.get(key) ?? rewards;
    this.rewards.set(key, known);
    return known;
  }

  shareRewardFile(reading: RewardFileReading): RewardFileReading {
    if (reading.kind === "error") return reading;
    const rewards = reading.kind === "read" && reading.rewards ? dumpPythonJson(reading.rewards) : "";
    const key = reading.kind === "read" ? `${reading.file} ${rewards}` : "";
    const known = this.rewardFiles.get(key) ?? reading;
    this.rewardFiles.set(key, known);
    return known;
  }

  shareSettings(settings: readonly AgentSetting[]): readonly AgentSetting[] {
    const key = JSON.stringify(settings);
    const known = this.settings.get(key) ?? settings;
    this.settings.set(key, known);
    return known;
  }

  shareList(texts: readonly string[]): readonly string[] {
    const { latestList } = this;
    // Usually equals the previous list, and comparing is cheaper than building a key.
    if (texts.length === latestList.length && texts.every((text, index) => text === latestList[index]))
      return latestList;
    const key = texts.join("\0");
    const known = this.lists.get(key) ?? texts;
    this.lists.set(key, known);
    this.latestList = known;
    return known;
  }
}
