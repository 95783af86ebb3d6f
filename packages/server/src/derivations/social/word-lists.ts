import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What is said for a country: its capital, its government's seat, and who led it in these years. */
export const STAND_INS: ReadonlyMap<string, readonly string[]> = new Map([
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

/** Lines of "one, another: what belongs to both". */
const listsBy = (name: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    linesOf(name).flatMap((line) => {
      const [keys = "", words = ""] = line.split(": ");
      return phrases(keys).map((key) => [key, phrases(words)] as const);
    }),
  );

/** Words of questions that say nothing of what a market is about; no term is made of them. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(allOf("generic"));
/** Names that say little alone, because so much is about them. */
export const BROAD_NAMES: ReadonlySet<string> = new Set(allOf("broad-names"));
/** Of these names those that a question cannot do without, though they say little alone. */
export const BROAD_COUNTRIES: ReadonlySet<string> = new Set(["china", "russia"]);

/** Names that mean the same; in capitals alone where the small letters are a word or part of many. */
export const SAME_NAMES = groupsOf("same-names");
/** Words for the same matter, each in all its forms; small or capital letters alike. */
export const SAME_TOPICS = groupsOf("same-topics");
/** A name right after or before one of these words is somebody or something else. */
export const OTHER_BEARERS = listsBy("other-bearers");

/**
 * What a question asks, and words by which texts tell of it though they mean more than that: a text with one of them is
 * about it where all else of the question is named too. Titles with these words ask something else ("Peace Prize").
 */
export const TOLD_BY = listsBy("told-by");

/** What is said of people who stand for an office; beside a candidate's name it tells of the race. */
export const CAMPAIGN_WORDS = allOf("campaign");
/** The same, of who stands for a party: where a candidate is in the race itself too, only these tell of the party's choice. */
export const NOMINATION_WORDS = allOf("nomination");
/** What is said of parties and a chamber, beside words of campaigns. */
export const CONTROL_WORDS = allOf("control");
/** Words of one who stands for another office than a presidency. */
export const OTHER_RACES = allOf("other-races");
/** What is said of voting in a place; beside the place's name it tells of its race. */
export const VOTING_WORDS = allOf("voting");
/** What Americans say of voting while they vote for a president, wherever that is. */
export const NATIONAL_VOTING_WORDS = allOf("national-voting");
/** Words of one office: beside them a text is of another race than a president's. */
export const LOWER_OFFICES = allOf("lower-offices");
