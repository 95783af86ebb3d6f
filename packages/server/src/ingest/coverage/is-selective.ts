import type { Connector, PullConnector } from "../../definition/connector.ts";

/** Whether a stream chooses what it asks for: nobody can say of its venue that all is held. */
export const isSelective = (connector: Connector): connector is PullConnector =>
  connector.kind === "pull" && connector.isSelective === true;
