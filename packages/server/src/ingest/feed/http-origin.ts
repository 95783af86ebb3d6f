import { interceptors, Pool, type Dispatcher } from "undici";

const CONNECTIONS = 16;

/** Where plain calls to an address go: a websocket's host answers them on the same port. */
export function httpOrigin(address: string): string {
  return new URL(address).origin.replace(/^ws/, "http");
}

/** Connections to a host. Bodies are given as they were before the host packed them, those of refusals too. */
export function openPool(address: string): Dispatcher {
  const pool = new Pool(httpOrigin(address), { connections: CONNECTIONS });
  return pool.compose(interceptors.decompress({ skipErrorResponses: false }));
}
