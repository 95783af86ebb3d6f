import type { Host } from "../../../definition/connector.ts";

/** Jetstream, version 1. It publishes no quotas (reference/kalshi-and-social.md B2): `all` bounds connections, by our own choice. */
export const jetstreamHost: Host = {
  name: "bluesky-jetstream",
  setting: "BLUESKY_JETSTREAM_URL",
  limits: { all: { tokens: 10, perSeconds: 60, burst: 6 } },
  share: 0.5,
};
