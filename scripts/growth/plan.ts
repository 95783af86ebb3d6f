import type { Figures } from "./figures.ts";
import { at, fitLine } from "./fit.ts";
import { added, coresOf, derivedBytes, indexBytes, networkMbit, scaled } from "./plan-parts.ts";

/** What is expected of a service. */
export type Load = {
  readonly fills: number;
  readonly fills_a_day: number;
  readonly book_changes_a_day: number;
  /** Books stay on fast disks so many days, then in object storage until so many days in all are kept. */
  readonly books_hot_days: number;
  readonly books_kept_days: number;
  readonly questions_a_second: number;
  readonly replicas: number;
  /** The busiest hour over the mean: processors and network are planned for it. */
  readonly peak: number;
};

/** One server of the column engine, and how full it may be. */
export type Node = {
  readonly cores: number;
  readonly memory_gib: number;
  readonly nvme_gb: number;
  readonly full: { readonly disk: number; readonly cpu: number; readonly memory: number };
};

/** USD a month. */
export type Prices = {
  readonly core: number;
  readonly memory_gib: number;
  readonly nvme_gb: number;
  readonly object_gb: number;
  readonly network_gb: number;
};

/** Likely, and between what. */
export type Range = { readonly low: number; readonly likely: number; readonly high: number };

export type Plan = {
  readonly source_gb: Range;
  readonly derived_gb: Range;
  readonly books_hot_gb: Range;
  readonly object_gb: Range;
  readonly index_gib: Range;
  /** Every token, in the memory of every node; nodes are not chosen by it. */
  readonly tokens_gib: Range;
  readonly cores: {
    readonly store: Range;
    readonly derive: Range;
    /** Reading the frames of books: in the services' processes, the others mostly in the engine. */
    readonly frames: Range;
    readonly books: Range;
    readonly questions: Range;
  };
  readonly cores_in_all: Range;
  /** Core-hours to work everything out again. */
  readonly rebuild_core_hours: Range;
  readonly memory_gib: number;
  readonly shards: number;
  readonly nodes: number;
  readonly bound_by: "disk" | "cpu" | "memory" | "one node";
  /** Between nodes and from the services to them. */
  readonly network_mbit: number;
  readonly usd_a_month: Range;
};

const GB = 1e9;
const GIB = 2 ** 30;
const DAY_SECONDS = 86_400;

/**
 * What to have for a load. Bytes and indexes are of one copy of the rows; nodes, memory, network and USD are of all.
 * Each replica has its own copy in the object store.
 */
export function plan(load: Load, figures: Figures, node: Node, prices: Prices): Plan {
  const source = spread(at(fitLine(figures.source_bytes), load.fills), fitLine(figures.source_bytes).off);
  const derived = derivedBytes(load.fills, figures);
  const bookRows = (days: number): number => load.book_changes_a_day * days;
  const bytes = figures.book_bytes_a_change;
  const hot = scaled(bytes, bookRows(Math.min(load.books_hot_days, load.books_kept_days)));
  const cold = scaled(bytes, bookRows(Math.max(0, load.books_kept_days - load.books_hot_days)));
  const cores = coresOf(load, figures);
  const inAll = Object.values(cores).reduce(added);
  const index = indexBytes(load, figures);
  const disk = [source, derived, hot].reduce(added);
  const byDisk = disk.likely / (node.nvme_gb * GB * node.full.disk);
  const byCpu = inAll.likely / (node.cores * node.full.cpu) / load.replicas;
  const byMemory = index.likely / (node.memory_gib * GIB * node.full.memory);
  const shards = Math.max(1, Math.ceil(Math.max(byDisk, byCpu, byMemory)));
  const nodes = shards * load.replicas;
  const network = networkMbit(load, figures);
  const gb = (range: Range): Range => scaled(range, 1 / GB);
  const cost = (factor: (range: Range) => number): number =>
    nodes * (node.cores * prices.core + node.memory_gib * prices.memory_gib) +
    (factor(disk) / GB / node.full.disk) * load.replicas * prices.nvme_gb +
    (factor(cold) / GB) * load.replicas * prices.object_gb +
    ((network * 1e6) / 8 / GB / load.peak) * DAY_SECONDS * 30 * prices.network_gb;
  return {
    source_gb: gb(source),
    derived_gb: gb(derived),
    books_hot_gb: gb(hot),
    object_gb: gb(cold),
    index_gib: scaled(index, 1 / GIB),
    tokens_gib: scaled(figures.dictionary_bytes_a_token, (load.fills * figures.tokens_a_fill) / GIB),
    cores,
    cores_in_all: inAll,
    rebuild_core_hours: scaled(figures.rebuild_cpu_us_a_fill, load.fills / 1e6 / 3_600),
    memory_gib: nodes * node.memory_gib,
    shards,
    nodes,
    bound_by:
      shards === 1 ? "one node" : byDisk >= byCpu && byDisk >= byMemory ? "disk" : byCpu >= byMemory ? "cpu" : "memory",
    network_mbit: network,
    usd_a_month: { low: cost(({ low }) => low), likely: cost(({ likely }) => likely), high: cost(({ high }) => high) },
  };
}

/** On the first of these servers (smallest first) of which one holds all rows, else on so many of the last. */
export function planOnLeast(
  load: Load,
  figures: Figures,
  nodes: readonly Node[],
  prices: Prices,
): { readonly load: Load; readonly node: Node; readonly plan: Plan } {
  const all = nodes.map((node) => ({ load, node, plan: plan(load, figures, node, prices) }));
  const chosen = all.find((one) => one.plan.shards === 1) ?? all.at(-1);
  if (chosen === undefined) throw new RangeError("no server is given");
  return chosen;
}

const spread = (likely: number, off: number): Range => ({
  low: likely * (1 - off),
  likely,
  high: likely * (1 + off),
});
