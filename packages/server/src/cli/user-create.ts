import { createUser } from "../access/users.ts";
import { CommandError } from "./command-error.ts";
import { deskCommand } from "./desk-command.ts";
import { passwordText } from "./password-text.ts";
import { readPassword } from "./read-password.ts";

const ROLES = ["member", "owner", "operator"] as const;

export const userCreate = deskCommand({
  name: "create",
  description: "Make a user of an account; a first password is shown once",
  args: {
    account: { type: "string", required: true, description: "Account id or e-mail address" },
    email: { type: "string", required: true, description: "E-mail address to sign in with" },
    name: { type: "string", description: "Who it is (default: the e-mail address)" },
    role: {
      type: "string",
      default: "member",
      description: "member, owner (of the account) or operator (of the service)",
    },
    "password-stdin": { type: "boolean", description: "Read the user's password from standard input instead" },
  },
  run: async (desk, { account, email, name, role: asked, "password-stdin": isGiven }) => {
    const role = ROLES.find((known) => known === asked);
    if (role === undefined) throw new CommandError(2, `--role is "${asked}": expected ${ROLES.join(", ")}`);
    const { user, password } = await createUser(desk, {
      account,
      email,
      name: name ?? email,
      role,
      ...(isGiven ? { password: await readPassword() } : {}),
    });
    return {
      value: { user, ...(password === undefined ? {} : { password }) },
      text: passwordText(user, password),
    };
  },
});
