/** A guide: its name under /docs/guides, and its text under the repository's docs/. */
export type Guide = {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  readonly group: "Guides" | "Method";
  readonly lead: string;
};

/** In the order in which one reads them. */
export const GUIDES: readonly Guide[] = [
  {
    name: "getting-started",
    file: "guides/getting-started.md",
    title: "Getting started",
    group: "Guides",
    lead: "From a key to the first rows.",
  },
  {
    name: "values",
    file: "guides/values.md",
    title: "Values and filters",
    group: "Guides",
    lead: "How parameters are written: strings, moments, lists, and what means no filter.",
  },
  {
    name: "paging",
    file: "guides/paging.md",
    title: "Paging and cursors",
    group: "Guides",
    lead: "Pages by offset, walks by cursor, and what stays still during one.",
  },
  {
    name: "coverage",
    file: "guides/coverage.md",
    title: "Coverage",
    group: "Guides",
    lead: "What an answer says about what it may lack.",
  },
  {
    name: "formats",
    file: "guides/formats.md",
    title: "Formats",
    group: "Guides",
    lead: "raw, typed, CSV, NDJSON, Parquet, Arrow; compression and unchanged answers.",
  },
  {
    name: "limits",
    file: "guides/limits.md",
    title: "Keys and rate limits",
    group: "Guides",
    lead: "What a key may ask and how often, and the headers that say so.",
  },
  {
    name: "errors",
    file: "guides/errors.md",
    title: "Errors",
    group: "Guides",
    lead: "One shape for every failure, and which to try again.",
  },
  {
    name: "profit",
    file: "guides/profit.md",
    title: "Profit and loss",
    group: "Guides",
    lead: "How a wallet's profit is counted, and why sites differ.",
  },
  {
    name: "score",
    file: "score.md",
    title: "The wallet score",
    group: "Method",
    lead: "Every constant of the score, what it was measured to be worth, and what it does not show.",
  },
  {
    name: "jumps",
    file: "jumps.md",
    title: "Price jumps",
    group: "Method",
    lead: "How jumps are told from noise, and how well.",
  },
  {
    name: "patterns",
    file: "patterns.md",
    title: "Patterns of wallets",
    group: "Method",
    lead: "Wash trading, rings, farming and quoting: the rules, base rates and limits.",
  },
  {
    name: "social",
    file: "social.md",
    title: "Social posts",
    group: "Method",
    lead: "Where posts come from, which market they are about, what is kept and for how long.",
  },
  {
    name: "derivations",
    file: "derivations.md",
    title: "What is worked out",
    group: "Method",
    lead: "How derived figures stay right while rows come late, twice or are taken back.",
  },
  {
    name: "gathering",
    file: "gathering.md",
    title: "How rows are gathered",
    group: "Method",
    lead: "Streams, gaps, reorganisations, limits and changed upstreams.",
  },
  {
    name: "access",
    file: "access.md",
    title: "Accounts and access",
    group: "Method",
    lead: "Accounts, users, keys, roles and sessions, and what is kept of them.",
  },
  {
    name: "known-limits",
    file: "known-limits.md",
    title: "Known limits",
    group: "Method",
    lead: "What the service does not do, or not well.",
  },
];
