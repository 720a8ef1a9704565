// Builds one script and one style sheet with fixed names, so that the committed bundle has small
// differences and the server (and a self-contained replay) can name its files.
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: "../src/stratagem/web/static",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { environment: "happy-dom", include: ["tests/**/*.test.{ts,tsx}"] },
} as Parameters<typeof defineConfig>[0]);
