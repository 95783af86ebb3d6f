/** First halves of handles. */
export const AUTHOR_WORDS: readonly string[] = [
  "reader",
  "quietfox",
  "marginnotes",
  "oddsandends",
  "lakeside",
  "nightbus",
  "paperkite",
  "slowcoffee",
  "tallgrass",
  "zerosum",
  "verdigris",
  "mailbox",
];

/** News sites; made up. */
export const PAPERS: readonly string[] = [
  "northerncourier.example",
  "porteillistimes.example",
  "harbordispatch.example",
  "continentalwire.example",
  "dailyledger.example",
  "marketmorning.example",
  "diarioestoven.example",
  "bolmarkerzeitung.example",
  "thesportsline.example",
  "filmweekly.example",
  "techbriefing.example",
  "weatherdesk.example",
];
