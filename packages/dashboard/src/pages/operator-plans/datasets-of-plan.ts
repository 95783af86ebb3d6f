import type { Plan, PlanDatasets } from "../../api/plans.ts";
import type { Dataset } from "../../explore/dataset.ts";

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
