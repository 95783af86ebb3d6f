import { setPlan } from "../access/accounts.ts";
import { editPlan, listPlans } from "../access/plans.ts";
import { group } from "./command.ts";
import { deskCommand } from "./desk-command.ts";
import { textTable } from "./text-table.ts";
import { wholeNumber } from "./whole-number.ts";

const list = deskCommand({
  name: "list",
  description: "List plans and what they allow",
  args: {},
  run: async (desk) => {
    const plans = await listPlans(desk);
    const rows = plans.map((p) => [
      p.name,
      p.requests_per_minute,
      p.burst,
      p.max_page,
      p.max_list,
      p.at_once,
      p.key_at_once,
      p.keys,
      p.users,
      p.datasets,
    ]);
    const heads = [
      "PLAN",
      "REQUESTS/MIN",
      "BURST",
      "MAX PAGE",
      "MAX LIST",
      "AT ONCE",
      "OF A KEY",
      "KEYS",
      "USERS",
      "DATASETS",
    ];
    return { value: plans, text: textTable(heads, rows) };
  },
});

const set = deskCommand({
  name: "set",
  description: "Put an account on a plan; felt within one second",
  args: {
    account: { type: "positional", required: true, description: "Account id or e-mail address" },
    plan: { type: "positional", required: true, description: "Name of the plan" },
  },
  run: async (desk, { account, plan }) => {
    const changed = await setPlan(desk, account, plan);
    return { value: changed, text: `Account ${changed.email} is on the plan ${changed.plan}.` };
  },
});

const edit = deskCommand({
  name: "edit",
  description: "Change what a plan allows; felt within one second",
  args: {
    plan: { type: "positional", required: true, description: "Name of the plan" },
    "requests-per-minute": { type: "string", description: "Requests a minute" },
    burst: { type: "string", description: "Requests at once after a rest" },
    "max-page": { type: "string", description: "Rows on the largest page" },
    "max-list": { type: "string", description: "Wallets, tokens, markets or phrases that a parameter may list" },
    "at-once": { type: "string", description: "Questions of an account under way at once" },
    "key-at-once": { type: "string", description: "Questions of one key under way at once" },
    keys: { type: "string", description: "Keys of an account that work" },
    users: { type: "string", description: "Users of an account who are not disabled" },
    datasets: { type: "string", description: "all, or agent ids and names of plans, separated by commas" },
  },
  run: async (desk, args) => {
    const changed = await editPlan(desk, args.plan, {
      requests_per_minute: wholeNumber("requests-per-minute", args["requests-per-minute"]),
      burst: wholeNumber("burst", args.burst),
      max_page: wholeNumber("max-page", args["max-page"]),
      max_list: wholeNumber("max-list", args["max-list"]),
      at_once: wholeNumber("at-once", args["at-once"]),
      key_at_once: wholeNumber("key-at-once", args["key-at-once"]),
      keys: wholeNumber("keys", args.keys),
      users: wholeNumber("users", args.users),
      datasets: args.datasets === undefined ? undefined : readDatasets(args.datasets),
    });
    return { value: changed, text: `Plan ${changed.name} is changed.` };
  },
});

function readDatasets(text: string): "all" | (number | string)[] {
  if (text === "all") return "all";
  const parts = text.split(",").map((part) => part.trim());
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

export const planCommands = group("plan", "What plans allow, and who is on which", { list, set, edit });
