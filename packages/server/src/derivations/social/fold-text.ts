/** A text as words parted by single blanks, with one at both ends; `plain` and `folded` have the same places. */
export type FoldedText = {
  /** With case. */
  readonly plain: string;
  /** In small letters without accents. */
  readonly folded: string;
  /** Places of words that begin a sentence: a capital says nothing there. */
  readonly starts: ReadonlySet<number>;
  /** Most words are in capitals: capitals say nothing at all. */
  readonly isShouted: boolean;
};

/** Longer texts are read by their beginning. */
const MOST_TEXT = 10_000;
const ADDRESSES = /https?:\/\/\S+|www\.\S+/gu;
/** What is no part of a word; letters of any alphabet are. */
const PARTS = /([\p{L}\p{M}\p{N}]+)|([^\p{L}\p{M}\p{N}]+)/gu;
const ENDS = /[.!?:;…\n"“”•]/u;

export function foldText(text: string): FoldedText {
  const starts = new Set<number>();
  let plain = " ";
  let isStart = true;
  let big = 0;
  let small = 0;
  for (const [, word, gap] of text.slice(0, MOST_TEXT).replace(ADDRESSES, ". ").normalize("NFC").matchAll(PARTS)) {
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

/** In small letters without accents, letter by letter, so that places stay. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\0-\x7f]*$/u.test(lower) && lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => foldUnit(text[at] ?? "")).join("");
}

function foldUnit(unit: string): string {
  const letter = unit.normalize("NFD")[0]?.toLowerCase() ?? unit;
  return letter.length === 1 ? letter : unit;
}
