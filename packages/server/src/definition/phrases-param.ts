import { listItems, param, type Param, type Parsed } from "./param.ts";
import { wordsOf } from "./filter.ts";

const MOST = 50;
const MAX_CHARS = 100;

/** Up to 50 phrases of whole words: "{NHL,hockey,Stanley Cup}". Bound as sent. */
export const phrases = (): Param =>
  param(
    {
      type: "list of phrases",
      engineType: "Array(String)",
      schema: {
        type: "string",
        description: `phrase, or a comma-separated list of up to ${MOST} (the plan may allow fewer), of up to ${MAX_CHARS} characters each`,
      },
      parse: (text): Parsed => {
        const items = [...new Set(listItems(text))];
        const problem = problemOf(items);
        return problem === undefined ? { ok: true, value: items } : { ok: false, expected: problem };
      },
      echo: (value) => (Array.isArray(value) ? value.join(",") : String(value)),
      // Any text may be searched for.
      offWords: [],
    },
    { isList: true },
  );

function problemOf(items: readonly string[]): string | undefined {
  if (items.length === 0) return "at least one phrase";
  if (items.length > MOST) return `at most ${MOST} phrases`;
  if (items.some((item) => item.length > MAX_CHARS)) return `phrases of at most ${MAX_CHARS} characters`;
  if (items.some((item) => !item.isWellFormed() || item.includes("\u0000"))) return "well-formed text";
  const isEmpty = items.some((item) => wordsOf(item).length === 0);
  return isEmpty ? "phrases with at least one letter or digit each" : undefined;
}
