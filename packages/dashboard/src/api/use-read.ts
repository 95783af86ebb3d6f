import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";

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
