import { type Clause, readTokens, type Token, wordsOf } from "../query/search-query.ts";
import { invalid, type XProblem } from "./x-problem.ts";

const MAX_QUERY = 512;
/** Allowed values of each operator; null for any. X has more operators; add them here when needed. */
const OPERATORS: Readonly<Record<string, readonly string[] | null>> = { is: ["retweet"], lang: null };

/** Parses a query: AND (a space) binds tighter than OR, minus negates, parentheses group. Throws X's 400. */
export function parseQuery(query: string): Clause {
  if (query.trim() === "") throw invalid("query", query, "The `query` query parameter can not be empty");
  if (query.length > MAX_QUERY)
    throw invalid("query", query, `The \`query\` query parameter can not be longer than ${MAX_QUERY} characters`);
  const fail = (reason: string): XProblem =>
    invalid("query", query, `There were errors processing your request: ${reason}`);
  const tokens = readTokens(query);
  if (tokens === undefined) throw fail("missing '\"'");
  const clause = choice(tokens, fail);
  const [left] = tokens;
  if (left !== undefined) throw fail(`mismatched input ')' (at position ${left.at})`);
  if (!isAnchored(clause)) throw fail("is/has/lang cannot be used as a standalone operator (at position 1)");
  return clause;
}

type Fail = (reason: string) => XProblem;

function choice(tokens: Token[], fail: Fail): Clause {
  const branches = [conjunction(tokens, fail)];
  while (tokens[0]?.kind === "or") {
    tokens.shift();
    branches.push(conjunction(tokens, fail));
  }
  const [only] = branches;
  return only !== undefined && branches.length === 1 ? only : { kind: "any", of: branches };
}

function conjunction(tokens: Token[], fail: Fail): Clause {
  const of: Clause[] = [];
  for (;;) {
    const [token] = tokens;
    if (token === undefined || token.kind === "or" || token.kind === "close") break;
    tokens.shift();
    const clause = token.kind === "open" ? group(tokens, fail) : term(token, fail);
    of.push(token.isNegated ? { kind: "not", of: clause } : clause);
  }
  if (of.length > 0) return { kind: "all", of };
  throw fail(`no viable alternative at input (at position ${tokens[0]?.at ?? 1})`);
}

function group(tokens: Token[], fail: Fail): Clause {
  const clause = choice(tokens, fail);
  if (tokens.shift()?.kind !== "close") throw fail("missing ')'");
  return clause;
}

function term({ name, text, isQuoted, at }: Token & { kind: "term" }, fail: Fail): Clause {
  if (name !== undefined) {
    const values = OPERATORS[name];
    if (values === undefined || (values !== null && !values.includes(text)))
      throw fail(
        `Reference to invalid operator '${name}${values === undefined ? "" : `:${text}`}' (at position ${at})`,
      );
    return { kind: "operator", name, value: text.toLowerCase() };
  }
  if (!isQuoted && ["and", "or"].includes(text.toLowerCase()))
    throw fail(`Ambiguous use of ${text.toLowerCase()} as a keyword. Use a space to logically join two clauses`);
  const words = wordsOf(text);
  if (words.trim() === "") throw fail(`no viable alternative at input '${text}' (at position ${at})`);
  return { kind: "words", words };
}

/** Whether every alternative of the clause requires at least one word. */
function isAnchored(clause: Clause): boolean {
  if (clause.kind === "all") return clause.of.some((each) => isAnchored(each));
  if (clause.kind === "any") return clause.of.every((each) => isAnchored(each));
  return clause.kind === "words";
}
