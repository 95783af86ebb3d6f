import { resetPassword } from "../access/reset-password.ts";
import { deskCommand } from "./desk-command.ts";
import { passwordText } from "./password-text.ts";
import { readPassword } from "./read-password.ts";

export const userPassword = deskCommand({
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
