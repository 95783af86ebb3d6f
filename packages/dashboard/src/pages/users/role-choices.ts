import type { Role } from "../../api/session-user.ts";

const CHOICES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: "member", label: "Member: reads, creates keys" },
  { value: "owner", label: "Owner: manages the account" },
  { value: "operator", label: "Operator: manages the service" },
];

/** The roles that the user may assign; only an operator can create operators. */
export function roleChoices(mine: Role): readonly { readonly value: Role; readonly label: string }[] {
  return mine === "operator" ? CHOICES : CHOICES.filter(({ value }) => value !== "operator");
}
