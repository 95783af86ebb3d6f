import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useConsole } from "./console-context.ts";

interface ReadOptions {
  /** Reads again this often while the page is in sight. */
  readonly everyMs?: number;
  readonly isOn?: boolean;
}

/** One resource of the console, kept under its path; a change that touches the path reads it again. */
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
