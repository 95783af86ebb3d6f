import type { Formula } from "../../definition/formula.ts";

const SAID =
  "A post and a phrase are read alike: runs of letters and digits, lower-cased. A post counts once, however many phrases it has and however often. Time is the source's own clock.";

export const socialPulseFormula: readonly Formula[] = [
  {
    title: "Figures of the window",
    fields: ["tweet_count", "acceleration", "author_diversity_pct", "pct_last_1h", "pct_last_6h"],
    says: [
      SAID,
      "The window is (end − `hours_back`, end], its end now or `as_of`. n = `tweet_count` = its posts; n1, n6 = those of its last hour, last six hours.",
      "`acceleration` = (n1 + ½) / (n / `hours_back` + ½). `author_diversity_pct` = different authors / n × 100, an author being one per source. `pct_last_1h` = n1 / n × 100, `pct_last_6h` = n6 / n × 100.",
    ],
  },
  {
    title: "Of each post",
    fields: ["sentiment", "stance", "like_count", "retweet_count", "reply_count", "quote_count"],
    says: [
      "`sentiment` = polarity of the words (AFINN), −1 to 1, words of the market such as yes, win, bet and odds left out; English only. `stance` is read apart from it: what the post says to do or expects.",
      "Counts are those fetched with the post, plus the reactions told one by one up to `as_of` (Bluesky).",
    ],
  },
];

export const socialVolumeFormula: readonly Formula[] = [
  {
    title: "Figures of a bucket",
    fields: ["posts", "authors", "author_diversity_pct", "acceleration", "bucket_seconds", "covered_seconds"],
    says: [
      SAID,
      "`author_diversity_pct` = `authors` / `posts` × 100. With v = `posts` × 3600 / `bucket_seconds`: `acceleration` = (v + ½) / (v of the bucket before + ½).",
      "`covered_seconds` = seconds of the bucket in which at least one asked source was gathered. `is_whole`: none of them was off or down for more than a minute. 0 `posts` is nothing said; null is nothing gathered and nothing stored.",
    ],
  },
  {
    title: "What is said",
    fields: ["sentiment_mean", "sentiment_balance", "buy_yes", "buy_no", "up", "down", "engagement"],
    says: [
      "`sentiment_mean` = mean polarity of the posts that have one; `sentiment_balance` = posts with 0.05 or more − posts with −0.05 or less. `buy_yes`, `buy_no`, `up`, `down` count posts by stance.",
      "`engagement` = likes + 2 · reposts + replies + quotes of the bucket's posts.",
    ],
  },
];
