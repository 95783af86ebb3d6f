import { fromDefinition } from "../definition/sql.ts";

/** The key of a market's event, of columns of the catalogue; a market without an event is one of its own. */
export const EVENT_KEY = fromDefinition("cityHash64(if(event_slug = '', toString(condition_id), event_slug))");
