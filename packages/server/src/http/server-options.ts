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

/** All that the door stands on. `publicUrl` is what callers see, without a path or a slash at its end; `clock` is Unix milliseconds. */
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
  /** Absent: there is nothing under /api/console. */
  readonly console?: Console;
  /** For the operator's pages of the console. */
  readonly operator?: OperatorData;
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR ranges. None when absent. */
  readonly trustedProxies?: readonly string[];
  /** The secret of processes that forward requests, and give the client's address. */
  readonly forwardingSecret?: string | undefined;
  readonly bounds?: Partial<Bounds>;
  /** The built dashboard; empty when it is not built, absent for a door without one. */
  readonly pages?: readonly PageFile[];
};
