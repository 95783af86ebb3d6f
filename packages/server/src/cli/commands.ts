import { accountCreate } from "./account-create.ts";
import { group } from "./group.ts";
import { keyCreate } from "./key-create.ts";
import { keyList } from "./key-list.ts";
import { planEdit } from "./plan-edit.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { userCreate } from "./user-create.ts";
import { userList } from "./user-list.ts";
import { revokeKey } from "../access/keys.ts";
import { deskCommand } from "./desk-command.ts";
import { listPlans } from "../access/plans.ts";
import { textTable } from "./text-table.ts";
import { disableAccount, listAccounts, setPlan } from "../access/accounts.ts";
import { disableUser, resetPassword } from "../access/users.ts";
import { listTable } from "./list-table.ts";
import { passwordText } from "./password-text.ts";
import { readPassword } from "./read-password.ts";
import { defineCommand, type ArgsDef } from "citty";
import { describeConfig, readConfig } from "../config.ts";
import { printResult } from "./print-result.ts";
import { requireKnownArgs } from "./strict-args.ts";
import { rotateKey } from "../access/make-keys.ts";
import { CommandError } from "./command-error.ts";
import { readDuration } from "./read-duration.ts";

const keyRotate = deskCommand({
  name: "rotate",
  description: "Give a key a successor, shown once; the old one works on for a while",
  args: {
    key: { type: "positional", required: true, description: "Key id, public prefix, or the key itself" },
    overlap: { type: "string", default: "24h", description: "How long the old key works on, e.g. 30m, 24h, 7d" },
  },
  run: async (desk, { key, overlap }) => {
    const overlapMs = readDuration(overlap);
    if (overlapMs === undefined) throw new CommandError(2, `--overlap is "${overlap}": expected e.g. 30m, 24h or 7d`);
    const rotated = await rotateKey(desk, key, overlapMs);
    const ends = rotated.replaced.expires_at?.toISOString() ?? "now";
    return {
      value: { key: rotated.key, ...rotated.summary, replaces: rotated.replaced },
      text: `${rotated.key}\nThis is the only time the key is shown. The old one (${rotated.replaced.prefix}…) works until ${ends}.`,
    };
  },
});

const args: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };

/** Prints every setting, also when one is wrong; then says which, and ends with 2. */
const configCommand: AnyCommand = defineCommand({
  meta: { name: "config", description: "Print every setting, its value, where it comes from and what it means" },
  args,
  run: async (context) => {
    requireKnownArgs(args, context.args);
    const rows = describeConfig();
    const cells = rows.map((row) => [row.name, row.value, row.source, row.meaning]);
    const text = textTable(["SETTING", "VALUE", "SOURCE", "MEANING"], cells);
    printResult({ value: rows, text }, context.args["json"] === true);
    readConfig();
  },
});

const userPassword = deskCommand({
  name: "password",
  description: "Give a user a new password, made and shown once or read; all their sessions end",
  args: {
    user: { type: "positional", required: true, description: "User id or e-mail address" },
    "password-stdin": { type: "boolean", description: "Read the password from standard input" },
  },
  run: async (desk, { user: named, "password-stdin": isGiven }) => {
    const { user, password } = await resetPassword(desk, named, isGiven ? await readPassword() : undefined);
    return {
      value: { user, ...(password === undefined ? {} : { password }) },
      text: passwordText(user, password),
    };
  },
});

const HEADINGS = ["ID", "NAME", "EMAIL", "PLAN", "CREATED", "DISABLED"];

const accountList = deskCommand({
  name: "list",
  description: "List accounts, oldest first, 1,000 at a time",
  args: { after: { type: "string", description: "Go on after this account id" } },
  run: async (desk, { after }) => {
    const page = await listAccounts(desk, after);
    const text = listTable(HEADINGS, page.accounts, page.has_more, (a) => [
      a.id,
      a.name,
      a.email,
      a.plan,
      a.created_at,
      a.disabled_at,
    ]);
    return { value: page, text };
  },
});

const accountDisable = deskCommand({
  name: "disable",
  description: "Shut an account: all its keys are refused within one second",
  args: {
    account: { type: "positional", required: true, description: "Account id or e-mail address" },
    undo: { type: "boolean", description: "Open it again" },
  },
  run: async (desk, { account, undo }) => {
    const changed = await disableAccount(desk, account, !undo);
    return { value: changed, text: `Account ${changed.email} is ${changed.disabled_at ? "disabled" : "open"}.` };
  },
});

const userDisable = deskCommand({
  name: "disable",
  description: "Shut a user out at once; keys they made are the account's and stay",
  args: {
    user: { type: "positional", required: true, description: "User id or e-mail address" },
    undo: { type: "boolean", description: "Let them in again" },
  },
  run: async (desk, { user, undo }) => {
    const changed = await disableUser(desk, user, !undo);
    return { value: changed, text: `User ${changed.email} is ${changed.disabled_at ? "disabled" : "let in"}.` };
  },
});

const planSet = deskCommand({
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

const planList = deskCommand({
  name: "list",
  description: "List plans and what they allow",
  args: {},
  run: async (desk) => {
    const plans = await listPlans(desk);
    const rows = plans.map((p) => [p.name, p.requests_per_minute, p.burst, p.max_page, p.datasets]);
    return { value: plans, text: textTable(["PLAN", "REQUESTS/MIN", "BURST", "MAX PAGE", "DATASETS"], rows) };
  },
});

const keyRevoke = deskCommand({
  name: "revoke",
  description: "Revoke a key for good; it is refused everywhere within one second",
  args: { key: { type: "positional", required: true, description: "Key id, public prefix, or the key itself" } },
  run: async (desk, { key }) => {
    const revoked = await revokeKey(desk, key);
    return { value: revoked, text: `Key ${revoked.id} (${revoked.prefix}…) is revoked.` };
  },
});

/** The commands over the control records; main adds those that need the engines. */
export const commands: Record<"account" | "user" | "key" | "plan" | "config", AnyCommand> = {
  account: group("account", "Make and list accounts", {
    create: accountCreate,
    list: accountList,
    disable: accountDisable,
  }),
  user: group("user", "Make, list and disable users, and give them new passwords", {
    create: userCreate,
    list: userList,
    disable: userDisable,
    password: userPassword,
  }),
  key: group("key", "Make, list, rotate and revoke API keys", {
    create: keyCreate,
    list: keyList,
    revoke: keyRevoke,
    rotate: keyRotate,
  }),
  plan: group("plan", "What plans allow, and who is on which", { list: planList, set: planSet, edit: planEdit }),
  config: configCommand,
};
