/** States in which the network's copies lag or are slowed down: its posts are still there. */
const STILL_THERE = new Set(["desynchronized", "throttled"]);

/** Whether an account's posts are to be hidden: deleted, taken down, suspended, deactivated, or inactive and no word why. */
export function isGone({
  active,
  status,
}: {
  readonly active: boolean;
  readonly status?: string | undefined;
}): boolean {
  return !active && !(status !== undefined && STILL_THERE.has(status));
}
