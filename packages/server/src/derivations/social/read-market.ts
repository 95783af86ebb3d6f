import { foldLetters, foldText } from "./fold-text.ts";
import { BROAD_NAMES, GENERIC_WORDS } from "./word-lists.ts";
import { titleConcepts, type TitleConcepts } from "./title-concepts.ts";

/** Matching's input for a market: its words, and the period it was open (Unix ms, both inclusive). */
export type MatchMarket = {
  readonly condition_id: string;
  readonly event_slug: string;
  readonly event_title: string;
  readonly question: string;
  readonly tags: readonly string[];
  readonly opened_ms: number;
  readonly closed_ms: number;
  /** Scheduled end (Unix ms): for an election, its day. Undefined if the venue does not give it. */
  readonly ends_ms?: number | undefined;
};

/** Words that distinguish a market from others. */
export type MarketWords = {
  /** Distinguishing concept within its event: name, level or answer; undefined for the only question of an event. */
  readonly own: { readonly kind: "name" | "level" | "answer"; readonly text: string } | undefined;
  /** Other concepts of its question. */
  readonly question: TitleConcepts;
  /** Concepts of its event's title. */
  readonly title: TitleConcepts;
  /** A short window of a recurring series ("Bitcoin Up or Down"): only a link shows which is meant. */
  readonly isWindow: boolean;
};

export function readMarket({ question, event_title }: MatchMarket): MarketWords {
  const title = titleConcepts(event_title === "" ? question : event_title);
  const requested = titleConcepts(question);
  const own = answerOf(question, event_title) ?? nameOf(requested, event_title || question) ?? levelOf(requested);
  const isOther = (text: string): boolean => text !== own?.text;
  return {
    own,
    question: {
      names: requested.names.filter(isOther),
      topics: own?.kind === "answer" ? title.topics : requested.topics,
      levels: [],
      sides: requested.sides.filter(isOther),
    },
    title: namedBy(requested.names, { ...title, names: title.names.filter(isOther) }, own?.text),
    isWindow: /\bup or down\b/iu.test(question),
  };
}

/** In titles with every word capitalised, names look like other words: those of the question identify them. */
function namedBy(names: readonly string[], title: TitleConcepts, own: string | undefined): TitleConcepts {
  const said = new Set([...title.names.flatMap(wordsOf), ...title.topics]);
  const whole = names.filter(
    (name) => name !== own && wordsOf(name).length > 1 && wordsOf(name).every((word) => said.has(word)),
  );
  const covered = new Set(whole.flatMap(wordsOf));
  return {
    names: [...whole, ...title.names.filter((name) => !wordsOf(name).every((word) => covered.has(word)))],
    topics: title.topics.filter((word) => !covered.has(word)),
    levels: title.levels,
    sides: title.sides,
  };
}

/** "Who will win?: Ada Brandt?": the answer is the part that the title does not contain. */
function answerOf(question: string, title: string): MarketWords["own"] {
  const stem = title.replace(/\?$/u, "");
  if (title === "" || !question.startsWith(`${stem}:`)) return undefined;
  const text = question
    .slice(stem.length + 1)
    .replace(/\?$/u, "")
    .trim();
  const { names, levels } = titleConcepts(`is ${text}`);
  if (levels[0] !== undefined && names.length === 0) return { kind: "level", text: levels[0] };
  return names.includes(text) ? { kind: "name", text } : { kind: "answer", text };
}

/** The first name of the question without any word in the title; a broad one only if there is no other. */
function nameOf(requested: TitleConcepts, title: string): MarketWords["own"] {
  const known = new Set(foldText(title).folded.trim().split(" "));
  const others = requested.names.filter((name) => !wordsOf(name).some((word) => known.has(word)));
  const text = others.find((name) => !BROAD_NAMES.has(foldLetters(name))) ?? others.find((name) => isParty(name));
  return text === undefined ? undefined : { kind: "name", text };
}

const wordsOf = (name: string): string[] =>
  foldText(name)
    .folded.trim()
    .split(" ")
    .filter((word) => !GENERIC_WORDS.has(word));
export const isParty = (name: string): boolean => /^(?:republicans?|democrats?|democratic)(?: party)?$/iu.test(name);

function levelOf({ levels }: TitleConcepts): MarketWords["own"] {
  return levels[0] === undefined ? undefined : { kind: "level", text: levels[0] };
}

const RACE =
  /\b(?:elections?|primary|mayoral|runoff|next (?:prime minister|president|chancellor|mayor|governor)|(?:democratic|republican|presidential|vp|party) nominee)\b/iu;
const NOMINATION = /\b(?:nominee|nomination|primary)\b/iu;
const NOMINEE = /\bnominee\b/iu;

/** Whether an event's title is about people or parties that stand for an office. */
export const isRace = (title: string): boolean => RACE.test(title) && !/\bmargin\b|\bturnout\b/iu.test(title);
/** Whether a race's title is about a party's choice of candidate. */
export const isNomination = (title: string): boolean => NOMINATION.test(title);
/** Whether only words about the party's choice indicate it, whoever the candidates are: for a nominee. */
export const isNominee = (title: string): boolean => NOMINEE.test(title);
