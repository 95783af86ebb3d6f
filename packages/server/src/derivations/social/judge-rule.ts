import type { EventRule, MarketRule, Rules } from "./build-rules.ts";
import type { Named, NamedTimes } from "./named-times.ts";

/** Share of what the words of a question weigh that has to be found, beside what sets the market apart. */
const OWN_SHARE = 0.45;
/** The same for a question that stands alone, or whose answers are parties. */
const ALONE_SHARE = 0.6;
const TITLE_SHARE = 0.99;
/** Words that belong together stand near each other: so many letters. */
const REACH = 140;

/** Where each concept was found, and what years and months the text names. */
export type Found = NamedTimes & { readonly places: ReadonlyMap<number, readonly number[]> };

/** Whether a text is about a market; `anchor` is what the rule goes by, and was found. */
export function isAboutMarket(rule: MarketRule, anchor: number, found: Found, rules: Rules): boolean {
  return (found.places.get(anchor) ?? []).some(
    (at) =>
      isOfItsTime(rule, at, found) &&
      rule.required.every((concept) => isNear(found, concept, at)) &&
      rule.contexts.some((context) => fitsContext(rule, context, at, found, rules)),
  );
}

function fitsContext(rule: MarketRule, context: readonly number[], at: number, found: Found, rules: Rules): boolean {
  const kindOf = (concept: number) => rules.concepts[concept];
  const got = context.filter((concept) => isNear(found, concept, at));
  const isTelling = (concept: number): boolean => kindOf(concept)?.isBroad === false;
  const has = (fits: (concept: number) => boolean): boolean => !context.some(fits) || got.some(fits);
  const isNamed = has((concept) => kindOf(concept)?.isName === true && isTelling(concept));
  const isSaid = has((concept) => kindOf(concept)?.isName === false);
  if (!isNamed || !isSaid) return false;
  const share = shareOf(context, got, rules);
  if (rule.own === undefined) return share >= ALONE_SHARE && (got.length > 1 || rule.isEnough);
  if (context.length === 0) return false;
  return share >= (isTelling(rule.own) ? OWN_SHARE : ALONE_SHARE);
}

/** All of an event's title, of two words at least. */
export function isAboutEvent(event: EventRule, anchor: number, found: Found, rules: Rules): boolean {
  return (found.places.get(anchor) ?? []).some((at) => {
    const got = event.context.filter((concept) => isNear(found, concept, at));
    return got.length > 1 && isOfItsTime(event, at, found) && shareOf(event.context, got, rules) >= TITLE_SHARE;
  });
}

const isNear = ({ places }: Found, concept: number, at: number): boolean =>
  (places.get(concept) ?? []).some((place) => Math.abs(place - at) <= REACH);

/** Where years or months are named nearby, one is the market's. */
function isOfItsTime({ years, months }: Pick<MarketRule, "years" | "months">, at: number, found: Found): boolean {
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
