import { foldText } from "./fold-text.ts";
import { BROAD_NAMES } from "./word-lists.ts";
import { baseTopic, lastNameOf } from "./name-terms.ts";
import { type MatchMarket, type MarketWords, isNomination, isRace } from "./read-market.ts";

/** A last name belongs to one bearer if this many times more events mention that bearer than all others together. */
const MUCH_MORE = 3;
const FEWEST_RACES = 3;
const OF_RACE = /\b(?:elections?|debates?|nominees?|nomination|primary|popular vote|presidential race)\b/iu;
const SPORTS = /^(?:sports|games|nba|nfl|nhl|mlb|soccer)$/iu;

export const keyOf = (text: string): string => foldText(text).folded;

/** Number of events that mention a thing, and bearers of a last name. */
export type WordCounts = {
  readonly events: () => number;
  readonly eventsOf: (text: string) => number;
  /** Whether the last word of a name stands for it though it is an English word: for teams, and if titles do so. */
  readonly mayBeWord: (name: string, last: string) => boolean;
  /** Whether a last name means this bearer, and hardly anyone else. */
  readonly isBearer: (name: string, last: string) => boolean;
  /** Whether most of the events that mention a person, and at least three, are about how a race goes. */
  readonly isOfRaceAlone: (name: string) => boolean;
  /** Whether a person is among the answers of an election, not only of a party's choice. */
  readonly isRunning: (name: string) => boolean;
};

/** `isCounted` selects the markets of events that are counted. Yields after each market. */
export function* countWords(
  read: readonly { readonly market: MatchMarket; readonly words: MarketWords }[],
  isCounted: (market: MatchMarket) => boolean,
): Generator<void, WordCounts> {
  const events = new Set<string>();
  const seen = new Map<string, Set<string>>();
  const bearers = new Map<string, Map<string, Set<string>>>();
  const sports = new Set<string>();
  const running = new Set<string>();
  const races = new Set<string>();
  for (const { market, words } of read) {
    yield;
    const { own, question, title } = words;
    const names = [...question.names, ...title.names, ...(own?.kind === "name" ? [own.text] : [])];
    if (market.tags.some((tag) => SPORTS.test(tag))) for (const name of names) sports.add(keyOf(name));
    if (!isCounted(market)) continue;
    const event = market.event_slug || market.condition_id;
    events.add(event);
    if (own?.kind === "name" && isRace(market.event_title) && !isNomination(market.event_title))
      running.add(keyOf(own.text));
    if (OF_RACE.test(`${market.event_title} ${market.question}`)) races.add(event);
    const topics = [...question.topics, ...title.topics].map(baseTopic);
    for (const text of [...names, ...topics]) add(seen, keyOf(text), event);
    for (const name of names) addBearer(bearers, name, event);
  }
  return {
    events: () => events.size,
    eventsOf: (text) => seen.get(keyOf(text))?.size ?? 0,
    mayBeWord: (name, last) => sports.has(keyOf(name)) || seen.has(last),
    isBearer: (name, last) => {
      const all = bearers.get(last) ?? new Map<string, Set<string>>();
      const mine = all.get(keyOf(name))?.size ?? 0;
      const others = [...all].reduce((sum, [other, some]) => sum + (other === keyOf(name) ? 0 : some.size), 0);
      return others === 0 || mine >= MUCH_MORE * others;
    },
    isRunning: (name) => running.has(keyOf(name)),
    isOfRaceAlone: (name) => {
      if (name.split(" ").some((word) => BROAD_NAMES.has(word.toLowerCase()))) return false;
      const last = lastNameOf(name, false)?.text ?? "";
      const mine = [...new Set([...(seen.get(keyOf(name)) ?? []), ...(seen.get(last) ?? [])])];
      const ofRace = mine.filter((event) => races.has(event)).length;
      return ofRace >= FEWEST_RACES && ofRace >= MUCH_MORE * (mine.length - ofRace);
    },
  };
}

function addBearer(bearers: Map<string, Map<string, Set<string>>>, name: string, event: string): void {
  const last = lastNameOf(name, true)?.text;
  if (last === undefined) return;
  const all = bearers.get(last) ?? new Map<string, Set<string>>();
  bearers.set(last, all);
  add(all, keyOf(name), event);
}

function add(map: Map<string, Set<string>>, at: string, event: string): void {
  const set = map.get(at);
  if (set) set.add(event);
  else map.set(at, new Set([event]));
}
