import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

export interface ParkedPage {
  readonly id: number;
  readonly stream: string;
  readonly host: string;
  readonly route: string;
  readonly path: string;
  readonly problem: string;
  readonly field: string | null;
  readonly sample: string | null;
  readonly times: number;
  readonly parked_at: string;
  readonly last_at: string;
  readonly replayed_at: string | null;
  readonly body_bytes: number;
}

export const useParked = (): UseQueryResult<{ readonly pages: readonly ParkedPage[] }> => useRead("/operator/parked");
