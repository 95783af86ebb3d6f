import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { usePages } from "./use-pages.ts";

export interface AuditEntry {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: unknown;
  readonly at: string;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly has_more: boolean;
}

const QUERY = { limit: "100" };

/** Who changed what, newest first, a page at a time. */
export const useAudit = (): UseInfiniteQueryResult<InfiniteData<AuditPage>> =>
  usePages<AuditPage>("/audit", QUERY, "before", ({ entries }) => entries.at(-1)?.id);
