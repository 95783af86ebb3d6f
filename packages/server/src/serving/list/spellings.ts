/** Words with the same first letter and length, and the letters of each as a bit set. */
type Shelf = { readonly words: string[]; readonly letters: number[] };

export type Near = { readonly word: string; readonly edits: number };

const NONE: Shelf = { words: [], letters: [] };
/** Minimum length for one edit, since in shorter words it too often gives another word; `TWO_FROM` is that for two. */
const ONE_FROM = 4;
const TWO_FROM = 8;
const LETTERS = /^\p{L}+$/u;

/** Words that consist only of letters, grouped so that similarly spelled ones are found by examining few. */
export class Spellings {
  readonly #shelves = new Map<string, Shelf>();

  /** Adds a word; to be called once per word. */
  add(word: string): void {
    if (!LETTERS.test(word)) return;
    const place = placeOf(word, word.length);
    const shelf = this.#shelves.get(place) ?? { words: [], letters: [] };
    shelf.words.push(word);
    shelf.letters.push(lettersOf(word));
    this.#shelves.set(place, shelf);
  }

  /** Returns words with the same first letter within the allowed number of edits of an unknown word. */
  near(word: string): Near[] {
    if (word.length < ONE_FROM || !LETTERS.test(word)) return [];
    const most = word.length < TWO_FROM ? 1 : 2;
    const [letters, found] = [lettersOf(word), [] as Near[]];
    for (let longer = -most; longer <= most; longer += 1) {
      const { words, letters: all } = this.#shelves.get(placeOf(word, word.length + longer)) ?? NONE;
      // An inserted or deleted letter changes one bit, a replaced letter two.
      const bits = 2 * most - Math.abs(longer);
      for (let at = 0; at < words.length; at += 1) {
        if (bitsIn((all[at] as number) ^ letters) > bits) continue;
        const other = words[at] as string;
        const edits = editsBetween(word, other);
        if (edits <= most) found.push({ word: other, edits });
      }
    }
    return found;
  }
}

const placeOf = (word: string, length: number): string => `${word[0]}${length}`;

/** One bit per letter; letters of other alphabets share them. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(number: number): number {
  let [bits, left] = [0, number];
  for (; left !== 0; left &= left - 1) bits += 1;
  return bits;
}

/**
 * Returns the number of edits between two words: a letter inserted, deleted or replaced, or two neighbours swapped,
 * neither of which is edited again (optimal string alignment).
 */
export function editsBetween(one: string, other: string): number {
  const width = other.length + 1;
  let [before, above] = [new Uint16Array(width), Uint16Array.from({ length: width }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const here = new Uint16Array(width);
    here[0] = row;
    const letter = one.charCodeAt(row - 1);
    for (let at = 1; at < width; at += 1) {
      const facing = other.charCodeAt(at - 1);
      let least = (above[at - 1] as number) + (letter === facing ? 0 : 1);
      least = Math.min(least, (above[at] as number) + 1, (here[at - 1] as number) + 1);
      const isSwapped = row > 1 && at > 1 && letter === other.charCodeAt(at - 2) && one.charCodeAt(row - 2) === facing;
      here[at] = isSwapped ? Math.min(least, (before[at - 2] as number) + 1) : least;
    }
    [before, above] = [above, here];
  }
  return above[other.length] as number;
}
