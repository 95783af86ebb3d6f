import { foldLetters, foldText } from "./fold-text.ts";
import { BROAD_NAMES, GENERIC_WORDS } from "./word-lists.ts";
import { titleConcepts, type TitleConcepts } from "./title-concepts.ts";

/** What matching knows of a market: its words, and from when to when it was open (Unix ms, both inclusive). */
export type MatchMarket = {
  readonly condition_id: string;
  readonly event_slug: string;
  readonly event_title: string;
  readonly question: string;
  readonly tags: readonly string[];
  readonly opened_ms: number;
  readonly closed_ms: number;
  /** Its scheduled end (Unix ms): of an election, its day. Undefined where the venue does not say. */
  readonly ends_ms?: number | undefined;
};

/** The words by which a market is told from others. */
export type MarketWords = {
  /** What sets it apart within its event: a name, a level, an answer; undefined for the only question of an event. */
  readonly own: { readonly kind: "name" | "level" | "answer"; readonly text: string } | undefined;
  /** What else its question speaks of. */
  readonly question: TitleConcepts;
  /** What its event's title speaks of. */
  readonly title: TitleConcepts;
  /** A short window of a series that comes again and again ("Bitcoin Up or Down"): only a link tells which is meant. */
  readonly isWindow: boolean;
};

export function readMarket({ question, event_title }: MatchMarket): MarketWords {
  const title = titleConcepts(event_title === "" ? question : event_title);
  const asked = titleConcepts(question);
  const own = answerOf(question, event_title) ?? nameOf(asked, event_title || question) ?? levelOf(asked);
  const isOther = (text: string): boolean => text !== own?.text;
  return {
    own,
    question: {
      names: asked.names.filter(isOther),
      topics: own?.kind === "answer" ? title.topics : asked.topics,
      levels: [],
      sides: asked.sides.filter(isOther),
    },
    title: namedBy(asked.names, { ...title, names: title.names.filter(isOther) }, own?.text),
    isWindow: /\bup or down\b/iu.test(question),
  };
}

/** In titles of nothing but capitals names are not told from words: those of the question tell them. */
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

/** "Who will win?: Ada Brandt?": the answer is what the title has not. */
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

/** The first name of the question of which the title has no word; a broad one only where there is no other. */
function nameOf(asked: TitleConcepts, title: string): MarketWords["own"] {
  const known = new Set(foldText(title).folded.trim().split(" "));
  const others = asked.names.filter((name) => !wordsOf(name).some((word) => known.has(word)));
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
