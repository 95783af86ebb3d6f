import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const service = process.env["ALMANAC_CONSOLE_URL"] ?? "http://127.0.0.1:8080";
// The service compares Origin with Host, so Host stays the browser's.
const proxied = { target: service, changeOrigin: false };

/** Sets the theme before the first paint: a blocking script of its own, because the policy allows none inline. */
function themeBoot(): Plugin {
  const source = "src/app/theme-boot.js";
  let reference: string | undefined;
  return {
    name: "almanac-theme-boot",
    buildStart() {
      if (this.environment.config.command !== "build") return;
      const text = readFileSync(join(here, source), "utf8");
      reference = this.emitFile({ type: "asset", name: "theme-boot.js", source: text });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, context) {
        const built = Object.keys(context.bundle ?? {}).find((file) => /theme-boot-[^/]*\.js$/.test(file));
        if (reference !== undefined && built === undefined) throw new Error("the theme's script was not emitted");
        return [{ tag: "script", attrs: { src: `/${built ?? source}` }, injectTo: "head-prepend" }];
      },
    },
  };
}

export default defineConfig({
  root: here,
  plugins: [react(), tailwindcss(), themeBoot()],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: true,
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": proxied, "/docs": proxied, "/openapi.json": proxied },
  },
});
