import type { ParkedEntry, ParkedList } from "../../../server/src/ingest/control/list-parked.ts";
import type { AsJson } from "./as-json.ts";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { usePages } from "./use-pages.ts";

export type ParkedPage = AsJson<ParkedEntry>;

type ParkedPages = AsJson<ParkedList>;

/** `state`: "waiting", "read" or "" for both. */
export const useParked = (state: string): UseInfiniteQueryResult<InfiniteData<ParkedPages>> =>
  usePages<ParkedPages>("/operator/parked", state === "" ? {} : { state }, "before", ({ pages }) => pages.at(-1)?.id);
