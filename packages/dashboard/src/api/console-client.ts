import { createClientOver, type Client, type SendOptions } from "@almanac/client";
import { useMemo } from "react";
import { useConsole } from "./console.ts";

/** Dataset client for the signed-in user: authenticated by the session instead of a key. */
export function useDatasetClient({ retries = 2 }: Pick<SendOptions, "retries"> = {}): Client {
  const { ask } = useConsole();
  return useMemo(() => createClientOver(ask, { retries }), [ask, retries]);
}
