import AhoCorasick from "modern-ahocorasick";
import { atOnce } from "../../definition/pacing.ts";
import { isEnglishWord, OTHER_BEARERS } from "./word-lists.ts";
import type { FoldedText } from "./fold-text.ts";
import type { Term } from "./name-terms.ts";

/** A term of a concept. */
export type Entry = { readonly term: Term; readonly concept: number; readonly isName: boolean };
/** Position of a concept in the folded text, both blanks included. */
export type Hit = { readonly concept: number; readonly text: string; readonly start: number; readonly end: number };
type Found = Hit & { readonly entry: Entry };

export type FindTerms = (text: FoldedText) => Hit[];
export type TermFinder = { readonly find: FindTerms; readonly size: number };

/** Terms per automaton: building a larger one blocks the process; smaller ones need more passes over a text. */
const MAX_TERMS = 30_000;

export const createTermFinder = (entries: readonly Entry[]): TermFinder => atOnce(buildTermFinder(entries));

/**
 * Finds whole words: blanks are part of the terms and of the text. Then checks case, other bearers of a name, and
 * longer names around a shorter one. Yields before each automaton.
 */
export function* buildTermFinder(entries: readonly Entry[]): Generator<void, TermFinder> {
  const byText = Map.groupBy(entries, ({ term }) => term.text);
  const patterns = [...byText].map(([pattern, data]) => ({ pattern, data }));
  const automatons: AhoCorasick<readonly Entry[]>[] = [];
  for (let from = 0; from < patterns.length; from += MAX_TERMS) {
    yield;
    automatons.push(new AhoCorasick(patterns.slice(from, from + MAX_TERMS)));
  }
  const lastNames = new Set(entries.flatMap(({ term }) => (term.isLastName ? [term.text] : [])));
  const find = (text: FoldedText): Hit[] => {
    const found: Found[] = [];
    for (const automaton of automatons) {
      for (const { data = [], start, end } of automaton.iterate(text.folded)) {
        for (const entry of data) {
          if (fits(entry, text, start, end))
            found.push({ concept: entry.concept, text: entry.term.text.trim(), start, end, entry });
        }
      }
    }
    if (automatons.length > 1) found.sort((a, b) => a.end - b.end || a.start - b.start);
    return withoutParts(found, lastNames);
  };
  return { find, size: byText.size };
}

function fits({ term, isName }: Entry, text: FoldedText, start: number, end: number): boolean {
  const written = text.plain.slice(start, end);
  if (!fitsCase(term, written, text, start)) return false;
  if (!isName || term.text.indexOf(" ", 1) !== term.text.length - 1) return true;
  const before = wordBefore(text, start);
  const after = wordAfter(text, end);
  const others = OTHER_BEARERS.get(term.text.trim()) ?? [];
  if (others.includes(before.toLowerCase()) || others.includes(after.toLowerCase())) return false;
  return !term.isLastName || !isFirstName(before, text, start);
}

function fitsCase(term: Term, written: string, text: FoldedText, start: number): boolean {
  if (term.case === "any") return true;
  const words = written.trim().split(" ");
  const isWord = words.every((word) => isEnglishWord(word.toLowerCase()));
  // In all-capitals text, and at the start of a sentence, a capital letter is no evidence about an English word.
  if (words.length === 1 && isWord && (text.isShouted || text.starts.has(start + 1))) return false;
  if (term.case === "exact") return written === term.plain && !(text.isShouted && words.join("").length < 3);
  return words.every((word) => !/^\p{Ll}/u.test(word));
}

/** "Calvin Harris": a capitalised non-English word right before a last name makes it another person's. */
function isFirstName(before: string, text: FoldedText, start: number): boolean {
  if (before === "" || text.starts.has(start + 1)) return false;
  return /^\p{Lu}\p{Ll}/u.test(before) && !isEnglishWord(before.toLowerCase());
}

const wordBefore = ({ plain }: FoldedText, start: number): string =>
  plain.slice(plain.lastIndexOf(" ", start - 1) + 1, start);
const wordAfter = ({ plain }: FoldedText, end: number): string =>
  plain.slice(end, Math.max(end, plain.indexOf(" ", end)));

/** Removes hits that are part of a longer name: "Paris" of "Paris Agreement", but not "Trump" of "Donald Trump". */
function withoutParts(found: readonly Found[], lastNames: ReadonlySet<string>): Hit[] {
  const names = found.filter(({ entry }) => entry.isName && entry.term.text.includes(" ", 1));
  const isPart = (one: Found): boolean =>
    names.some(
      (other) =>
        other.start <= one.start &&
        other.end >= one.end &&
        other.end - other.start > one.end - one.start &&
        other.concept !== one.concept &&
        !(other.end === one.end && lastNames.has(one.entry.term.text) && !one.entry.term.isLastName),
    );
  return found.filter((one) => !one.entry.isName || one.entry.term.isProvisional || !isPart(one));
}
