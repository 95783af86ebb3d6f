import { PAYLOAD_KINDS } from "../definition/payload-kinds.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Upstream payloads as received, kept for a configurable time (RAW_PAYLOAD_HOURS). Whole partitions are dropped. */
export const rawPayloads = defineTable({
  name: "raw_payloads",
  about: "Answers of upstreams as they came.",
  columns: {
    ts: stored.millis("When it was received."),
    host: stored.label("The upstream."),
    stream: stored.label("The stream that asked, or whose socket it came over."),
    route: stored.label("The route of the upstream's limits; socket for a frame."),
    path: stored.text("Path and query of the call; path of the socket."),
    status: stored.count("HTTP status; 0 for a frame."),
    kind: stored.choice(PAYLOAD_KINDS, "An answered call (of JSON-RPC too), or a frame of a websocket."),
    body: { ...stored.text("The text."), codec: "ZSTD(1)" },
  },
  engine: "MergeTree",
  orderBy: ["stream", "ts"],
  partitionBy: "toStartOfHour(ts)",
  key: ["stream", "ts"],
  shardBy: "cityHash64(stream)",
  isPassing: true,
  mergedUpToBytes: 4_000_000,
});
