import { dataHost } from "./data-host.ts";
import type { Host } from "../../../definition/connector.ts";

/** A host that still speaks the first Data API only. Its setting is empty by default: the stream is off. */
export const dataV1Host: Host = { ...dataHost, name: "polymarket-data-v1", setting: "POLYMARKET_DATA_V1_URL" };
