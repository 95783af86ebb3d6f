/** Unix seconds as `2026-01-02T03:04:05Z`. */
export const isoSeconds = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
