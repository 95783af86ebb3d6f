const SUBQUERY = /\b(NOT\s+)?IN\s*\(\s*SELECT\b/giy;

/**
 * Says GLOBAL of each IN inside of a subquery, which reads over the whole cluster: a deletion is carried out later,
 * without the settings of the statement that asked for it. The outermost ones are about a node's own rows, where the
 * engine takes no GLOBAL.
 */
export function sayGlobal(text: string): string {
  let said = "";
  /** Of each open parenthesis, whether it is that of a subquery. */
  const open: boolean[] = [];
  for (let at = 0; at < text.length;) {
    SUBQUERY.lastIndex = at;
    const found = startsWord(text, at) ? SUBQUERY.exec(text) : null;
    if (found !== null) {
      said += `${open.includes(true) ? "GLOBAL " : ""}${found[0]}`;
      open.push(true);
      at += found[0].length;
      continue;
    }
    const sign = text[at] ?? "";
    if (sign === "(") open.push(/^\(\s*SELECT\b/i.test(text.slice(at, at + 40)));
    if (sign === ")") open.pop();
    said += sign;
    at += 1;
  }
  return said;
}

const startsWord = (text: string, at: number): boolean =>
  /[NI]/i.test(text[at] ?? "") && !/\w/.test(text[at - 1] ?? " ");
