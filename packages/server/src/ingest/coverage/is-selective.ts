import type { Connector, PullConnector } from "../../definition/connector.ts";

/** Whether a stream selects what it requests: its venue can never be reported as fully covered. */
export const isSelective = (connector: Connector): connector is PullConnector =>
  connector.kind === "pull" && connector.isSelective === true;
