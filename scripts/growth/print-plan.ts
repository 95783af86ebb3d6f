import type { Load, Node, Plan, Range } from "./plan.ts";

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Plans of several loads side by side, as Markdown. */
export function printPlans(
  plans: readonly { readonly load: Load; readonly node: Node; readonly plan: Plan }[],
): string {
  const heads = ["", ...plans.map(({ load }) => `${count(load.fills)} fills`)];
  const row = (name: string, of: (plan: Plan, load: Load) => string): string =>
    line([name, ...plans.map(({ plan, load }) => of(plan, load))]);
  return [
    line(heads),
    line(heads.map((_, index) => (index === 0 ? "---" : "---:"))),
    row("fills a day", (_, load) => count(load.fills_a_day)),
    row("book changes a day", (_, load) => count(load.book_changes_a_day)),
    row("questions a second", (_, load) => count(load.questions_a_second)),
    row("fills and what came with them, GB", (plan) => span(plan.source_gb)),
    row("worked out, GB", (plan) => span(plan.derived_gb)),
    row("books on fast disk, GB", (plan) => span(plan.books_hot_gb)),
    row("books in object storage, GB", (plan) => span(plan.object_gb)),
    row("primary indexes in memory, GiB", (plan) => span(plan.index_gib)),
    row("tokens in memory of every node, GiB", (plan) => span(plan.tokens_gib)),
    row("cores: storing fills", (plan) => span(plan.cores.store)),
    row("cores: reading books' frames", (plan) => span(plan.cores.frames)),
    row("cores: storing books", (plan) => span(plan.cores.books)),
    row("cores: working out", (plan) => span(plan.cores.derive)),
    row("cores: questions", (plan) => span(plan.cores.questions)),
    row("cores in all, busy", (plan) => span(plan.cores_in_all)),
    row("working everything out again, core-hours", (plan) => span(plan.rebuild_core_hours)),
    row("shards × replicas", (plan, load) => `${plan.shards} × ${load.replicas} (${plan.bound_by})`),
    line(["nodes", ...plans.map(({ plan, node }) => `${plan.nodes} of ${node.cores} cores, ${node.memory_gib} GiB`)]),
    row("network, Mbit/s", (plan) => figure(plan.network_mbit)),
    row("USD a month at our prices", (plan) => span(plan.usd_a_month)),
  ].join("\n");
}

/** `likely (low – high)`. */
function span({ low, likely, high }: Range): string {
  const [a, b, c] = [figure(low), figure(likely), figure(high)];
  return a === c ? b : `${b} (${a} – ${c})`;
}

/** Two digits that mean something. */
export function figure(value: number): string {
  if (value === 0) return "0";
  if (value < 0.01) return "< 0.01";
  return Number(value.toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 2 });
}

function count(value: number): string {
  for (const [size, unit] of [
    [1e9, " B"],
    [1e6, " M"],
    [1e3, " k"],
  ] as const)
    if (value >= size) return `${Number((value / size).toPrecision(3))}${unit}`;
  return String(value);
}
