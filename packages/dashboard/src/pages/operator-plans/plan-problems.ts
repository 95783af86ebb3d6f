export const PLAN_FIELDS = [
  {
    name: "requests_per_minute",
    label: "Requests a minute",
    max: 1_000_000,
    help: "Refill rate, shared by all keys and users of an account.",
  },
  {
    name: "burst",
    label: "Burst",
    max: 1_000_000,
    help: "Requests of an account allowed at once after an idle period.",
  },
  { name: "max_page", label: "Largest page", max: 10_000, help: "Rows in one response." },
  { name: "max_list", label: "Longest list", max: 200, help: "Wallets, tokens or markets in one parameter." },
  { name: "at_once", label: "Concurrent requests", max: 128, help: "Requests of an account running at once." },
  { name: "key_at_once", label: "Concurrent, per key", max: 128, help: "Requests of one key running at once." },
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
