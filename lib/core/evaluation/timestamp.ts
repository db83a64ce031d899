import { Fault } from "./fault";
import type { Leniency } from "./strictness";

const FULL =
  /^(\d{4}-\d\d-\d\d)[Tt _]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:([Zz])|([+\-\u2212])([01]\d|2[0-3]):?([0-5]\d))?$/;
const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.\d*|\.\d+)$/;
/** Above this, a number is milliseconds instead of seconds. */
const MILLISECONDS_FROM = 20_000_000_000;
/** Seconds since 1970 below which digits look like a year or a date without dashes. */
const SHORT_EPOCH = 100_000_000;
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;
const MAX_LONG = 2 ** 63;
const MICROS = 1_000_000;
const DATE_LENGTH = 10;
const NAIVE = new Fault("timezone_aware", "Input should have timezone info");

/**
 * Reads and writes a time as pydantic does, truncated to microseconds. Numbers are seconds, or milliseconds above 20,000,000,000.
 */
export function readTimestamp(value: unknown, leniency: Leniency): string | Fault {
  if (typeof value === "string") return readText(value, leniency);
  if (typeof value !== "number") return new Fault("datetime_type", "Input should be a valid datetime");
  const text = readEpoch(value, leniency);
  if (!(text instanceof Fault)) return text;
  // Python does not pass integers beyond a C long on as numbers.
  const isHugeInt = Number.isInteger(value) && Math.abs(value) >= MAX_LONG && Math.abs(value) < 1e21;
  if (isHugeInt) return new Fault("datetime_type", "Input should be a valid datetime");
  return new Fault("datetime_parsing", `Input should be a valid datetime, ${text.message}`);
}

function readText(text: string, leniency: Leniency): string | Fault {
  const dateFault = findDateFault(text);
  const match = dateFault === null ? FULL.exec(text) : null;
  if (match !== null) return writeMoment(match, leniency);
  if ((INTEGER.test(text) && Math.abs(Number(text)) < MAX_LONG) || DECIMAL.test(text)) {
    const moment = readEpoch(Number(text), leniency);
    return moment instanceof Fault ? dateFaultOf(moment.message) : moment;
  }
  if (dateFault !== null) return dateFaultOf(dateFault);
  if (text.length > DATE_LENGTH) return dateFaultOf("unexpected extra characters at the end of the input");
  return leniency.looseTimestamps ? refuseYearZero(`${text}T00:00:00`) : NAIVE;
}

function dateFaultOf(reason: string): Fault {
  return new Fault("datetime_from_date_parsing", `Input should be a valid datetime or date, ${reason}`);
}

function writeMoment(match: RegExpExecArray, leniency: Leniency): string | Fault {
  const [, date = "", hour = "", minute = "", second = "00", fraction = ""] = match;
  const offset = writeOffset(match);
  if (offset === "" && !leniency.looseTimestamps) return NAIVE;
  return refuseYearZero(`${date}T${hour}:${minute}:${second}${writeMicros(fraction)}${offset}`);
}

function refuseYearZero(moment: string): string | Fault {
  if (!moment.startsWith("0000")) return moment;
  return new Fault("datetime_parsing", "Input should be a valid datetime, year 0 is out of range");
}

function writeMicros(digits: string): string {
  const micros = digits.slice(0, 6).padEnd(6, "0");
  return micros === "000000" ? "" : `.${micros}`;
}

function writeOffset(match: RegExpExecArray): string {
  if (match[6] !== undefined) return "Z";
  if (match[7] === undefined) return "";
  const clock = `${match[8] ?? ""}:${match[9] ?? ""}`;
  return clock === "00:00" ? "Z" : `${match[7] === "+" ? "+" : "-"}${clock}`;
}

/** Returns the first problem with the ten characters of a date, in pydantic's order of checks, or null. */
function findDateFault(text: string): string | null {
  if (new TextEncoder().encode(text.slice(0, 10)).length < 10) return "input is too short";
  if (!/^\d{4}/.test(text)) return "invalid character in year";
  if (text.charAt(4) !== "-") return "invalid date separator, expected `-`";
  if (!/^\d\d$/.test(text.slice(5, 7))) return "invalid character in month";
  if (text.charAt(7) !== "-") return "invalid date separator, expected `-`";
  if (!/^\d\d$/.test(text.slice(8, 10))) return "invalid character in day";
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8, 10));
  if (month < 1 || month > 12) return "month value is outside expected range of 1-12";
  return day < 1 || day > countDays(Number(text.slice(0, 4)), month)
    ? "day value is outside expected range"
    : null;
}

function countDays(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns the time of a number, or a fault with the reason. */
function readEpoch(value: number, leniency: Leniency): string | Fault {
  if (!leniency.looseTimestamps) return new Fault("", "numbers are not accepted");
  if (Number.isNaN(value)) return new Fault("", "NaN values not permitted");
  if (!leniency.shortEpochs && Math.abs(value) < SHORT_EPOCH) {
    return new Fault("", "digits of a year or date are not taken for seconds");
  }
  // The reference chooses the units of the whole part and of the fraction separately.
  const whole = Math.trunc(value);
  const isMillis = Math.abs(whole) > MILLISECONDS_FROM;
  const fraction = (value - whole) * (Math.abs(value) > MILLISECONDS_FROM ? 1000 : MICROS);
  const seconds = isMillis ? Math.floor(whole / 1000) : whole;
  const micros = (isMillis ? (whole - seconds * 1000) * 1000 : 0) + roundHalfAway(fraction);
  const carried = Math.floor(micros / MICROS);
  return writeEpoch(value, seconds + carried, micros - carried * MICROS);
}

function roundHalfAway(x: number): number {
  return Math.sign(x) * Math.round(Math.abs(x));
}

function writeEpoch(value: number, second: number, micros: number): string | Fault {
  if (value === Infinity || second > LAST_SECOND) {
    return new Fault("", "dates after 9999 are not supported as unix timestamps");
  }
  if (value === -Infinity || second < FIRST_SECOND) {
    return new Fault("", "dates before 0000 are not supported as unix timestamps");
  }
  const [date = "", clock = ""] = new Date(second * 1000).toISOString().split("T");
  if (date.startsWith("0000")) return new Fault("", "year 0 is out of range");
  return `${date}T${clock.slice(0, 8)}${writeMicros(String(micros).padStart(6, "0"))}Z`;
}
