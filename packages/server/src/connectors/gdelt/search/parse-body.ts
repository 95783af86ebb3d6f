/** What it says in place of an answer when it is asked too often, now and then with status 200. */
const BUSY = /limit requests|too many requests/i;
/** How its refusals of a question begin. */
const REFUSAL = /^(?:Your |The specified |One or more |Queries |Parentheses |Invalid |Timespan |Unsupported )/;
const MOST_REFUSAL = 500;
/** A backslash and what it may escape in JSON; alone where it escapes nothing. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g;
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f]+/g;

/**
 * An answer of GDELT: JSON, put right where titles broke it; `{ refused }` for a question it does not take; the text as
 * it is where it looks like JSON and cannot be read, which is a page of a wrong shape. Throws where it is no answer.
 */
export function parseBody(text: string): unknown {
  const body = text.replace(/^\ufeff/, "").trim();
  if (!body.startsWith("{")) {
    if (!BUSY.test(body) && body.length <= MOST_REFUSAL && REFUSAL.test(body)) return { refused: body };
    throw new SyntaxError("neither JSON nor a refusal of the question");
  }
  return tryJson(body) ?? tryJson(mended(body)) ?? body;
}

/** Backslashes of titles are not escaped, and control characters stand in them as they are. */
function mended(body: string): string {
  return body.replace(ESCAPE, (found) => (found === "\\" ? "\\\\" : found)).replace(CONTROLS, " ");
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
