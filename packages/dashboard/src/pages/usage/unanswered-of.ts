import type { UsageLine } from "../../api/usage.ts";

interface Shown {
  /** The data belongs to the previous filter. */
  readonly isPlaceholderData: boolean;
}

interface ByStatus extends Shown {
  readonly isSuccess: boolean;
  readonly data: { readonly lines: readonly Pick<UsageLine, "status" | "requests">[] } | undefined;
}

/** Requests that were refused or failed; null until both results belong to the same filter. */
export function unansweredOf(total: Shown, { isSuccess, isPlaceholderData, data }: ByStatus): number | null {
  if (!isSuccess || data === undefined || isPlaceholderData || total.isPlaceholderData) return null;
  return data.lines.filter(({ status }) => (status ?? 0) >= 400).reduce((sum, { requests }) => sum + requests, 0);
}
