import type { SocketConnector } from "../definition/connector.ts";

/**
 * Whether an instrument no longer followed is requested until its last state is stored, which stays valid. In other
 * streams its coverage ends when it is left, and begins again when it is followed again.
 */
export const hasLastStates = ({ compareSeconds }: SocketConnector): boolean => compareSeconds !== undefined;
