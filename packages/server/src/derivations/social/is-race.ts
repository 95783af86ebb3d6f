const RACE =
  /\b(?:elections?|primary|mayoral|runoff|next (?:prime minister|president|chancellor|mayor|governor)|(?:democratic|republican|presidential|vp|party) nominee)\b/iu;
const NOMINATION = /\b(?:nominee|nomination|primary)\b/iu;
const NOMINEE = /\bnominee\b/iu;

/** Whether an event's title is about people or parties that stand for an office. */
export const isRace = (title: string): boolean => RACE.test(title) && !/\bmargin\b|\bturnout\b/iu.test(title);
/** Whether a race's title is about a party's choice of candidate. */
export const isNomination = (title: string): boolean => NOMINATION.test(title);
/** Whether only words about the party's choice indicate it, whoever the candidates are: for a nominee. */
export const isNominee = (title: string): boolean => NOMINEE.test(title);
