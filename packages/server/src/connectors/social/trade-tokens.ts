/** A word as written and in lower case, or, if it is one, a share price in hundredths of a dollar. */
export type TradeToken = {
  readonly text: string;
  readonly lower: string;
  /** 12c, 12¢, $0.12 and .12 are 12, in cents or dollars; 12% is 12 as a percentage; absent for other tokens. */
  readonly cents?: number;
  readonly isPercent?: boolean;
};

const TOKENS =
  /\$?(?:\d+(?:[.,]\d+)*|\.\d+)\s?(?:¢|cents?\b|c\b|%|pct\b|percent\b)?|\p{L}+(?:['’]\p{L}+)*|->|[^\s\p{L}\p{N}]/gu;
const PRICE = /^(\$?)(\d+(?:\.\d+)?|\.\d+)\s?(¢|cents?|c|%|pct|percent)?$/u;

export const toTradeTokens = (sentence: string): TradeToken[] =>
  [...sentence.matchAll(TOKENS)].map(([text]) =>
    Object.assign({ text, lower: text.toLowerCase().replaceAll("’", "'") }, priceOf(text)),
  );

function priceOf(text: string): { cents: number; isPercent: boolean } | undefined {
  const [, dollar, digits = "", unit = ""] = PRICE.exec(text) ?? [];
  if (digits === "") return undefined;
  const isPercent = ["%", "pct", "percent"].includes(unit);
  const value = Number(digits);
  const cents = unit === "" ? value * 100 : value;
  // Without a unit only a fraction of a dollar is a price: $0.54, .54.
  if (unit === "" && !(value < 1 && (dollar === "$" || digits.includes(".")))) return undefined;
  return cents > 0 && cents <= 100 ? { cents, isPercent } : undefined;
}
