/** What takes longest, longest first. */
export const LONGEST_FILES: readonly string[] = [
  "dashboard/test/browser/browser.test.ts",
  "server/test/world/world.test.ts",
  "server/test/world/poll.test.ts",
];

/** What `npm run test:quick` leaves out: worlds, the browser, services as processes, and what takes seconds of a core. */
export const SLOW_FILES: readonly string[] = [...LONGEST_FILES];
