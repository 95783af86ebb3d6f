import type { UsageLine } from "../../api/usage.ts";

interface Shown {
  /** What is there is of the filter before. */
  readonly isPlaceholderData: boolean;
}

interface ByStatus extends Shown {
  readonly isSuccess: boolean;
  readonly data: { readonly lines: readonly Pick<UsageLine, "status" | "requests">[] } | undefined;
}

/** Requests that were refused or failed; null until they are known of the same filter as the total. */
export function unansweredOf(total: Shown, { isSuccess, isPlaceholderData, data }: ByStatus): number | null {
  if (!isSuccess || data === undefined || isPlaceholderData || total.isPlaceholderData) return null;
  return data.lines.filter(({ status }) => (status ?? 0) >= 400).reduce((sum, { requests }) => sum + requests, 0);
}
