export const PLAN_FIELDS = [
  {
    name: "requests_per_minute",
    label: "Requests a minute",
    max: 1_000_000,
    help: "Of all keys and users of an account together: how fast they come back.",
  },
  {
    name: "burst",
    label: "Burst",
    max: 1_000_000,
    help: "How many requests of an account may come at once after a rest.",
  },
  { name: "max_page", label: "Largest page", max: 10_000, help: "Rows in one answer." },
  { name: "max_list", label: "Longest list", max: 200, help: "Wallets, tokens or markets in one parameter." },
  { name: "at_once", label: "At once", max: 128, help: "Questions of an account under way at once." },
  { name: "key_at_once", label: "At once, of a key", max: 128, help: "Questions of one key under way at once." },
  { name: "keys", label: "Keys", max: 1000, help: "Keys of an account that are neither revoked nor expired." },
  { name: "users", label: "Users", max: 1000, help: "Users of an account who are not disabled." },
] as const;

export type PlanField = (typeof PLAN_FIELDS)[number]["name"];

/** Error of a typed figure; the service checks the same. */
export function planProblem(text: string, max: number): string | undefined {
  if (!/^\d+$/.test(text.trim())) return `“${text}” is not a whole number.`;
  const value = Number(text);
  return value < 1 || value > max ? `${text} is out of range: 1 to ${max}.` : undefined;
}
