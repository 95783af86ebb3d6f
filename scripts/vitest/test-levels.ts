/** The longest test files, longest first. */
export const MAX_FILES: readonly string[] = [
  "dashboard/test/browser/browser.test.ts",
  "server/test/fuzz/fuzz.test.ts",
  "server/test/suites/topologies.test.ts",
  "server/test/world/world.test.ts",
  "server/test/leader/leader.test.ts",
  "server/test/move/backup.test.ts",
  "server/test/faults/campaign.test.ts",
  "server/test/move/own-rows.test.ts",
  "server/test/suites/rows-read.test.ts",
  "server/test/cold/cold-books.test.ts",
  "server/test/ingest/socket.test.ts",
];

/**
 * Run only in `npm run test:thorough`: kill -9 and outage scenes of which an ordinary run has one each (ingest/kill,
 * outage/serve-engine and graceful-stop; the simulation for the fault campaign), and the results of a demo's examples.
 */
export const THOROUGH_FILES: readonly string[] = [
  "server/test/outage/{engine-killed,engine-and-socket,records-away}.test.ts",
  "server/test/reorg/kill.test.ts",
  "server/test/workers/records-away.test.ts",
  "server/test/connectors/bluesky/world.test.ts",
  "server/test/move/killed.test.ts",
  "server/test/world/{examples,wallet-figures,worlds-apart}.test.ts",
];

/** Skipped by `npm run test:quick`: worlds, the browser, services and commands as processes, and CPU-heavy tests. */
export const SLOW_FILES: readonly string[] = [
  ...MAX_FILES,
  "{client,dashboard}/test/{service,browser/**/*}.test.ts",
  "exchange/test/{cli,faults,kalshi,polymarket,social,world}/**/*.test.ts",
  "scripts/test/{bench-peers,docs-in-browser}.test.ts",
  "server/test/{cli,cold,disk,docs,drift,faults,fuzz,market,move,outage,patterns,promises,records,reorg,scale,workers,world}/**/*.test.ts",
  "server/test/connectors/**/{paper*,world,stored,walking,book,book-live,catalogue-pages,chain-activity,check,trades-check,trades-data-check,posts,drift,recorded-*}.test.ts",
  "server/test/{control,console,suites}/{serving,jobs,sign-in,sessions,keys,users,usage,leaks,datasets,throttle,rights,operator,dataset,columnar,derivation,rows-read,pages,decimals,requested-once}.test.ts",
  "server/test/{datasets,derivations}/{wallet-*,as-of-coverage,candle-fill,derive-all}.test.ts",
  "server/test/access/{access,allowances,ended-keys,redis,redis-limiter,room,share-changes,usage}.test.ts",
  "server/test/{compatible,load,query,http}/{corpus,load-ledger,long-parameters,many-rows,buffer-pool}.test.ts",
  "server/test/fold/{after-rebuild,fees-in-shares,fold-machinery,foreign-transfers,ledger-adds-up,marks-that-move,resolved-*,transfer-to-oneself,wallet-fold,won-and-lost-in-a-day}.test.ts",
  "server/test/leader/{end-writers,hearing,leader}.test.ts",
  "server/test/deploy/{nginx-failover,prometheus,helm,back-up-daily}.test.ts",
  "server/test/ingest/**/{socket,fill-gaps,kill,listen,pull,feed,schedule,cut-off-run,change-log,derive,derive-days-regularly,derived-sources,gather-history,income-stream,plan-chunks,refresh-regularly,run-rebuild,status,undo-record,wallet-entries,wallet-scores}.test.ts",
  "server/test/{jumps,recorded}/{late-minutes,price-*,wire-samples,profit}.test.ts",
  "server/test/serving/{processes,datasets,derived,feed,layouts,list-oracle,open-indexes,oracle,row-file,score-*,starts,tokens,torn-files,wallets-by-key}.test.ts",
  "server/test/social/{labels/**/*,pulse/{posts-near,pulse,volume},retention/**/*}.test.ts",
];

/**
 * `npm run test:thorough` runs every test at full length: all hostile values, both sources of fills, more random runs.
 * An ordinary run takes a part of each, so that it stays short.
 */
export const thoroughly = <Value>(whole: Value, part: Value): Value =>
  process.env["TEST_LEVEL"] === "thorough" ? whole : part;
