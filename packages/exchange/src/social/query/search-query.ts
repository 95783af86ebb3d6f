import type { Post } from "../../world/social-contract.ts";

const WORD = /[\p{L}\p{N}_]+/gu;
const known = new WeakMap<Post, string>();

/**
 * The words of a text in lower case with a space before and after each, so that substring search finds whole words and
 * phrases.
 */
export function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(WORD) ?? []).join(" ")} `;
}

/** The same for a post's text, cached per post. */
export function postWords(post: Post): string {
  const words = known.get(post) ?? wordsOf(post.text);
  known.set(post, words);
  return words;
}

/** A condition on a text. `words` have the form returned by `wordsOf`. */
export type Clause =
  | { kind: "all" | "any"; of: readonly Clause[] }
  | { kind: "not"; of: Clause }
  | { kind: "words"; words: string }
  | { kind: "operator"; name: string; value: string };

/** Evaluates a source-specific operator on a post. */
export type Operators = (name: string, value: string, post: Post) => boolean;

export function isMatch(clause: Clause, post: Post, operators: Operators): boolean {
  switch (clause.kind) {
    case "all":
      return clause.of.every((each) => isMatch(each, post, operators));
    case "any":
      return clause.of.some((each) => isMatch(each, post, operators));
    case "not":
      return !isMatch(clause.of, post, operators);
    case "words":
      return postWords(post).includes(clause.words);
    case "operator":
      return operators(clause.name, clause.value, post);
  }
}

/** A token of a query; `at` counts from 1. */
export type Token =
  | { kind: "open"; isNegated: boolean; at: number }
  | { kind: "close"; at: number }
  | { kind: "or"; at: number }
  | { kind: "term"; isNegated: boolean; name: string | undefined; text: string; isQuoted: boolean; at: number };

const TOKEN = /(-?)(?:(\()|(\))|(?:([a-z_]+):)?(?:"([^"]*)"|([^\s()"]+)))/y;

/**
 * Splits a query into tokens: parentheses, OR, words, "phrases" and name:value, each optionally with a minus. Undefined
 * for an unterminated quote.
 */
export function readTokens(query: string): Token[] | undefined {
  const tokens: Token[] = [];
  let place = 0;
  for (;;) {
    while (/\s/.test(query.charAt(place))) place += 1;
    if (place >= query.length) return tokens;
    TOKEN.lastIndex = place;
    const found = TOKEN.exec(query);
    if (found === null) return undefined;
    tokens.push(toToken(found, place + 1));
    place = TOKEN.lastIndex;
  }
}

function toToken([, minus, open, close, name, quoted, bare]: RegExpExecArray, at: number): Token {
  const isNegated = minus === "-";
  if (open !== undefined) return { kind: "open", isNegated, at };
  if (close !== undefined) return { kind: "close", at };
  if (bare === "OR" && name === undefined && !isNegated) return { kind: "or", at };
  return { kind: "term", isNegated, name, text: quoted ?? bare ?? "", isQuoted: quoted !== undefined, at };
}
