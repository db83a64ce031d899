/** Disks, sandboxes and tools have quotas too, so a word of the service must be near. */
const QUOTA = String.raw`(?<!\b(?:disk|memory|storage) )\bquota (?:(?:has been|was|is) )?(?:exceeded|exhausted)`;

/**
 * Messages of model services that block an account until its owner pays, changes plan or waits for the plan's next window.
 * Excludes limits that reset within minutes. Contains no apostrophes, so that TOML rules can include it.
 */
export const ACCOUNT_LIMIT = [
  String.raw`requires more credits|insufficient[_ ](?:quota|credits?|funds|(?:account )?balance)|payment required`,
  String.raw`(?:credit|account) balance is (?:too low|insufficient)|(?:out of|used all(?: available)?) credits|no credits? (?:left|remaining)`,
  String.raw`\b(?:http|status|status[ _]code|error|error code|api error):? ?402\b`,
  String.raw`\b(?:usage|spending|spend|credit|plan|session|hourly|daily|weekly|monthly|\d+-hour) limit (?:(?:has been|was|is) )?(?:reached|exceeded|hit)\b`,
  String.raw`\b(?:hit|reached|exceeded) (?:your|its|the) (?:[\w-]+ ){0,3}(?:usage|spending|spend|credit|plan|session|daily|weekly|monthly|\d+-hour) limit`,
  String.raw`\bhit your limit\b|\b(?:api|account|billing|spending|team|organi[sz]ation|daily|weekly|monthly) budget (?:has been )?exceeded|\bbudget (?:has been )?exceeded[^\n]{0,40}\b(?:cost|spend|billing)|exhausted your (?:[\w-]+ )?(?:capacity|quota)`,
  String.raw`(?:exceeded your (?:[\w-]+ )?quota|exceeded_current_quota|\bquota_(?:exceeded|exhausted)|\b(?:429|resource_exhausted|rate.?limit\w*|api(?! error)|account|billing|plan|usage|tokens?|requests?|daily|weekly|monthly|organi[sz]ation)\b[^\n]{0,60}${QUOTA}|${QUOTA}[^\n]{0,60}\b(?:429|metric|billing|plan|per[ -]day)\b)(?![\s\S]{0,1500}per.?minute)`,
  String.raw`\b(?:tokens|requests|free-models)[ -]per[ -]day\b|\bkey limit exceeded(?: \(\w+ limit\)|\.? manage)`,
].join("|");
