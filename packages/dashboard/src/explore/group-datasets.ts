import type { Dataset } from "./dataset.ts";

export type DatasetGroup = { readonly title: string; readonly datasets: readonly Dataset[] };

const GROUPS: readonly { readonly title: string; readonly has: RegExp }[] = [
  { title: "Kalshi", has: /^kalshi-/ },
  { title: "Social", has: /^social-/ },
  { title: "Wallets", has: /wallet|leaderboard|pnl|score/ },
  { title: "Candles", has: /candles/ },
  { title: "Order books", has: /book/ },
  { title: "Market 360", has: /^market-|jumps|calibration/ },
  { title: "Trades and events", has: /trades|tape|activity|transfers|resolutions/ },
  { title: "Markets", has: /markets|tags/ },
];
const SHOWN_ORDER = [
  "Markets",
  "Trades and events",
  "Candles",
  "Order books",
  "Wallets",
  "Market 360",
  "Social",
  "Kalshi",
  "More",
];

const groupOf = (name: string): string => GROUPS.find((group) => group.has.test(name))?.title ?? "More";

/** Datasets that match every word of the search, grouped by subject. A new one is assigned a group by its name. */
export function groupDatasets(datasets: readonly Dataset[], search: string): DatasetGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = datasets.filter((dataset) => words.every((word) => haystackOf(dataset).includes(word)));
  return SHOWN_ORDER.map((title) => ({
    title,
    datasets: found.filter((dataset) => groupOf(dataset.name) === title).sort((a, b) => a.agent_id - b.agent_id),
  })).filter((group) => group.datasets.length > 0);
}

function haystackOf({ agent_id, name, title, summary, params, row }: Dataset): string {
  const fields = [...params, ...row].map((field) => field.name);
  return [agent_id, name, title, summary, ...fields].join(" ").toLowerCase();
}
