import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'

/** Returns the CSP source that allows an inline element with exactly this text. */
export const computeCspHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export interface SecurityOptions {
  /** Whether the site is served over https; adds HSTS and `upgrade-insecure-requests`. */
  isHttps: boolean
  /** The other origins that pages call: the API, Firebase, `TOKEN_SYNC_URL`. */
  connectOrigins: readonly string[]
}

/**
 * The script URLs of YouTube's IFrame API. The policy names their paths, because other paths of the host can return scripts of an
 * attacker's choice. `iframe_api` loads `s/player/<version>/www-widgetapi.vflset/www-widgetapi.js`.
 */
const VIDEO_SCRIPTS = 'https://www.youtube.com/iframe_api https://www.youtube.com/s/player/'
/** The page of Discord's widget, which is requested and shown in a frame. */
const DISCORD_WIDGET = 'https://discord.com/widget'
/**
 * Requires Trusted Types (https://w3c.github.io/trusted-types/): DOM functions that can execute scripts accept only values that were created by the
 * named policies.
 */
const requireTrustedTypes = (policies: string) => ["require-trusted-types-for 'script'", `trusted-types ${policies}`]

/** Returns the security headers for each kind of response. The referrer policy sends the origin, because YouTube's player requires a referrer. */
export function createSecurityHeaders({ isHttps, connectOrigins }: SecurityOptions) {
  const commonHeaders: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  const upgradeRequests = isHttps ? ['upgrade-insecure-requests'] : []
  const connectSources = ["connect-src 'self'", ...connectOrigins].join(' ')
  const createPolicyHeaders = (...directives: string[]) => ({ ...commonHeaders, 'content-security-policy': directives.join('; ') })

  const createPageHeaders = (styleSources: string, scriptSources: string): Record<string, string> => ({
    ...createPolicyHeaders(
      "default-src 'none'",
      // `'wasm-unsafe-eval'` allows the maker's WebAssembly kernel, but no `eval` of scripts.
      `script-src 'self' 'wasm-unsafe-eval' ${scriptSources} ${VIDEO_SCRIPTS}`,
      `style-src 'self' ${styleSources}`,
      // `data:` is allowed for the QR code of a subscriber's site.
      "img-src 'self' data:",
      // `data:` is allowed for the silent loop of the player, `blob:` for sounds of this device.
      "media-src 'self' data: blob:",
      "font-src 'self'",
      // The page requests Discord's widget before it shows the widget in a frame.
      `${connectSources} ${DISCORD_WIDGET}`,
      `frame-src https://www.youtube.com/embed/ https://www.youtube-nocookie.com/embed/ ${DISCORD_WIDGET}`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      ...requireTrustedTypes('varispeed youtube-widget-api'),
      ...upgradeRequests,
    ),
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': 'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  })
  /** The headers of embedded players: they run one inline script, load pictures of this site and YouTube's player, and any site may frame them. */
  const createEmbedHeaders = (styleSources: string, scriptSources: string): Record<string, string> => ({
    ...createPolicyHeaders(
      "default-src 'none'",
      `script-src ${scriptSources}`,
      `style-src ${styleSources}`,
      "img-src 'self'",
      'frame-src https://www.youtube-nocookie.com/embed/',
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors *',
      ...requireTrustedTypes("'none'"),
      ...upgradeRequests,
    ),
    'cross-origin-resource-policy': 'cross-origin',
    'permissions-policy': 'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  })
  /** The policy of all responses except pages and scripts. It prevents that such a response, opened as a page, loads or runs anything. */
  const dataHeaders: Record<string, string> = createPolicyHeaders("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")
  /**
   * The policy that is sent with each script, because a worker is bound by the policy of its own script, and any script could be started as
   * a worker.
   */
  const scriptHeaders: Record<string, string> = createPolicyHeaders(
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    connectSources,
    "frame-ancestors 'none'",
    ...requireTrustedTypes("'none'"),
    ...upgradeRequests,
  )
  return { every: dataHeaders, page: createPageHeaders, embed: createEmbedHeaders, script: scriptHeaders }
}
export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>

/** The origins that the Firebase SDK calls. */
const FIREBASE_ORIGINS = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']

/** Returns the origins that pages call besides their own. */
export function listConnectOrigins({
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
