import { z } from "zod";
import { keyOf } from "../../../definition/key-of.ts";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { maybeWire } from "../exact/maybe-wire.ts";
import { gammaEventWire } from "./gamma-event-wire.ts";

/** A page of `/events/keyset`. `next_cursor` is absent on the last page. */
export const eventPageWire = z.object({
  events: rowsOf(gammaEventWire, {
    at: (raw) => rawMoment(raw["updatedAt"]),
    key: (raw) => keyOf("event_id", raw["id"]),
  }),
  next_cursor: maybeWire(z.string()),
});
