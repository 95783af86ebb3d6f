import { setPlan } from "../access/accounts.ts";
import { requireKnownDatasets } from "../access/known-datasets.ts";
import { editPlan, listPlans } from "../access/plans.ts";
import { CommandError, group, type Catalogue } from "./command.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { adminCommand } from "./admin-command.ts";
import { textTable } from "./text-table.ts";
import { wholeNumber } from "./read-options.ts";

/** A plan's limits: field, heading in the list, and description of the option. */
const LIMITS = [
  ["requests_per_minute", "REQUESTS/MIN", "Requests a minute"],
  ["burst", "BURST", "Burst of requests"],
  ["max_page", "MAX PAGE", "Rows on the largest page"],
  ["max_list", "MAX LIST", "Wallets, tokens, markets or phrases that a parameter may list"],
  ["at_once", "AT ONCE", "Concurrent requests of an account"],
  ["key_at_once", "OF A KEY", "Concurrent requests of one key"],
  ["keys", "KEYS", "Valid keys of an account"],
  ["users", "USERS", "Users of an account who are not disabled"],
] as const;
const optionOf = (field: string): string => field.replaceAll("_", "-");

const list = adminCommand({
  name: "list",
  description: "List plans and what they allow",
  args: {},
  run: async (admin) => {
    const plans = await listPlans(admin);
    const rows = plans.map((plan) => [plan.name, ...LIMITS.map(([field]) => plan[field]), plan.datasets]);
    const heads = ["PLAN", ...LIMITS.map(([, heading]) => heading), "DATASETS"];
    return { value: plans, text: textTable(heads, rows) };
  },
});

const set = adminCommand({
  name: "set",
  description: "Put an account on a plan; applies within one second",
  args: {
    account: { type: "positional", required: true, description: "Account id or e-mail address" },
    plan: { type: "positional", required: true, description: "Name of the plan" },
  },
  run: async (admin, { account, plan }) => {
    const changed = await setPlan(admin, account, plan);
    return { value: changed, text: `Account ${changed.email} is on the plan ${changed.plan}.` };
  },
});

const edit = (catalogue: Catalogue) =>
  adminCommand({
    name: "edit",
    description: "Change what a plan allows; applies within one second",
    args: {
      plan: { type: "positional", required: true, description: "Name of the plan" },
      ...Object.fromEntries(
        LIMITS.map(([field, , description]) => [optionOf(field), { type: "string", description } as const]),
      ),
      datasets: { type: "string", description: "all, or agent ids and names of plans, separated by commas" },
    },
    run: async (admin, args) => {
      const limits = LIMITS.map(([field]) => [
        field,
        wholeNumber(optionOf(field), args[optionOf(field)] as string | undefined),
      ]);
      const datasets = args.datasets === undefined ? undefined : readDatasets(args.datasets);
      if (datasets === undefined && limits.every(([, limit]) => limit === undefined)) {
        throw new CommandError(2, "nothing to change: give a limit or --datasets");
      }
      if (Array.isArray(datasets))
        requireKnownDatasets(
          await catalogue(),
          datasets.filter((part) => typeof part === "number"),
        );
      const changed = await editPlan(admin, args.plan, { ...Object.fromEntries(limits), datasets });
      return { value: changed, text: `Plan ${changed.name} is changed.` };
    },
  });

function readDatasets(text: string): "all" | (number | string)[] {
  if (text === "all") return "all";
  const parts = text.split(",").map((part) => part.trim());
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

export const planCommands = (catalogue: Catalogue): AnyCommand =>
  group("plan", "What plans allow, and who is on which", { list, set, edit: edit(catalogue) });
