import {
  keepPreviousData,
  useQuery,
  type UseQueryResult,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  useMutation,
  useQueryClient,
  type QueryClient,
  type UseMutationOptions,
  type UseMutationResult,
} from "@tanstack/react-query";
import { type Console, useConsole } from "./console.ts";

interface ReadOptions {
  /** Polling interval while the page is visible. */
  readonly everyMs?: number;
  readonly isOn?: boolean;
}

/** One resource of the console, cached under its path; a change that touches the path fetches it again. */
export function useRead<T>(path: string, { everyMs, isOn = true }: ReadOptions = {}): UseQueryResult<T> {
  const api = useConsole();
  return useQuery({
    queryKey: ["read", path],
    queryFn: ({ signal }) => api.get<T>(path, signal),
    enabled: isOn,
    placeholderData: keepPreviousData,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

interface Page {
  readonly has_more: boolean;
}

/** A paginated list; the next page comes before or after `lastId`. */
export function usePages<Fetched extends Page>(
  path: string,
  query: Readonly<Record<string, string>>,
  goesOn: "before" | "after",
  lastId: (page: Fetched) => string | number | undefined,
): UseInfiniteQueryResult<InfiniteData<Fetched>> {
  const api = useConsole();
  return useInfiniteQuery({
    queryKey: ["read", path, query],
    initialPageParam: "",
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<Fetched>(pathWith(path, pageParam === "" ? query : { ...query, [goesOn]: pageParam }), signal),
    getNextPageParam: (page) => {
      const last = lastId(page);
      return page.has_more && last !== undefined ? String(last) : undefined;
    },
  });
}

/** A complete list, for uses that must not miss a line: a choice, a count. */
export function useWhole<Whole extends { readonly has_more: boolean }, Line extends { readonly id: string }>(
  path: string,
  query: Readonly<Record<string, string>>,
  linesOf: (page: Whole) => readonly Line[],
  isOn = true,
): UseQueryResult<readonly Line[]> {
  const api = useConsole();
  return useQuery({
    queryKey: ["read", path, query, "whole"],
    queryFn: ({ signal }) =>
      readWhole(
        (after) => api.get<Whole>(pathWith(path, after === undefined ? query : { ...query, after }), signal),
        linesOf,
      ),
    enabled: isOn,
  });
}

/** Reads every line of a paginated list, each page starting after the last line's id. */
export async function readWhole<Whole extends { readonly has_more: boolean }, Line extends { readonly id: string }>(
  read: (after: string | undefined) => Promise<Whole>,
  linesOf: (page: Whole) => readonly Line[],
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (;;) {
    const page = await read(lines.at(-1)?.id);
    const reported = linesOf(page);
    lines.push(...reported);
    if (!page.has_more || reported.length === 0) return lines;
  }
}

interface Change {
  readonly method?: "POST" | "PUT";
  readonly path: string;
  readonly body?: unknown;
}

/** A console mutation; afterwards everything read below `touches` is fetched again, which its reply does not wait for. */
export function useChange<Given, Reply = unknown>(
  touches: readonly string[],
  toChange: (given: Given) => Change,
): UseMutationResult<Reply, Error, Given> {
  const api = useConsole();
  const client = useQueryClient();
  return useMutation(changeOptions<Given, Reply>({ api, client }, touches, toChange));
}

export function changeOptions<Given, Reply = unknown>(
  { api, client }: { readonly api: Pick<Console, "send">; readonly client: QueryClient },
  touches: readonly string[],
  toChange: (given: Given) => Change,
): UseMutationOptions<Reply, Error, Given> {
  return {
    mutationFn: (given) => {
      const { method = "POST", path, body } = toChange(given);
      return api.send<Reply>(method, path, body);
    },
    // After a failure too: the reply alone may have been lost.
    onSettled: () => {
      void client.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) =>
          kind === "read" && touches.some((touched) => String(path).startsWith(touched)),
      });
    },
  };
}

/** A path with its query string; the path alone if the query is empty. */
export function pathWith(path: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}

/** Type of a server value after JSON transport: dates become ISO text. */
export type AsJson<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsJson<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: AsJson<T[Name]> }
      : T;
