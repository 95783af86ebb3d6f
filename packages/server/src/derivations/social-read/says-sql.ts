import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { wordsOf } from "../../definition/words-of.ts";

/** A row with `words` (see stored.words) has one of the phrases, word for word. By the index of the words where there is one. */
export function saysAny(phrases: Bound): Sql {
  if (!Array.isArray(phrases.value)) throw new TypeError("not a list of phrases");
  const all = [...new Set((phrases.value as string[]).map((phrase) => wordsOf(phrase).join(" ")))];
  const single = all.filter((phrase) => phrase !== "" && !phrase.includes(" "));
  const longer = all.filter((phrase) => phrase.includes(" "));
  const conditions = [
    ...(single.length > 0 ? [sql`hasAnyTokens(words, ${bind("Array(String)", single)})`] : []),
    ...longer.map((phrase) => {
      const words = bind("Array(String)", [...new Set(phrase.split(" "))]);
      return sql`(hasAllTokens(words, ${words}) AND position(concat(words, ' '), ${bind("String", ` ${phrase} `)}) > 0)`;
    }),
  ];
  return conditions.length === 0 ? sql`0` : sql`(${joined(conditions, sql` OR `)})`;
}
