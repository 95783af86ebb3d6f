import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { useChange } from "./use-change.ts";
import { useRead } from "./use-read.ts";

export interface ApiKey {
  readonly id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly name: string;
  readonly prefix: string;
  readonly datasets: readonly number[] | null;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly created_by_name: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
  readonly state: "active" | "expired" | "revoked";
}

/** `key` is the secret: it is given this once. */
export interface MadeKey {
  readonly key: string;
  readonly summary: ApiKey;
}

export interface WantedKey {
  readonly name: string;
  readonly expires_at?: string;
  readonly datasets?: readonly number[];
  /** For operators: whose key it is. */
  readonly account?: string;
}

export const useKeys = (): UseQueryResult<{ readonly keys: readonly ApiKey[] }> => useRead("/keys");

const TOUCHED = ["/keys", "/quota"];

export const useCreateKey = (): UseMutationResult<MadeKey, Error, WantedKey> =>
  useChange(TOUCHED, (body) => ({ path: "/keys", body }));

export const useRotateKey = (): UseMutationResult<MadeKey, Error, { id: string; overlap_seconds: number }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/keys/${encodeURIComponent(id)}/rotate`, body }));

export const useRevokeKey = (): UseMutationResult<unknown, Error, { id: string }> =>
  useChange(TOUCHED, ({ id }) => ({ path: `/keys/${encodeURIComponent(id)}/revoke` }));

export const useRenameKey = (): UseMutationResult<unknown, Error, { id: string; name: string }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/keys/${encodeURIComponent(id)}/name`, body }));
