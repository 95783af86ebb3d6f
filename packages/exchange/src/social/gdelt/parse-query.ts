import type { Clause } from "../query/clause.ts";
import { readTokens, type Token } from "../query/read-tokens.ts";
import { wordsOf } from "../query/words.ts";
import { GdeltRefusal } from "./gdelt-refusal.ts";

const SHORTEST_QUERY = 3;
const LONGEST_QUERY = 4000;
/** Of a "phrase", and of a word without quotes. */
const SHORTEST_PHRASE = 5;
const SHORTEST_WORD = 3;
const OPERATORS = new Set(["domain", "domainis", "sourcecountry", "sourcelang"]);

const BAD_CLAUSE = "One or more of your parenthetical clauses had an error in it.";

/** Words, "phrases", (a OR b) and -not; parentheses only around OR. Throws GdeltRefusal in GDELT's own words. */
export function parseQuery(query: string): Clause {
  const text = query.trim();
  if (text.length < SHORTEST_QUERY || text.length > LONGEST_QUERY)
    throw new GdeltRefusal("Your query was too short or too long.");
  const tokens = readTokens(text);
  if (tokens === undefined) throw new GdeltRefusal("Your query contained an unterminated quotation mark.");
  const parts: Clause[] = [];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token.kind === "or") throw new GdeltRefusal("Queries containing OR'd terms must be surrounded by ().");
    if (token.kind === "close") throw new GdeltRefusal(BAD_CLAUSE);
    if (token.kind === "open") parts.push(negated(token, groupOf(tokens)));
    else if (token.text !== "AND" || token.isQuoted) parts.push(negated(token, termOf(token)));
  }
  return { kind: "all", of: parts };
}

/** Takes `a OR b … )` off the front. */
function groupOf(tokens: Token[]): Clause {
  const terms: Clause[] = [];
  for (let isTerm = true; ; isTerm = !isTerm) {
    const token = tokens.shift();
    if (token === undefined) throw new GdeltRefusal(BAD_CLAUSE);
    if (token.kind === "close" && !isTerm && terms.length > 1) return { kind: "any", of: terms };
    if (isTerm && token.kind === "term") terms.push(negated(token, termOf(token)));
    else if (isTerm || token.kind !== "or")
      throw new GdeltRefusal(token.kind === "or" ? BAD_CLAUSE : "Parentheses may only be used around OR'd statements.");
  }
}

function termOf({ name, text, isQuoted }: Token & { kind: "term" }): Clause {
  if (name !== undefined) return operatorOf(name, text);
  const words = wordsOf(text);
  if (isQuoted) {
    if (text.length < SHORTEST_PHRASE) throw new GdeltRefusal("The specified phrase is too short.");
    return { kind: "words", words };
  }
  if (text.length < SHORTEST_WORD) throw new GdeltRefusal("Your search contained a keyword that was too short.");
  if (!/^[\p{L}\p{N}]+$/u.test(text))
    throw new GdeltRefusal(
      'One or more of your keywords contained an illegal character. To use a dash in a word, place it in quotes like "f-16".',
    );
  return { kind: "words", words };
}

function operatorOf(name: string, value: string): Clause {
  // GDELT knows more of them: whoever needs one adds it here.
  if (!OPERATORS.has(name)) throw new GdeltRefusal(`${name}: is not played by the paper exchange.`, 501);
  return { kind: "operator", name, value: value.toLowerCase() };
}

function negated(token: { isNegated: boolean }, clause: Clause): Clause {
  return token.isNegated ? { kind: "not", of: clause } : clause;
}
