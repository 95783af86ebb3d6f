/** Runs of capitalised words: "Stanley Cup", "Donald Trump", "U.S. Senate", "S&P 500". */
const RUN =
  /(?:\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*)(?:[ \u00a0](?:(?:of|the|de|van|von|al) )?(?:\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*|\p{N}{2,4}(?!\p{N})))*/gu;
const QUESTION =
  /^(?:Will|Who|What|When|Where|Which|How|Why|Is|Are|Was|Does|Do|Did|Can|Could|Should|Has|Have|Any|The|An?|In|On|By|Before|After|If|Next|Top|Yes|No|Over|Under|Highest|Lowest|Largest|Number|Price)(?:[ \u00a0]|$)/u;
const MONTH =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Q[1-4]|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\.?(?:[ \u00a0]|$)/u;
const LEAST_LETTERS = 4;
const MOST_LETTERS = 60;

/** Names in a title, as phrases for a search: runs of capitalised words without question words and dates. */
export function titleTerms(title: string): readonly string[] {
  const found = [...title.matchAll(RUN)].map(([run]) => {
    let term = run;
    while (QUESTION.test(term)) term = term.replace(QUESTION, "");
    return term.replace(/['’]s$/u, "").replace(/[.'’&-]+$/u, "");
  });
  return [...new Set(found.filter(isTelling))];
}

function isTelling(term: string): boolean {
  const letters = [...term.matchAll(/\p{L}/gu)].length;
  return !MONTH.test(term) && letters >= LEAST_LETTERS && term.length <= MOST_LETTERS;
}
