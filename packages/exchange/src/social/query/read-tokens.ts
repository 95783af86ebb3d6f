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
