import { isEnglishWord, weightOfWord, SAME_NAMES, SAME_TOPICS, REPORTED_BY } from "./word-lists.ts";
import { foldText } from "./fold-text.ts";

/** Letters that must be capital in a text: none, the first of each word, or all as written. */
export type Case = "any" | "capitals" | "exact";
export type Term = {
  /** Folded, with a blank at both ends. */
  readonly text: string;
  /** As written, with a blank at both ends. */
  readonly plain: string;
  readonly case: Case;
  /** A last name alone: preceded by another first name it means another person. */
  readonly isLastName?: true;
  /** Stands for another name: kept even inside a longer name found at the same place. */
  readonly isProvisional?: true;
};

const NAME_GROUPS = new Map(
  SAME_NAMES.flatMap((group) => group.map((name) => [foldText(name).folded, group] as const)),
);
const TOPIC_GROUPS = new Map(SAME_TOPICS.flatMap((group) => group.map((word) => [word, group] as const)));
const PHRASES = [...TOPIC_GROUPS.keys(), ...REPORTED_BY.keys()].filter((word) => word.includes(" "));
/** Title words that mean nothing alone in a text: "out" of "X out as Y". */
const WEAK_FORMS = new Set(["out", "outs", "outed", "outing", "outes"]);
const MIN_JOINED = 8;
const MIN_LAST = 4;
const PLACES = new Set(
  "new los las san santa saint st north south east west puerto costa el hong sri saudi united sierra cape".split(" "),
);
const SUFFIXES = new Set(["jr", "sr", "ii", "iii"]);

/** Ways to write a name: itself, its synonyms, as one word (a hashtag). Not its last word alone. */
export function termsOfName(name: string): Term[] {
  const folded = foldText(name).folded;
  const parts = /^\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u.test(name)
    ? [name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")]
    : [];
  return [name, ...parts, ...(NAME_GROUPS.get(folded) ?? [])].flatMap((one) => {
    const term = toTerm(one);
    const joined = term.text.replaceAll(" ", "");
    const isLong = term.text.trim().includes(" ") && joined.length >= MIN_JOINED;
    return isLong ? [term, { text: ` ${joined} `, plain: ` ${joined} `, case: "any" as const }] : [term];
  });
}

function toTerm(name: string): Term {
  const { plain, folded: text } = foldText(name);
  const words = text.trim().split(" ");
  const isShort = words.every((word) => word.length <= 4) && plain === plain.toUpperCase();
  const isPlain =
    (words.length === 1 && text.length <= 6) || words.every((word) => isEnglishWord(word) || word.length < 3);
  return { text, plain, case: isShort ? "exact" : isPlain ? "capitals" : "any" };
}

/** The last name of a possible person (or the short name of a team); undefined if it is too ambiguous alone. */
export function lastNameOf(name: string, mayBeWord: boolean): Term | undefined {
  const words = foldText(name).plain.trim().split(" ");
  while (SUFFIXES.has(words.at(-1)?.toLowerCase() ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  if (words.length < 2 || words.length > 4 || last.length < MIN_LAST || !/^\p{Lu}\p{Ll}/u.test(last)) return undefined;
  const { plain, folded: text } = foldText(last);
  const isWord = isEnglishWord(text.trim());
  if (isWord && !mayBeWord) return undefined;
  if (PLACES.has(words[0]?.toLowerCase() ?? "") && !mayBeWord) return undefined;
  return { text, plain, case: "capitals", isLastName: true };
}

/** Representative of a word and its synonyms. */
export const baseTopic = (word: string): string => {
  const known = formsOf(word).find((form) => TOPIC_GROUPS.has(form));
  return TOPIC_GROUPS.get(known ?? "")?.[0] ?? word.replace(/(?<=\p{L}{3}[^s])s$/u, "");
};

/** A word in all its forms, and its synonyms. */
export function termsOfTopic(word: string): Term[] {
  const [, thing] = /^(\S+) prices$/u.exec(word) ?? [];
  if (thing !== undefined)
    return [`${thing} prices`, `${thing} price`, `price of ${thing}`, `prices of ${thing}`].flatMap(termsOfPhrase);
  const base = baseTopic(word);
  const same = [...(TOPIC_GROUPS.get(base) ?? []), ...(REPORTED_BY.get(base) ?? [])];
  return [...new Set([...formsOf(word), ...same])].filter((form) => !WEAK_FORMS.has(form)).flatMap(termsOfPhrase);
}

/** Representatives of the known phrases in a title: "take over", "shut down". */
export function topicPhrases(title: string): string[] {
  const { folded } = foldText(title);
  return PHRASES.filter((phrase) => folded.includes(` ${phrase} `));
}

/** A phrase, unchanged. */
export function termsOfPhrase(phrase: string): Term[] {
  const { plain, folded: text } = foldText(phrase);
  return [{ text, plain, case: "any" }];
}

function formsOf(word: string): string[] {
  const base = /[^s]s$/u.test(word) && word.length > 4 ? word.slice(0, -1) : word;
  if (base.endsWith("y")) return [word, base, `${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  if (base.endsWith("e")) return [word, base, `${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  if (base.endsWith("ed"))
    return [word, base.slice(0, -2), base.slice(0, -1), `${base.slice(0, -2)}ing`, `${base.slice(0, -2)}s`];
  return [word, base, `${base}s`, `${base}es`, `${base}ed`, `${base}ing`];
}

/** Weight of a term: that of its rarest word. */
export const weightOfTerm = (text: string): number => Math.max(...text.trim().split(" ").map(weightOfWord));

/** A level in the ways people write it: "$75k" is 75k, 75,000 and 75000. */
export function termsOfLevel(level: string): Term[] {
  const [, digits = "", unit = ""] = /^\$?([\d,.]+)(.*)$/u.exec(level) ?? [];
  const value = Number(digits.replaceAll(",", "")) * (unit === "k" ? 1000 : 1);
  const whole = unit === "" || unit === "k";
  const forms = whole ? [String(value), value.toLocaleString("en-US"), `${value / 1000}k`] : [level];
  return [...new Set([level, ...forms])].map((form) => {
    const { plain, folded: text } = foldText(form);
    return { text, plain, case: "any" as const };
  });
}
