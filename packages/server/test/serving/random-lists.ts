import type { InsertRow } from "../../src/definition/table.ts";
import type { Draw } from "./random-fills.ts";

/** Random rows of a catalogue, and parameters that match some of them. */
export type RandomList = {
  readonly row: (index: number) => InsertRow;
  readonly params: (count: number) => Record<string, string>;
};

const WORDS = [
  ..."Will Bitcoin be above $100k on June 3? The the THE a 100 1000 10".split(" "),
  ..."Köln İstanbul ΣΟΦΟΣ σοφος 東京 O'Brien naïve 😀 fi ßtraße".split(" "),
].concat(['"quoted"', "back\\slash", "50%", "under_score", "tab\there", "line\nbreak", "x-y", "\u2028"]);
const CATEGORIES = ["", "Sports", "Sports / Basketball", "Sports / Basketball / NBA", "Sportsmen", "ÖL / Öl", "a%b"];
const TAGS = ["Sports", "SPORTS", "İstanbul", "Σας", 'a "b"', "", "Weather"];
const STATUSES = ["initialized", "active", "inactive", "closed", "determined", "finalized"];
const AMOUNTS = ["0", "0", "0.000001", "-0.5", "1", "10", "999.999999", "1000", "9007199254.740990", "123456.7"];
const TIMESTAMPS = ["2026-01-01T00:00:00", "2026-01-01T00:00:01", "2026-03-01T12:30:00", "2025-12-31T23:59:59"];
/** In chronological order; a day begins as a minimum, and ends as a maximum. */
const REQUESTED_TIMESTAMPS = [
  "2025-12-31",
  "1767225600",
  "2026-01-01",
  "1767225600500",
  "2026-01-01",
  "2026-03-01T12:30:00Z",
  "2030-01-01",
];

const id = (index: number): string => `0x${((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(64, "0")}`;
const TICKERS = ["KX", "KX\u{1F600}", "KX\uFB01", "kx-", "K"];
const ticker = (index: number): string => `${TICKERS[index % TICKERS.length]}${index * 7}`;

/** Words without their third letters. */
const MISSPELT = WORDS.filter((word) => /^\p{L}{4,}$/u.test(word)).map((word) => word.slice(0, 2) + word.slice(3));

