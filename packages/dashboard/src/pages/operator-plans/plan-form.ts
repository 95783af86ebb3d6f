import type { Plan, PlanDatasets } from "../../api/accounts.ts";
import type { Dataset } from "../../explore/dataset.ts";

export const PLAN_FIELDS = [
  {
    name: "requests_per_minute",
    label: "Requests a minute",
    max: 1_000_000,
    help: "Refill rate, shared by all keys and users of an account.",
  },
  {
    name: "burst",
    label: "Burst",
    max: 1_000_000,
    help: "Requests of an account allowed at once after an idle period.",
  },
  { name: "max_page", label: "Largest page", max: 10_000, help: "Rows in one response." },
  { name: "max_list", label: "Longest list", max: 200, help: "Wallets, tokens or markets in one parameter." },
  { name: "at_once", label: "Concurrent requests", max: 128, help: "Requests of an account running at once." },
  { name: "key_at_once", label: "Concurrent, per key", max: 128, help: "Requests of one key running at once." },
  { name: "keys", label: "Keys", max: 1000, help: "Keys of an account that are neither revoked nor expired." },
  { name: "users", label: "Users", max: 1000, help: "Users of an account who are not disabled." },
] as const;

export type PlanField = (typeof PLAN_FIELDS)[number]["name"];

/** Error of a typed figure; the service checks the same. */
export function planProblem(text: string, max: number): string | undefined {
  if (!/^\d+$/.test(text.trim())) return `“${text}” is not a whole number.`;
  const value = Number(text);
  return value < 1 || value > max ? `${text} is out of range: 1 to ${max}.` : undefined;
}

type Sold = Pick<Dataset, "agent_id" | "plan">;

/** The datasets granted by a plan's list: named by id, or sold with a plan that it names. */
export function datasetsOfPlan<Some extends Sold>(given: PlanDatasets, datasets: readonly Some[]): readonly Some[] {
  if (given === "all") return datasets;
  return datasets.filter(({ agent_id, plan }) => given.includes(agent_id) || given.includes(plan));
}

/** A plan's datasets as typed text, and back: "all", or ids and plan names separated by commas. */
export function printPlanDatasets(given: PlanDatasets): string {
  return given === "all" ? "all" : given.join(", ");
}

export function parsePlanDatasets(text: string): PlanDatasets {
  const parts = text
    .split(/[,\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 1 && parts[0]?.toLowerCase() === "all") return "all";
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The first part that is neither a dataset nor a plan. */
export function unknownPart(
  given: PlanDatasets,
  datasets: readonly Sold[],
  plans: readonly Pick<Plan, "name">[],
): string | undefined {
  if (given === "all") return undefined;
  const found = given.find((part) =>
    typeof part === "number"
      ? datasets.length > 0 && !datasets.some(({ agent_id }) => agent_id === part)
      : !plans.some(({ name }) => name === part),
  );
  return found === undefined ? undefined : String(found);
}
