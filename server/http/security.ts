import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'

/** The `'sha256-…'` source that allows one inline element of exactly this text. */
export const cspHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export interface SecurityOptions {
  /** Whether people reach the site by https: only then may browsers be told to insist on it. */
  https: boolean
  /** What pages call on other origins: the API, sign-in, the token's second home. */
  connectOrigins: readonly string[]
}

/** The security headers of every answer, and those of a page. The player's frame needs the page's origin as its referrer. */
export function createSecurityHeaders({ https, connectOrigins }: SecurityOptions) {
  const every: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  const page = (styleSources: string, scriptSources: string): Record<string, string> => ({
    ...every,
    'content-security-policy': [
      "default-src 'self'",
      // WebAssembly is the maker's kernel; it allows no script.
      `script-src 'self' 'wasm-unsafe-eval' ${scriptSources} https://www.youtube.com`,
      `style-src 'self' ${styleSources}`,
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "font-src 'self'",
      ["connect-src 'self'", ...connectOrigins].join(' '),
      'frame-src https://www.youtube.com https://www.youtube-nocookie.com https://discord.com',
      "worker-src 'self' blob:",
      "manifest-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      ...(https ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'x-frame-options': 'DENY',
    'permissions-policy': 'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  })
  /** An answer of the API opened as a page can load and run nothing. */
  const data: Record<string, string> = { ...every, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
  return { every, page, data }
}
export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>

/** The origins that the browser's SDK calls when a Firebase project keeps the accounts. */
const FIREBASE_ORIGINS = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']

/** The origins that pages call apart from their own. */
export function connectOriginsOf({
  apiBaseUrl,
  firebase,
  tokenSyncUrl,
}: Pick<Config, 'apiBaseUrl' | 'firebase' | 'tokenSyncUrl'>): string[] {
  return [
    ...(apiBaseUrl.startsWith('/') ? [] : [new URL(apiBaseUrl).origin]),
    ...(firebase === undefined ? [] : FIREBASE_ORIGINS),
    ...(tokenSyncUrl === undefined ? [] : [new URL(tokenSyncUrl).origin]),
  ]
}
