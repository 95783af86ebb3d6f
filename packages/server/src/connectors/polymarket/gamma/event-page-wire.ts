import { z } from "zod";
import { maybeWire } from "../exact/maybe-wire.ts";
import { gammaEventWire } from "./gamma-event-wire.ts";

/** A page of `/events/keyset`. `next_cursor` is absent on the last page. */
export const eventPageWire = z.object({ events: z.array(gammaEventWire), next_cursor: maybeWire(z.string()) });
