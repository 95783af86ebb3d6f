import type { SocketConnector } from "../definition/connector.ts";

/**
 * Whether an instrument that is followed no more is asked for until its last state is stored, which holds from then on.
 * Of other streams it is held until it was left, and anew from when it is followed again.
 */
export const hasLastStates = ({ compareSeconds }: SocketConnector): boolean => compareSeconds !== undefined;
