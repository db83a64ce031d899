import { formatReward } from "./number";

/** Shortens Python's text of a number to three decimals; whole numbers and other text stay. */
export function formatFigure(text: string): string {
  const value = text === "NaN" ? NaN : Number(text);
  if (Number.isNaN(value) && text !== "NaN") return text;
  return Number.isInteger(value) && !text.includes(".") ? text : formatReward(value);
}
