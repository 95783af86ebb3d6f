import { writeFileSync } from "node:fs";
import { chartSvg } from "./chart-svg.ts";
import { readFigures } from "./figures.ts";
import { planOnLeast, type Load, type Node } from "./plan.ts";
import { printPlans } from "./print-plan.ts";
import { readPrices } from "./read-prices.ts";

export type PlanOptions = {
  /** Stores of so many fills side by side; else one of so many years. */
  readonly fills: readonly number[];
  readonly fillsADay: number | undefined;
  readonly bookChangesADay: number;
  readonly years: number;
  readonly booksHotDays: number;
  readonly booksKeptDays: number;
  readonly questions: number;
  readonly replicas: number;
  readonly peak: number;
  readonly prices: string | undefined;
  readonly svg: string | undefined;
  readonly isJson: boolean;
};

/** Disks and processors half to two thirds full: merges need room, and latency breaks above (see simulate). */
const FULL = { disk: 0.65, cpu: 0.6, memory: 0.3 };
const NODES: readonly Node[] = [
  { cores: 2, memory_gib: 8, nvme_gb: 250, full: FULL },
  { cores: 4, memory_gib: 16, nvme_gb: 1_000, full: FULL },
  { cores: 8, memory_gib: 32, nvme_gb: 2_000, full: FULL },
  { cores: 16, memory_gib: 64, nvme_gb: 4_000, full: FULL },
  { cores: 32, memory_gib: 128, nvme_gb: 8_000, full: FULL },
];

export function planCommand(options: PlanOptions): string {
  const figures = readFigures();
  const prices = readPrices(options.prices);
  const sizes = options.fills.length > 0 ? options.fills : [(options.fillsADay ?? 0) * 365 * options.years];
  const plans = sizes.map((fills) => {
    const load: Load = {
      fills,
      fills_a_day: options.fillsADay ?? fills / (365 * options.years),
      book_changes_a_day: options.bookChangesADay,
      books_hot_days: options.booksHotDays,
      books_kept_days: options.booksKeptDays,
      questions_a_second: options.questions,
      replicas: options.replicas,
      peak: options.peak,
    };
    return planOnLeast(load, figures, NODES, prices);
  });
  if (options.svg !== undefined) {
    const of = (value: (one: (typeof plans)[number]["plan"]) => number) =>
      plans.map(({ load, plan: one }) => [load.fills, value(one)] as const);
    writeFileSync(
      options.svg,
      chartSvg({
        title: "Bytes on disk by fills, one copy",
        x: "fills",
        y: "GB",
        series: [
          { label: "fills and what came with them", color: "#2563eb", points: of((one) => one.source_gb.likely) },
          { label: "worked out from them, likely", color: "#b45309", points: of((one) => one.derived_gb.likely) },
          { label: "worked out from them, at most", color: "#dc2626", points: of((one) => one.derived_gb.high) },
        ],
      }),
    );
  }
  return options.isJson ? `${JSON.stringify(plans)}\n` : `${printPlans(plans)}\n`;
}
