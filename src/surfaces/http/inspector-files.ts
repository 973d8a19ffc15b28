import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { builtFile } from "../../package.ts";
import type { RequestContext, Route } from "./route.ts";

/**
 * The web inspector, as `npm run build` makes it: files without data. Anyone may load them, because the page itself
 * asks for the key; what it then shows comes through the same routes as everything else.
 */
export function inspectorRoutes(folder = builtFolder): Route[] {
  if (!existsSync(join(folder, "index.html"))) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length)
        .replace(/^[\\/]+/, "")
        .replaceAll("\\", "/"),
    );
  return names.map((name) => fileRoute(folder, name));
}

const builtFolder = fileURLToPath(builtFile("web"));

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Only own scripts and styles run, requests go to this server only, no page may frame it, and no text ever becomes
 * markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const year = 31_536_000;

function fileRoute(folder: string, name: string): Route {
  const isPage = name === "index.html";
  const contentType = contentTypes[extname(name)] ?? "application/octet-stream";
  // Read at the start: a running server keeps its files when an update replaces them.
  const whole = Buffer.from(readFileSync(join(folder, name)));
  let zipped: Buffer<ArrayBuffer> | undefined;
  return {
    method: "GET",
    path: isPage ? "/" : `/${name}`,
    summary: isPage ? "Show the web inspector" : "A part of the web inspector",
    open: "all",
    scope: "read",
    contentType,
    undescribed: true,
    handle(c: RequestContext) {
      const headers: Record<string, string> = {
        "Content-Type": contentType,
        "Content-Security-Policy": policy,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        Vary: "Accept-Encoding",
        // The names of assets contain the hash of their content, so they never change; the page that names them does.
        "Cache-Control": isPage ? "no-cache" : `public, max-age=${year}, immutable`,
      };
      if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(whole, 200, headers);
      zipped ??= Buffer.from(gzipSync(whole));
      return c.body(zipped, 200, { ...headers, "Content-Encoding": "gzip" });
    },
  };
}
