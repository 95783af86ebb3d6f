// Exit 0 while /ready (or the path given) answers 200.
const path = process.argv[2] ?? "/ready";
const port = process.env.ALMANAC_PORT ?? "8080";
try {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4000) });
  process.exit(reply.status === 200 ? 0 : 1);
} catch {
  process.exit(1);
}