export function randomLists(draw: Draw): Readonly<Record<"markets" | "kalshi" | "tags", RandomList>> {
  const { below } = draw;
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const some = (most: number, make: () => string): string[] => Array.from({ length: below(most + 1) }, make);
  const slug = (index: number): string =>
    below(20) === 0 ? "köln-東京" : `will-${one(["rain", "btc", "a"])}-${index}`;
  const timestamp = (): string => `${one(TIMESTAMPS)}${one([".5Z", ".000001Z", "Z", ".123456Z"])}`;
  const second = (): string => `${one(TIMESTAMPS)}Z`;
  const maybe = <Value>(make: () => Value): Value | null => (below(5) === 0 ? null : make());
  const title = (): string => some(8, () => one(WORDS)).join(one([" ", "  ", ", "]));
  /** Words, misspelt ones or prefixes, in any letter case. */
  const search = (): string =>
    [one(WORDS), ...some(2, () => one(WORDS))]
      .map((word) => (below(3) === 0 ? one(MISSPELT) : [...word].slice(0, 1 + below(6)).join("")))
      .map((word) => one([word, word.toUpperCase(), word.toLowerCase()]))
      .join(one([" ", ", ", "-", "  "]))
      .trim();
  const chances = (params: Record<string, [odds: number, value: () => string]>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(params)
        .filter(([, [odds]]) => below(odds) === 0)
        .map(([name, [, value]]) => [name, value()] as const)
        .filter(([, value]) => value.trim() !== ""),
    );
  const list = (make: () => string): string => [make(), ...some(below(8) === 0 ? 30 : 2, make)].join(",");
  /** Ends of a range of times: one whose minimum is after its maximum is refused. */
  const range = (min: string, max: string): Record<string, [number, () => string]> => {
    let first = 0;
    return {
      [min]: [5, () => REQUESTED_TIMESTAMPS[(first = below(REQUESTED_TIMESTAMPS.length))] as string],
      [max]: [5, () => one(REQUESTED_TIMESTAMPS.slice(first))],
    };
  };
  const sorted = (sorts: readonly string[]): Record<string, [number, () => string]> => ({
    sort_by: [2, () => one(sorts)],
    sort_order: [2, () => one(["asc", "desc"])],
  });
  return {
    markets: {
      row: (index) => ({
        condition_id: id(index),
        gamma_id: "",
        question_id: "",
        question: title(),
        slug: slug(index),
        event_slug: one(["", "rain", "event-1", "event-2", "köln"]),
        start_date: maybe(timestamp),
        end_date: maybe(second),
        event_start: null,
        closed: below(3) === 0,
        closed_date: null,
        active: true,
        accepting_orders: true,
        volume_total: one(AMOUNTS),
        volume_24h: one(AMOUNTS),
        liquidity: String(below(1e9) / 1e3),
        side_a_outcome: one(WORDS),
        side_b_outcome: "No",
        side_a_token_id: String(2n ** 255n + BigInt(index)),
        side_b_token_id: "0",
        side_a_price: maybe(() => "0.5"),
        side_b_price: null,
        winning_outcome: maybe(() => one(WORDS)),
        resolution_status: "",
        payout_a: null,
        category: one(CATEGORIES),
        tags: some(3, () => one(TAGS)),
        neg_risk: false,
        neg_risk_market_id: "",
        resolution_source: title(),
        tick_size: null,
        min_size: null,
        fee_rate: null,
        updated_at: timestamp(),
      }),
      params: (count) =>
        chances({
          min_volume: [4, () => one(AMOUNTS.slice(2))],
          max_volume: [6, () => one(AMOUNTS.slice(2))],
          condition_id: [8, () => list(() => id(below(count + 5)))],
          market_slug: [3, () => (below(2) === 0 ? search() : list(() => slug(below(count + 5))))],
          event_slug: [8, () => list(() => one(["rain", "event-1", "event-9", "köln"]))],
          closed: [3, () => one(["True", "false"])],
          ...range("end_date_min", "end_date_max"),
          category: [6, () => one([...CATEGORIES, "sports", "SPORTS / basketball", "öl"])],
          tag: [6, () => one([...TAGS, "sports", "σας", "i̇stanbul"])],
          ...sorted(["volume_total", "end_date", "start_date", "volume_24h", "liquidity"]),
        }),
    },
    kalshi: {
      row: (index) => ({
        ticker: ticker(index),
        event_ticker: one(["KXMARS", "KXRAIN"]),
        series_ticker: one(["", "KX"]),
        title: title(),
        status: one(STATUSES),
        result: one([null, "yes", "no"]),
        last_price: maybe(() => one(["0.195", "0.07", "0.999999"])),
        yes_bid: maybe(() => "0.29"),
        yes_ask: null,
        volume: one(AMOUNTS),
        volume_24h: one(AMOUNTS),
        open_interest: String(below(1000)),
        settlement_value: null,
        open_time: timestamp(),
        close_time: maybe(timestamp),
        expiration_time: null,
        created_time: maybe(timestamp),
        settled_time: null,
        category: "",
        market_type: "binary",
        updated_at: timestamp(),
      }),
      params: (count) =>
        chances({
          ticker: [8, () => list(() => ticker(below(count + 5))).replaceAll(/[^\p{L}\p{N},-]/gu, "")],
          event_ticker: [8, () => list(() => one(["KXMARS", "KXRAIN", "KXNO"]))],
          series_ticker: [8, () => "KX"],
          title: [3, search],
          status: [3, () => one(["open", "closed", "settled", "unopened", "determined", "disputed"])],
          ...range("close_time_min", "close_time_max"),
          ...sorted(["volume", "volume_24h", "open_interest", "close_time", "created_time"]),
        }),
    },
    tags: {
      row: (index) => ({
        tag_id: String(index),
        label: below(4) === 0 ? one(TAGS) : title(),
        slug: slug(index),
        parent_slug: one([null, "", "sports", "köln"]),
        created_at: maybe(timestamp),
        updated_at: maybe(timestamp),
      }),
      params: (count) =>
        chances({
          slug: [4, () => list(() => slug(below(count + 5)))],
          label: [3, () => one([...TAGS, "sports", "ΣΑΣ"])],
          parent_slug: [4, () => list(() => one(["sports", "köln", "none"]))],
        }),
    },
  };
}
