/** How long a session lives: unused, and however much it is used. */
export type SessionBounds = { readonly idleMs: number; readonly maxMs: number };
