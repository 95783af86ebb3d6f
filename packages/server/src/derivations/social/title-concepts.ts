import { isEnglishWord, GENERIC_WORDS, SAME_NAMES } from "./word-lists.ts";
import { foldLetters } from "./fold-text.ts";
import { topicPhrases } from "./name-terms.ts";

/** Concepts of a title: names as written, other words in lower case, and levels ("75k", "$100,000"). */
export type TitleConcepts = {
  readonly names: readonly string[];
  readonly topics: readonly string[];
  readonly levels: readonly string[];
  /** Both names of "A x B", "A-B" and "A and B". */
  readonly sides: readonly string[];
};

const LINKS = new Set([
  "of",
  "the",
  "de",
  "da",
  "del",
  "van",
  "von",
  "der",
  "den",
  "dos",
  "das",
  "di",
  "du",
  "bin",
  "al",
  "&",
  "la",
  "le",
]);
/** Words capitalised in many titles, but never part of a name. */
const NO_NAMES = new Set(
  (
    "will who what which how when where why is are do does did can should has have " +
    "january february march april may june july august september october november december " +
    "monday tuesday wednesday thursday friday saturday sunday et x vs"
  ).split(" "),
);
/** Offices and bodies: they separate the names next to them, and count as ordinary words. */
const ROLES = new Set(
  (
    "senate house governor ceo chair chairman secretary mayoral mayor speaker mvp vp primary president presidential prime minister " +
    "party midterm midterms election elections parliamentary nominee national attorney general justice finals awards award"
  ).split(" "),
);
/** Small words in titles in which all other words are capitalised. */
const SMALL = new Set("a an the of in on at by to for and or vs vs. x with from as per is '".split(" "));
const KNOWN_NAMES = new Set(SAME_NAMES.flat());
const YEAR = /^20[2-3]\d$/u;
const LEVEL = /^\$?\d[\d,.]*(?:k|m|b|t|%|c|bps?)?$/iu;

type Word = {
  readonly text: string;
  readonly folded: string;
  readonly isBig: boolean;
  readonly isFirst: boolean;
  readonly isBeforeName: boolean;
};

/** "before the election?": a time, not a subject. */
const DEADLINE =
  /\b(?:before|by|until)\s+(?:the\s+)?(?:next\s+|20\d\d\s+)*(?:presidential\s+)?(?:elections?|midterms?)\b/giu;

export function titleConcepts(whole: string): TitleConcepts {
  const title = whole.replaceAll(DEADLINE, "");
  const sides = title.split(/\svs\.?\s/u).map((side) => side.replace(/^.*:\s*|[?]$|\s*\(.*\)$/gu, "").trim());
  if (sides.length === 2) return { names: distinct(sides), topics: [], levels: [], sides: [] };
  // "out" only has meaning in these forms: "Powell out as Fed Chair?", "Maduro out in 2025?".
  const isOut = /^(?:(?:Will )?\S+ ){1,5}(?:(?:be )?out (?:as|in|by|before)|leaves?)\b/u.test(whole);
  const words = wordsOf(title);
  // If every word is capitalised, capitals do not indicate names.
  const isAllBig = !words.some((word) => /^\p{Ll}/u.test(word.text) && !SMALL.has(word.text));
  const names: string[] = [];
  const topics: string[] = [];
  let run: Word[] = [];
  const endRun = (): void => {
    const name = trimmed(run, isAllBig);
    if (name.length > 0) names.push(name.map(({ text }) => text).join(" "));
    for (const word of run) if (!name.includes(word) && isTopic(word)) topics.push(word.folded);
    run = [];
  };
  for (const [at, word] of words.entries()) {
    if (isNamePart(word, isAllBig)) run.push(word);
    else if (run.length > 0 && LINKS.has(word.text) && leadsOn(words, at, isAllBig)) run.push(word);
    else {
      endRun();
      if (isTopic(word)) topics.push(word.folded);
    }
    if (/[:;,?!]$/u.test(word.text)) endRun();
  }
  endRun();
  const levels = words.filter(({ text }) => isLevel(text)).map(({ text }) => bare(text).toLowerCase());
  const reported = distinct(names.map(bareName));
  return {
    names: reported,
    sides: sidesOf(title, reported),
    topics: distinct([...withPhrases(topics, title), ...(isOut ? ["out"] : [])]),
    levels: distinct(levels),
  };
}

