/** Where plain calls to an address go: a websocket's host answers them on the same port. */
export function httpOrigin(address: string): string {
  return new URL(address).origin.replace(/^ws/, "http");
}
