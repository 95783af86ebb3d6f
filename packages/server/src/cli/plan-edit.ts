import { editPlan } from "../access/plans.ts";
import { CommandError } from "./command-error.ts";
import { deskCommand } from "./desk-command.ts";

export const planEdit = deskCommand({
  name: "edit",
  description: "Change what a plan allows; felt within one second",
  args: {
    plan: { type: "positional", required: true, description: "Name of the plan" },
    "requests-per-minute": { type: "string", description: "Requests a minute" },
    burst: { type: "string", description: "Requests at once after a rest" },
    "max-page": { type: "string", description: "Rows on the largest page" },
    datasets: { type: "string", description: "all, or agent ids and names of plans, separated by commas" },
  },
  run: async (desk, args) => {
    const changed = await editPlan(desk, args.plan, {
      ...wholeNumber("requests_per_minute", "requests-per-minute", args["requests-per-minute"]),
      ...wholeNumber("burst", "burst", args.burst),
      ...wholeNumber("max_page", "max-page", args["max-page"]),
      ...(args.datasets === undefined ? {} : { datasets: readDatasets(args.datasets) }),
    });
    return { value: changed, text: `Plan ${changed.name} is changed.` };
  },
});

function wholeNumber(field: string, option: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {};
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(2, `--${option} is "${text}": expected a whole number`);
  return { [field]: Number(text) };
}

function readDatasets(text: string): "all" | (number | string)[] {
  if (text === "all") return "all";
  const parts = text.split(",").map((part) => part.trim());
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
