import { accountCreate } from "./account-create.ts";
import { accountDisable } from "./account-disable.ts";
import { accountList } from "./account-list.ts";
import { configCommand } from "./config-command.ts";
import { group } from "./group.ts";
import { keyCreate } from "./key-create.ts";
import { keyList } from "./key-list.ts";
import { keyRevoke } from "./key-revoke.ts";
import { keyRotate } from "./key-rotate.ts";
import { planEdit } from "./plan-edit.ts";
import { planList } from "./plan-list.ts";
import { planSet } from "./plan-set.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { userCreate } from "./user-create.ts";
import { userDisable } from "./user-disable.ts";
import { userList } from "./user-list.ts";
import { userPassword } from "./user-password.ts";

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
