import type { AuditPage } from "../../../server/src/access/list-audit.ts";
import { type AsJson, usePages } from "./console-queries.ts";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";

export type AuditEntry = AsJson<AuditPage>["entries"][number];

const QUERY = { limit: "100" };

/** The audit log, newest first, a page at a time. */
export const useAudit = (): UseInfiniteQueryResult<InfiniteData<AsJson<AuditPage>>> =>
  usePages<AsJson<AuditPage>>("/audit", QUERY, "before", ({ entries }) => entries.at(-1)?.id);
