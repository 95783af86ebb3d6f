import { PAYLOAD_KINDS } from "../definition/vocabulary.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Upstream payloads as received, kept for a configurable time (RAW_PAYLOAD_HOURS). Whole partitions are dropped. */
export const rawPayloads = defineTable({
  name: "raw_payloads",
  about: "Raw responses of upstreams.",
  columns: {
    ts: stored.millis("Time of receipt."),
    host: stored.label("Upstream."),
    stream: stored.label("Stream that requested it, or whose socket received it."),
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
