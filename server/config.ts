import { isIP } from 'node:net'
import { resolve } from 'node:path'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface Config {
  host: string
  port: number
  /** Absolute. */
  dataDir: string
  /** Unset: SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** The bare hosts, lower case. */
  siteHosts: readonly string[]
  /** Where links that leave the page take their scheme and port from; also their host where no site host matched. */
  publicOrigin: URL
  /** The base that pages call the API at: a path on the same origin, or a URL elsewhere. No slash at its end. */
  apiBaseUrl: string
  /** Addresses or CIDR ranges of proxies whose forwarding headers are believed. */
  trustProxy: readonly string[]
  /** Whether an empty catalogue is filled with the demo on start. */
  demo: boolean
  logLevel: LogLevel
  /** The Firebase project whose accounts people have; unset: the server keeps accounts itself. */
  firebase: { apiKey: string; projectId: string; authDomain: string } | undefined
  /** Where pages post the identity token of who is signed in; unset: nowhere. */
  tokenSyncUrl: string | undefined
  /** The application at Discord that people link their account with; unset: they cannot. `apiBase` has no slash at its end. */
  discord: { clientId: string; clientSecret: string; apiBase: string } | undefined
  /** Where mail is handed over; unset: each is written to `DATA_DIR/outbox`. */
  smtpUrl: string | undefined
  /** The sender of the site's mails. */
  mailFrom: string
  rateLimits: {
    /** Failed log-ins in 15 minutes from one address to one account, and from one address to all. */
    logInPair: number
    logInAddress: number
    /** Sign-ups from one address in an hour. */
    signUpPerHour: number
    /** Reset and confirmation mails that one address may ask for in an hour. */
    mailPerHour: number
    /** Messages to the team that one address may send in an hour. */
    contactPerHour: number
  }
}

