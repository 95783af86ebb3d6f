import type { Host } from "../../../definition/connector.ts";

/**
 * A Polygon JSON-RPC node of the operator's choice. Nodes differ and publish little: 50 calls a second is what
 * paid plans allow at least, and half of it is taken; a node that allows less answers 429 and is eased off.
 */
export const polygonHost: Host = {
  name: "polygon",
  setting: "POLYGON_RPC_URL",
  limits: { all: { tokens: 500, perSeconds: 10 } },
  share: 0.5,
};
