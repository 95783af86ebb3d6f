import type { KeyPage, ListedKey } from "../../../server/src/access/keys.ts";
import { type AsJson, useChange, usePages, useWhole } from "./console-queries.ts";
import type { InfiniteData, UseInfiniteQueryResult, UseMutationResult, UseQueryResult } from "@tanstack/react-query";

/** How a key's requests are read: strictly, or compatibly with programs written for another service. */
export type KeyMode = "strict" | "compatible";

/** A key's own limit within its account's; null for both: no limit of its own. */
export interface KeyLimit {
  readonly requests_per_minute: number | null;
  readonly burst: number | null;
}

export type ApiKey = AsJson<ListedKey>;

/** `key` is the secret: it is returned only this once. */
export interface MadeKey {
  readonly key: string;
  readonly summary: ApiKey;
}

export interface WantedKey {
  readonly name: string;
  readonly expires_at?: string;
  readonly datasets?: readonly number[];
  /** Strict if absent. */
  readonly mode?: KeyMode;
  /** Set both or neither. */
  readonly requests_per_minute?: number;
  readonly burst?: number;
  /** For operators: the account that owns the key. */
  readonly account?: string;
}

type KeysPage = AsJson<KeyPage>;

/** The keys that the user may see, oldest first, a page at a time. */
export const useKeys = (): UseInfiniteQueryResult<InfiniteData<KeysPage>> =>
  usePages<KeysPage>("/keys", {}, "after", ({ keys }) => keys.at(-1)?.id);

/** All keys of an account. */
export const useKeysOf = (account: string): UseQueryResult<readonly ApiKey[]> =>
  useWhole("/keys", { account }, ({ keys }: KeysPage) => keys);

const TOUCHED = ["/keys", "/quota"];

export const useCreateKey = (): UseMutationResult<MadeKey, Error, WantedKey> =>
  useChange(TOUCHED, (body) => ({ path: "/keys", body }));

export const useRotateKey = (): UseMutationResult<MadeKey, Error, { id: string; overlap_seconds: number }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/keys/${encodeURIComponent(id)}/rotate`, body }));

export const useRevokeKey = (): UseMutationResult<unknown, Error, { id: string }> =>
  useChange(TOUCHED, ({ id }) => ({ path: `/keys/${encodeURIComponent(id)}/revoke` }));

export const useRenameKey = (): UseMutationResult<unknown, Error, { id: string; name: string }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/keys/${encodeURIComponent(id)}/name`, body }));

export const useSetKeyMode = (): UseMutationResult<unknown, Error, { id: string; mode: KeyMode }> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/keys/${encodeURIComponent(id)}/mode`, body }));

export const useSetKeyLimit = (): UseMutationResult<unknown, Error, { id: string } & KeyLimit> =>
  useChange(TOUCHED, ({ id, ...body }) => ({ path: `/keys/${encodeURIComponent(id)}/limit`, body }));