/** A setting has a value that the server cannot start with. The message is one line and names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

const HOST_NAME = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
const PROXY_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** An address, a CIDR range, or one of the names that the framework knows for ranges. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0) return PROXY_RANGES.has(text)
  return rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

function wholeNumber(environment: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = environment[name]?.trim()
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`)
  return value
}

function oneOf<T extends string>(environment: Environment, name: string, choices: readonly T[], fallback: T): T {
  const text = environment[name]?.trim().toLowerCase()
  if (text === undefined || text === '') return fallback
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not '${text}'`)
  return choice
}

function list(environment: Environment, name: string, fallback: string, fits: (entry: string) => boolean, what: string): string[] {
  const entries = (environment[name]?.trim() || fallback)
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
  const wrong = entries.find((entry) => !fits(entry))
  if (wrong !== undefined) throw new ConfigError(`${name} must list ${what} parted by commas; '${wrong}' is none`)
  return [...new Set(entries)]
}

function publicOrigin(environment: Environment, port: number): URL {
  const text = environment.PUBLIC_ORIGIN?.trim() || `http://localhost:${port}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new ConfigError(`PUBLIC_ORIGIN must be a scheme and a host such as https://example.org, not '${text}'`)
  return url
}

function apiBaseUrl(environment: Environment): string {
  const text = (environment.API_BASE_URL?.trim() || '/api').replace(/\/+$/, '')
  const fits = text.startsWith('/')
    ? /^(?:\/[\w.~-]+)+$/.test(text)
    : /^https?:\/\//.test(text) && URL.canParse(text) && !/[?#\s'";]/.test(text)
  if (!fits) throw new ConfigError(`API_BASE_URL must be a path such as /api or an http(s) URL, not '${text}'`)
  return text
}

function databaseUrl(environment: Environment): string | undefined {
  const text = environment.DATABASE_URL?.trim()
  if (text === undefined || text === '') return undefined
  // The value may hold a password, so the message does not repeat it.
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) throw new ConfigError('DATABASE_URL must be a postgres:// URL')
  return text
}

function firebase(environment: Environment): Config['firebase'] {
  const names = ['FIREBASE_API_KEY', 'FIREBASE_PROJECT_ID', 'FIREBASE_AUTH_DOMAIN'] as const
  const [apiKey = '', projectId = '', authDomain = ''] = names.map((name) => environment[name]?.trim() ?? '')
  const missing = names.filter((name) => (environment[name]?.trim() ?? '') === '')
  if (missing.length === names.length) return undefined
  if (missing.length > 0) throw new ConfigError(`${missing.join(' and ')} must be set too, as Firebase needs all of ${names.join(', ')}`)
  if (!/^[\w-]{10,100}$/.test(apiKey)) throw new ConfigError('FIREBASE_API_KEY must be the API key of a Firebase web app')
  if (!/^[a-z][a-z0-9-]{4,29}$/.test(projectId))
    throw new ConfigError(`FIREBASE_PROJECT_ID must be the id of a project, not '${projectId}'`)
  if (!HOST_NAME.test(authDomain)) throw new ConfigError(`FIREBASE_AUTH_DOMAIN must be a host name, not '${authDomain}'`)
  return { apiKey, projectId, authDomain }
}

function tokenSyncUrl(environment: Environment): string | undefined {
  const text = environment.TOKEN_SYNC_URL?.trim()
  if (text === undefined || text === '') return undefined
  // It becomes part of the content security policy, so it may hold none of that policy's signs.
  if (!/^https?:\/\/[^\s'";,]+$/.test(text) || !URL.canParse(text))
    throw new ConfigError(`TOKEN_SYNC_URL must be an http(s) URL, not '${text}'`)
  return text
}

function discord(environment: Environment): Config['discord'] {
  const base = environment.DISCORD_API_BASE?.trim() || 'https://discord.com'
  if (!/^https?:\/\/[^\s?#]+$/.test(base) || !URL.canParse(base))
    throw new ConfigError(`DISCORD_API_BASE must be an http(s) URL, not '${base}'`)
  const clientId = environment.DISCORD_CLIENT_ID?.trim() ?? ''
  const clientSecret = environment.DISCORD_CLIENT_SECRET?.trim() ?? ''
  if (clientId === '' && clientSecret === '') return undefined
  if (clientId === '') throw new ConfigError('DISCORD_CLIENT_ID must be set too, as DISCORD_CLIENT_SECRET is')
  if (clientSecret === '') throw new ConfigError('DISCORD_CLIENT_SECRET must be set too, as DISCORD_CLIENT_ID is')
  // Discord's own documents give the base with the path of its API.
  return { clientId, clientSecret, apiBase: base.replace(/(?:\/api(?:\/v\d+)?)?\/*$/, '') }
}

function smtpUrl(environment: Environment): string | undefined {
  const text = environment.SMTP_URL?.trim()
  if (text === undefined || text === '') return undefined
  // The value may hold a password, so the message does not repeat it.
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)) throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL')
  return text
}

function mailFrom(environment: Environment, host: string): string {
  const text = environment.MAIL_FROM?.trim() || `no-reply@${host}`
  if (!/^(?:[^<>@\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(text))
    throw new ConfigError(`MAIL_FROM must be an address such as no-reply@example.org or Name <no-reply@example.org>, not '${text}'`)
  return text
}

/** The environment, checked. @throws ConfigError naming the first wrong value */
export function readConfig(environment: Environment): Config {
  const port = wholeNumber(environment, 'PORT', 8080, 0, 65_535)
  const host = environment.HOST?.trim() || '127.0.0.1'
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) throw new ConfigError(`HOST must be an address or a host name, not '${host}'`)
  const origin = publicOrigin(environment, port)
  return {
    host,
    port,
    dataDir: resolve(environment.DATA_DIR?.trim() || './data'),
    databaseUrl: databaseUrl(environment),
    siteHosts: list(
      environment,
      'SITE_HOSTS',
      'localhost,slowedreverb.localhost,127.0.0.1',
      (host) => HOST_NAME.test(host),
      'host names without a port',
    ),
    publicOrigin: origin,
    apiBaseUrl: apiBaseUrl(environment),
    trustProxy: list(environment, 'TRUST_PROXY', '', isProxy, 'addresses or CIDR ranges'),
    demo: oneOf(environment, 'DEMO', ['on', 'off'], 'on') === 'on',
    logLevel: oneOf(environment, 'LOG_LEVEL', logLevels, 'info'),
    firebase: firebase(environment),
    tokenSyncUrl: tokenSyncUrl(environment),
    discord: discord(environment),
    smtpUrl: smtpUrl(environment),
    mailFrom: mailFrom(environment, origin.hostname),
    rateLimits: {
      logInPair: wholeNumber(environment, 'RATE_LIMIT_LOGIN', 20, 1, 1_000_000),
      logInAddress: wholeNumber(environment, 'RATE_LIMIT_LOGIN_ADDRESS', 100, 1, 1_000_000),
      signUpPerHour: wholeNumber(environment, 'RATE_LIMIT_SIGNUP', 30, 1, 1_000_000),
      mailPerHour: wholeNumber(environment, 'RATE_LIMIT_MAIL', 30, 1, 1_000_000),
      contactPerHour: wholeNumber(environment, 'RATE_LIMIT_CONTACT', 30, 1, 1_000_000),
    },
  }
}
