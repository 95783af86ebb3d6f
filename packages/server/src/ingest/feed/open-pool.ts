import { interceptors, Pool, type Dispatcher } from "undici";

const CONNECTIONS = 16;

/**
 * Connections for plain calls to a host; a websocket's host answers them on the same port. Bodies are decompressed,
 * including those of error responses.
 */
export function openPool(address: string): Dispatcher {
  const pool = new Pool(new URL(address).origin.replace(/^ws/, "http"), { connections: CONNECTIONS });
  return pool.compose(interceptors.decompress({ skipErrorResponses: false }));
}
