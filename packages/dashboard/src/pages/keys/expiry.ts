const DAY_MS = 86_400_000;

export const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "on", label: "On a day…" },
] as const;

/** The expiry time for a choice; undefined: never. A day ends at its last second in the user's zone. */
export function toExpiry(choice: string, day: string, now: number): string | undefined {
  if (choice === "never") return undefined;
  if (choice !== "on") return new Date(now + Number(choice) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Why the choice is not valid. */
export function expiryProblem(choice: string, day: string, now: number): string | undefined {
  if (choice !== "on") return undefined;
  const expiry = toExpiry(choice, day, now);
  if (expiry === undefined) return "Choose a day.";
  return Date.parse(expiry) <= now ? `${day} has passed already; choose a later day.` : undefined;
}
