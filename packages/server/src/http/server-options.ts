import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { Console } from "../access/console.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Ask } from "../query/answer.ts";
import type { Bounds } from "./bounds.ts";
import type { OperatorData } from "./console/console-options.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import type { PageFile } from "./pages/page-file.ts";

export type Readiness = { readonly ready: boolean; readonly reasons: readonly string[] };

/**
 * Dependencies of the HTTP server. `publicUrl` is the address callers see, without path or trailing slash; `clock` is
 * Unix milliseconds.
 */
export type ServerOptions = {
  readonly ask: Ask;
  readonly access: Access;
  readonly catalogue: readonly DatasetDefinition[];
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: HttpMetrics;
  readonly log: Logger;
  readonly publicUrl: string;
  readonly paramsUnknown: "reject" | "warn";
  readonly clock: () => number;
  /** Milliseconds unaffected by setting the machine's clock, for limits; `clock` if absent. */
  readonly monotonicMs?: () => number;
  /** If absent, there is nothing under /api/console. */
  readonly console?: Console;
  /** For the operator's pages of the console. */
  readonly operator?: OperatorData;
  /** Proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges. None if absent. */
  readonly trustedProxies?: readonly string[];
  /** Secret of processes that forward requests with the client's address. */
  readonly forwardingSecret?: string | undefined;
  readonly bounds?: Partial<Bounds>;
  /** The built dashboard; empty if it is not built, absent for a server without one. */
  readonly pages?: readonly PageFile[];
};
