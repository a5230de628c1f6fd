import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'

/** Returns the CSP source that allows an inline element with exactly this text. */
export const cspHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export interface SecurityOptions {
  /** Whether the site is served over https; adds HSTS and `upgrade-insecure-requests`. */
  isHttps: boolean
  /** The other origins that pages call: the API, Firebase, `TOKEN_SYNC_URL`. */
  connectOrigins: readonly string[]
}

/** Returns the security headers of all responses, of pages and of API responses. YouTube's player requires a referrer. */
export function createSecurityHeaders({ isHttps: https, connectOrigins }: SecurityOptions) {
  const commonHeaders: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  const pageHeaders = (styleSources: string, scriptSources: string): Record<string, string> => ({
    ...commonHeaders,
    'content-security-policy': [
      "default-src 'self'",
      // `'wasm-unsafe-eval'` allows the maker's WebAssembly kernel, but no `eval` of scripts.
      `script-src 'self' 'wasm-unsafe-eval' ${scriptSources} https://www.youtube.com`,
      `style-src 'self' ${styleSources}`,
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "font-src 'self'",
      // The page requests Discord's widget before it shows the widget in a frame.
      ["connect-src 'self'", ...connectOrigins, 'https://discord.com'].join(' '),
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
  /** The policy of API responses: opened as a page, they can neither load nor run anything. */
  const apiHeaders: Record<string, string> = { ...commonHeaders, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
  return { every: commonHeaders, page: pageHeaders, data: apiHeaders }
}
export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>

/** The origins that the Firebase SDK calls. */
const FIREBASE_ORIGINS = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']

/** Returns the origins that pages call besides their own. */
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
