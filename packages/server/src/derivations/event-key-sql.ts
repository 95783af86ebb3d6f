import { fromDefinition } from "../definition/sql.ts";

/** Key of a market's event, from columns of the catalogue; a market without an event counts as its own event. */
export const EVENT_KEY = fromDefinition("cityHash64(if(event_slug = '', toString(condition_id), event_slug))");
