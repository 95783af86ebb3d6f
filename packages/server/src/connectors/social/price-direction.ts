type Direction = "up" | "down";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const UP = words(
  "up jump jumps jumped jumping surge surges surged surging soar soars soared soaring spike spikes spiked spiking climb " +
    "climbs climbed climbing rise rises rose rising rally rallies rallied ripping skyrocket skyrockets skyrocketed ↑ ⬆ 📈 🔺",
);
const DOWN = words(
  "down fall falls fell falling drop drops dropped dropping plunge plunges plunged plunging crash crashes crashed crashing " +
    "slide slides slid sliding tumble tumbles tumbled sink sinks sank sinking dip dips dipped tank tanks tanked ↓ ⬇ 📉 🔻",
);
/** Words that make a percentage a price: "gas prices up 3%" says nothing of a market. */
const MARKETS = words("odds chance chances probability polymarket kalshi market yes no contract contracts");
const WEATHER = words("temperature temperatures degrees weather celsius tonight overnight");
const BETWEEN = words("to → -> from now");
const DENIALS = words("not never won't wont didn't didnt doesn't doesnt");
const MAX_BETWEEN = 4;

/** The directions in which a sentence says that a market's price moved. */
export function directionOf(sentence: readonly TradeToken[]): Direction[] {
  if (sentence.some(({ lower }) => WEATHER.has(lower) || DENIALS.has(lower))) return [];
  const isOfMarket = sentence.some(({ lower }) => MARKETS.has(lower));
  const priced = sentence.flatMap((token, at) =>
    token.cents !== undefined && (isOfMarket || !token.isPercent) ? [{ at, cents: token.cents }] : [],
  );
  if (priced.length === 0) return [];
  const isOfNo = sentence.some(({ text }, at) => /^N[oO]$/u.test(text) && isMove(sentence[at + 1]));
  return [moved(sentence, priced) ?? said(sentence)].flatMap((found) =>
    found === undefined ? [] : [isOfNo ? opposite(found) : found],
  );
}

/** "from 40% to 55%", "54c → 61c". */
function moved(
  sentence: readonly TradeToken[],
  priced: readonly { at: number; cents: number }[],
): Direction | undefined {
  const [first, second] = priced;
  if (first === undefined || second === undefined || first.cents === second.cents) return undefined;
  const between = sentence.slice(first.at + 1, second.at);
  const isMoved =
    between.length > 0 && between.length <= MAX_BETWEEN && between.some(({ lower }) => BETWEEN.has(lower));
  if (!isMoved) return undefined;
  // "up to 60% from 40%" gives the end first.
  const isBackwards = between.some(({ lower }) => lower === "from");
  return second.cents > first.cents !== isBackwards ? "up" : "down";
}

function said(sentence: readonly TradeToken[]): Direction | undefined {
  const found = new Set(
    sentence.flatMap(({ lower }) => (UP.has(lower) ? ["up" as const] : DOWN.has(lower) ? ["down" as const] : [])),
  );
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

const isMove = (token: TradeToken | undefined): boolean =>
  token !== undefined && (UP.has(token.lower) || DOWN.has(token.lower));
const opposite = (direction: Direction): Direction => (direction === "up" ? "down" : "up");

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
