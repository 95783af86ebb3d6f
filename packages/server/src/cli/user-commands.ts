import { createUser, disableUser, listUsers, resetPassword } from "../access/users.ts";
import { CommandError, group } from "./command.ts";
import { adminCommand, listCommand } from "./admin-command.ts";
import { passwordText, readPassword } from "./password.ts";

const ROLES = ["member", "owner", "operator"] as const;

const create = adminCommand({
  name: "create",
  description: "Create a user of an account; a first password is shown once",
  args: {
    account: { type: "string", required: true, description: "Account id or e-mail address" },
    email: { type: "string", required: true, description: "E-mail address to sign in with" },
    name: { type: "string", description: "Name (default: the e-mail address)" },
    role: {
      type: "string",
      default: "member",
      description: "member, owner (of the account) or operator (of the service)",
    },
    "password-stdin": { type: "boolean", description: "Read the user's password from standard input instead" },
  },
  run: async (admin, { account, email, name = email, role: requested, "password-stdin": isGiven }) => {
    const role = ROLES.find((known) => known === requested);
    if (role === undefined) throw new CommandError(2, `--role is "${requested}": expected ${ROLES.join(", ")}`);
    const password = isGiven ? await readPassword() : undefined;
    const made = await createUser(admin, { account, email, name, role, password });
    return { value: made, text: passwordText(made.user, made.password) };
  },
});

const list = listCommand({
  of: "user",
  isByAccount: true,
  read: (admin, { account, after }) => listUsers(admin, account, after),
  linesOf: (page) => page.users,
  columns: {
    ID: "id",
    NAME: "name",
    EMAIL: "email",
    ACCOUNT: "account_name",
    ROLE: "role",
    CREATED: "created_at",
    "LAST SIGN-IN": "last_sign_in_at",
    DISABLED: "disabled_at",
  },
});

const disable = adminCommand({
  name: "disable",
  description: "Disable a user at once; keys they created are the account's and stay",
  args: {
    user: { type: "positional", required: true, description: "User id or e-mail address" },
    undo: { type: "boolean", description: "Enable them again" },
  },
  run: async (admin, { user, undo }) => {
    const changed = await disableUser(admin, user, !undo);
    return { value: changed, text: `User ${changed.email} is ${changed.disabled_at ? "disabled" : "enabled"}.` };
  },
});

const password = adminCommand({
  name: "password",
  description: "Set a user's new password, generated and shown once or read; all their sessions end",
  args: {
    user: { type: "positional", required: true, description: "User id or e-mail address" },
    "password-stdin": { type: "boolean", description: "Read the password from standard input" },
  },
  run: async (admin, { user, "password-stdin": isGiven }) => {
    const made = await resetPassword(admin, user, { own: isGiven ? await readPassword() : undefined });
    return { value: made, text: passwordText(made.user, made.password) };
  },
});

export const userCommands = group("user", "Create, list and disable users, and set new passwords", {
  create,
  list,
  disable,
  password,
});
