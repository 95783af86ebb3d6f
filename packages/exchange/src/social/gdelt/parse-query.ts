import { type Clause, readTokens, wordsOf } from "../query/search-query.ts";

/** GDELT rejects a request with a plain message and HTTP 200, as text/html. */
export class GdeltRefusal extends Error {
  readonly status: number;

  constructor(message: string, status = 200) {
    super(message);
    this.name = "GdeltRefusal";
    this.status = status;
  }
}

const MIN_QUERY = 3;
const MAX_QUERY = 4000;
/** Minimum lengths of a quoted "phrase" and of an unquoted word. */
const MIN_PHRASE = 5;
const MIN_WORD = 3;

/**
 * Supports words, "phrases" and `sourcelang:`; GDELT's other operators are not simulated. Throws GdeltRefusal with
 * GDELT's own message.
 */
export function parseQuery(query: string): Clause {
  const text = query.trim();
  if (text.length < MIN_QUERY || text.length > MAX_QUERY)
    throw new GdeltRefusal("Your query was too short or too long.");
  const tokens = readTokens(text);
  if (tokens === undefined) throw new GdeltRefusal("Your query contained an unterminated quotation mark.");
  return {
    kind: "all",
    of: tokens.map((token) => {
      if (token.kind !== "term" || token.isNegated) throw notSimulated("more than words and phrases");
      return termOf(token.name, token.text, token.isQuoted);
    }),
  };
}

function termOf(name: string | undefined, text: string, isQuoted: boolean): Clause {
  if (name === "sourcelang") return { kind: "operator", name, value: text.toLowerCase() };
  if (name !== undefined) throw notSimulated(`${name}:`);
  if (isQuoted && text.length < MIN_PHRASE) throw new GdeltRefusal("The specified phrase is too short.");
  if (!isQuoted && text.length < MIN_WORD)
    throw new GdeltRefusal("Your search contained a keyword that was too short.");
  if (!isQuoted && !/^[\p{L}\p{N}]+$/u.test(text))
    throw new GdeltRefusal(
      'One or more of your keywords contained an illegal character. To use a dash in a word, place it in quotes like "f-16".',
    );
  return { kind: "words", words: wordsOf(text) };
}

/** Error for unsupported features; add them when needed. */
export function notSimulated(what: string): GdeltRefusal {
  return new GdeltRefusal(`${what} is not simulated by the paper exchange.`, 501);
}
