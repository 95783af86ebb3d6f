import type { EventRule, Rules } from "./build-rules.ts";
import type { Context, MarketRule } from "./market-rule.ts";
import type { Named, NamedTimes } from "./fold-text.ts";

/** Share of the weight of a question's words that has to be found, besides the market's distinguishing concept. */
const OWN_SHARE = 0.45;
/** The same for a question that stands alone, or whose answers are parties. */
const ALONE_SHARE = 0.6;
/** An election further away than this is meant only if its year is named. */
const FAR_MS = 365 * 86_400_000;
const TITLE_SHARE = 0.99;
/** Distance in letters within which words that belong together occur. */
const REACH = 140;

/** Positions of each concept, and the years and months that the text names. */
export type Found = NamedTimes & {
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** Time of the post (Unix ms). */
  readonly tsMs: number | undefined;
};

/** Whether a text is about a market; `anchor` is the concept by which the rule was found. */
export function isAboutMarket(rule: MarketRule, anchor: number, found: Found, rules: Rules): boolean {
  return (found.places.get(anchor) ?? []).some(
    (at) =>
      isOfItsTime(rule, at, found) &&
      isOfItsRace(rule, at, found, rules) &&
      rule.required.every((concept) => isNear(found, concept, at)) &&
      rule.contexts.some((context) => fitsContext(rule, context, at, found, rules)),
  );
}

function fitsContext(rule: MarketRule, context: Context, at: number, found: Found, rules: Rules): boolean {
  const { words, names, needed, requested } = context;
  const isSaid = (concept: number): boolean => isNear(found, concept, at);
  if (requested.length > 0 && !rule.isThing && !requested.some(isSaid)) return false;
  if (rule.own === undefined) {
    if (!needed.every(isSaid)) return false;
    if (names.length > 0 && (requested.length > 0 || rule.isThing)) return true;
  } else if (words.length === 0 || (names.length > 0 && !names.some(isSaid))) return false;
  if (rule.isParty && !isSaid(rules.raceWords.control)) return false;
  const got = words.filter(isSaid);
  const share = shareOf(words, got, rules);
  if (rule.own === undefined) return share >= ALONE_SHARE && (got.length > 1 || rule.isEnough);
  return share >= (rules.concepts[rule.own]?.isBroad === false ? OWN_SHARE : ALONE_SHARE);
}

/** A candidate of a distant race matches only if its year is named. */
function isOfItsRace(rule: MarketRule, at: number, found: Found, { candidacies }: Rules): boolean {
  const { years } = rule;
  const candidacy = years.length === 0 ? undefined : candidacies.get(rule);
  if (candidacy === undefined || found.tsMs === undefined) return true;
  return candidacy.ends_ms - found.tsMs <= FAR_MS || found.years.some((year) => Math.abs(year.at - at) <= REACH);
}

/** Requires all of an event's title, of at least two words. */
export function isAboutEvent(event: EventRule, anchor: number, found: Found, rules: Rules): boolean {
  return (found.places.get(anchor) ?? []).some((at) => {
    const got = event.context.filter((concept) => isNear(found, concept, at));
    return got.length > 1 && isOfItsTime(event, at, found) && shareOf(event.context, got, rules) >= TITLE_SHARE;
  });
}

export const isNear = ({ places }: Found, concept: number, at: number): boolean =>
  (places.get(concept) ?? []).some((place) => Math.abs(place - at) <= REACH);

/** If years or months are named nearby, one has to be the market's. */
export function isOfItsTime(
  { years, months }: Pick<MarketRule, "years" | "months">,
  at: number,
  found: Found,
): boolean {
  const fits = (own: readonly string[], named: readonly Named[]): boolean => {
    const near = own.length === 0 ? [] : named.filter((one) => Math.abs(one.at - at) <= REACH);
    return near.length === 0 || near.some(({ name }) => own.includes(name));
  };
  return fits(years, found.years) && fits(months, found.months);
}

function shareOf(context: readonly number[], got: readonly number[], { concepts }: Rules): number {
  const weigh = (some: readonly number[]): number => some.reduce((sum, one) => sum + (concepts[one]?.weight ?? 0), 0);
  const all = weigh(context);
  return all === 0 ? 0 : weigh(got) / all;
}