/** "gas prices": gas alone is a different subject. */
const PRICES = /(\p{L}+) prices\b/gu;
const SIDES = /(\p{Lu}[\p{L}.]+)(?:\sx\s|\s?[-–/]\s?|\sand\s|\s&\s)(\p{Lu}[\p{L}.]+)/u;

/** The two names on either side of an event: a debate, a war, a deal. */
function sidesOf(title: string, names: readonly string[]): string[] {
  const [, one, other] = SIDES.exec(title) ?? [];
  const sides = [one, other].flatMap(
    (side) => names.find((name) => side !== undefined && name.split(" ").includes(side)) ?? [],
  );
  return new Set(sides).size === 2 ? sides : [];
}

/** Replaces the words of a phrase by the phrase, because they mean something else alone: "military action". */
function withPhrases(topics: readonly string[], title: string): string[] {
  const prices = [...title.toLowerCase().matchAll(PRICES)]
    .map(([, word = ""]) => word)
    .filter((word) => topics.includes(word));
  const phrases = [...topicPhrases(title), ...prices.map((word) => `${word} prices`)];
  const words = new Set(phrases.flatMap((phrase) => phrase.split(" ")));
  return [...topics.filter((topic) => !words.has(topic)), ...phrases];
}

function wordsOf(title: string): Word[] {
  return title
    .replaceAll(/[’‘]/gu, "'")
    .replaceAll(/(?<=\p{L})[-–/](?=\p{Lu})/gu, " / ")
    .replaceAll(/["“”()[\]]|'s?(?=\s)/gu, " ' ")
    .split(/\s+/u)
    .filter((text) => text !== "")
    .map((text, at, all) => ({
      text,
      folded: foldLetters(bare(text)),
      isBig: /^\p{Lu}/u.test(text),
      isFirst: at === 0,
      isBeforeName: isNameLike(all[at + 1]),
    }));
}

const isNameLike = (text = ""): boolean => /^\p{Lu}\p{Ll}/u.test(text) && !isEnglishWord(foldLetters(bare(text)));
const bare = (text: string): string => text.replace(/[:;,?!]+$/u, "").replace(/(?<=\p{Ll}{2})\.+$/u, "");
const bareName = (name: string): string => bare(name).replaceAll(/[,;:]/gu, "");

function isNamePart({ text, folded, isBig, isFirst, isBeforeName }: Word, isAllBig: boolean): boolean {
  if (!isBig || NO_NAMES.has(folded)) return false;
  if (KNOWN_NAMES.has(bare(text))) return true;
  if (ROLES.has(folded)) return false;
  if (isAllBig) return !GENERIC_WORDS.has(folded);
  if (!isFirst || /^\p{Lu}{2}/u.test(text)) return true;
  // "Mike Johnson out": an English word at the beginning is part of a name if the next word is.
  return !GENERIC_WORDS.has(folded) && (!isEnglishWord(folded) || isBeforeName);
}

/** Whether a name continues after the links that begin here. */
function leadsOn(words: readonly Word[], at: number, isAllBig: boolean): boolean {
  const next = words.slice(at + 1, at + 3).find(({ text }) => !LINKS.has(text));
  return next !== undefined && isNamePart(next, isAllBig) && !/[:;,?!]$/u.test(words[at]?.text ?? "");
}

/** The name in a run of words: if every word of the title is capitalised, English words are not part of it. */
function trimmed(run: readonly Word[], isAllBig: boolean): Word[] {
  const isPlain = ({ text, folded }: Word): boolean => isEnglishWord(folded) && !KNOWN_NAMES.has(bare(text));
  const kept = isAllBig ? run.filter((word) => !isPlain(word) && !LINKS.has(word.text)) : [...run];
  while (kept.length > 0 && LINKS.has(kept.at(-1)?.text ?? "")) kept.pop();
  const isGeneric = kept.every(
    ({ text, folded }) => !KNOWN_NAMES.has(bare(text)) && (GENERIC_WORDS.has(folded) || folded.length < 2),
  );
  return isGeneric ? [] : kept;
}

const isTopic = ({ text, folded }: Word): boolean =>
  folded.length > 2 && /^\p{L}/u.test(text) && !GENERIC_WORDS.has(folded) && !LINKS.has(folded);

const isLevel = (text: string): boolean => {
  const level = bare(text);
  return LEVEL.test(level) && !YEAR.test(level) && /[$kmbt%]|\d{4}|,\d{3}|bp/iu.test(level);
};

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
