const MILITARY = (
  "strike, strikes, struck, airstrike, airstrikes, bomb, bombs, bombed, bombing, attack, attacks, " +
  "attacked, attacking, missile, missiles, military operation, military operations, warship, warships, " +
  "armada, blockade, invade, invaded, invasion"
).split(", ");

/**
 * What a question asks, and words by which texts tell of it though they mean more than that: a text with one of them is
 * about it where all else of the question is named too. Titles with these words ask something else ("Peace Prize").
 */
export const TOLD_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ["ceasefire", ["peace", "end this war", "ending the war", "stop the war", "hostilities", "armistice"]],
  ["strike", MILITARY],
  ["military action", MILITARY],
  ["military engagement", MILITARY],
  ["ban", ["save", "saved", "saving", "divest", "divestiture"]],
  [
    "signed into law",
    [
      "become law",
      "becomes law",
      "sign",
      "signs",
      "signed",
      "signing",
      "pass",
      "passes",
      "passed",
      "passage",
      "approved",
    ],
  ],
  ["redistrict", ["redraw", "redrawn", "redrawing", "congressional map", "congressional maps"]],
  ["defund", ["funding"]],
  ["fall", ["collapse", "collapses", "collapsed", "toppled", "overthrow", "overthrown", "regime change"]],
]);
