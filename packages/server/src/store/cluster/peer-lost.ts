import type { StoreError } from "../store-error.ts";

/** Read after the end of a connection, timeout of a socket, network, shutting down, all tries failed, no live replica. */
const NUMBERS = new Set([32, 209, 210, 236, 279, 519]);

/** A node says that another node it needs, or itself, is going or gone. */
export const isPeerLost = ({ number }: StoreError): boolean => NUMBERS.has(number);
