/** A text as words separated by single blanks, with one at both ends; `plain` and `folded` have the same positions. */
export type FoldedText = {
  /** With case. */
  readonly plain: string;
  /** In lower case without accents. */
  readonly folded: string;
  /** Positions of words that begin a sentence, where a capital letter is no evidence. */
  readonly starts: ReadonlySet<number>;
  /** Most words are in capitals, so capitals are no evidence anywhere. */
  readonly isShouted: boolean;
};

/** Only this many characters of a longer text are read. */
const MAX_TEXT = 10_000;
const ADDRESSES = /https?:\/\/\S+|www\.\S+/gu;
/** Characters that are not part of a word; letters of any alphabet are. */
const PARTS = /([\p{L}\p{M}\p{N}]+)|([^\p{L}\p{M}\p{N}]+)/gu;
const ENDS = /[.!?:;…\n"“”•]/u;

export function foldText(text: string): FoldedText {
  const starts = new Set<number>();
  let plain = " ";
  let isStart = true;
  let big = 0;
  let small = 0;
  for (const [, word, gap] of text.slice(0, MAX_TEXT).replace(ADDRESSES, ". ").normalize("NFC").matchAll(PARTS)) {
    if (word === undefined) {
      // "U.S. troops": a dot after a single letter ends nothing.
      if (ENDS.test(gap ?? "") && !(gap?.startsWith(".") && /(?:^|[^\p{L}])\p{L}$/u.test(plain.slice(-3, -1))))
        isStart = true;
      continue;
    }
    if (isStart) starts.add(plain.length);
    isStart = false;
    if (word.length > 3) {
      if (word === word.toUpperCase() && word !== word.toLowerCase()) big += 1;
      else small += 1;
    }
    plain += `${word} `;
  }
  return { plain, folded: foldLetters(plain), starts, isShouted: big > small };
}

/** Lower case without accents, letter by letter, so that positions are kept. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\0-\x7f]*$/u.test(lower) && lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => foldUnit(text[at] ?? "")).join("");
}

function foldUnit(unit: string): string {
  const letter = unit.normalize("NFD")[0]?.toLowerCase() ?? unit;
  return letter.length === 1 ? letter : unit;
}

/** Without May, which is too common as a word. */
const MONTHS = "january|february|march|april|june|july|august|september|october|november|december";
const YEAR = / (20[0-4]\d)(?= )/gu;
const MONTH = new RegExp(` (${MONTHS})(?= )`, "gu");

/** Position at which a text names a year or a month. */
export type Named = { readonly name: string; readonly at: number };

const namedBy = (expression: RegExp, folded: string): Named[] =>
  [...folded.matchAll(expression)].map(({ 1: name = "", index }) => ({ name, at: index }));

export type NamedTimes = { readonly years: readonly Named[]; readonly months: readonly Named[] };

/** The years and months that a folded text names, with their positions. */
export const namedTimes = (folded: string): NamedTimes => ({
  years: namedBy(YEAR, folded),
  months: namedBy(MONTH, folded),
});
