import { ACCOUNT_LIMIT } from "@/lib/core/triage/account-limit";

const MAX_ERROR = 2000;
const CLIENT =
  /^(?:(?:terminal )?(?:api|provider|llm) error(?::| \()|stream_error:|error code: \d{3}(?: - |$)|litellm\.\w+Error:)/iu;
const SENTENCE =
  /^(?:you(?:'|’| ha)ve (?:hit|reached) your (?:[\w-]+ ){0,4}limits?|claude (?:ai|code) usage limit reached|[\w-]+ limit reached(?= [∙·] resets)|(?:your )?credit balance is too low(?: to access the (?:\w+ )?api)?|the usage limit has been reached|prompt is too long|quota exceeded|unexpected status \d{3} [^:]{1,40}|exceeded retry limit, last status|stream disconnected before completion)(?=\s*(?:[.,:;|∙·]|$))/iu;
const REPORT = new RegExp(
  String.raw`^(?:sorry, )?(?:i (?:encountered|ran into|got|hit) )?(?:an )?(?:\w+ )?(?:error(?: occurred)?|\w+Error):[^\n]{0,100}?(?:${ACCOUNT_LIMIT}|api (?:attempts?|calls?|requests?) failed|(?:service|server|model|api) (?:is |was )?(?:temporarily |currently )?(?:unavailable|overloaded)|too many requests|rate limit|bad gateway|gateway time-?out|internal server error)(?=[.,:;!(){}"'|]|$)[^\n]{0,200}$`,
  "iu",
);
const PROSE =
  /\b(?:now|done|added|fixed|handl(?:ed|er|ers|ing)|implement(?:ed|s|ation)|written|saved|tests?|the answer)\b|\bI(?:'ve)? /iu;

export function isServiceError(message: string): boolean {
  const text = message.trim();
  if (text.length > MAX_ERROR) return false;
  const head = CLIENT.exec(text) ?? SENTENCE.exec(text);
  const said = head === null ? text.slice(text.indexOf(":")) : text.slice(head[0].length);
  return (head !== null || REPORT.test(text)) && !PROSE.test(said);
}
