import { BlockList, isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { CONVERSIONS_PER_HOUR } from '../contract/conversion-rules.ts'
import type { S3Settings } from './files/s3-client.ts'
import { readVapidKey, type VapidKey } from './push/web-push.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface Config {
  host: string
  port: number
  /** The absolute path of the folder with the server's data. */
  dataDir: string
  /** The URL of a PostgreSQL database. If undefined, the server uses SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** The bucket with the files that all processes share. If undefined, they are in `dataDir`. */
  s3: S3Settings | undefined
  /** The host names of the main sites, in lower case. */
  siteHosts: readonly string[]
  /** The scheme and port of absolute URLs, and their host if the request's host matches no site host. */
  publicOrigin: URL
  /** The base URL at which pages call the API: a path on the same origin, or an absolute URL; without a trailing slash. */
  apiBaseUrl: string
  /** The addresses or CIDR ranges of trusted reverse proxies. Forwarding headers are used only if they come from these addresses. */
  trustProxy: readonly string[]
  /** Whether the demo catalogue is imported into an empty database on start. */
  demo: boolean
  logLevel: LogLevel
  /** The address at which Prometheus reads the metrics. If undefined, nothing is measured. */
  metrics: { host: string; port: number } | undefined
  /** The daily backups: their time in minutes after midnight (UTC), their folder, and how many of them are kept. If undefined, none is made. */
  backup: { atMinutes: number; dir: string; kept: number } | undefined
  /** The Firebase project that manages the accounts. If undefined, the embedded identity service manages them. */
  firebase: { apiKey: string; projectId: string; authDomain: string } | undefined
  /** The URL of another server to which pages post the identity token of the signed-in user. */
  tokenSyncUrl: string | undefined
  /** The Discord application for linking accounts. If undefined, linking is disabled. `apiBase` has no trailing slash. */
  discord: { clientId: string; clientSecret: string; apiBase: string } | undefined
  /** Access to the YouTube Data API for the command `catalog import-youtube` and for lists of uploads. `apiBase` has no trailing slash. */
  youtube: { apiKey: string | undefined; apiBase: string }
  /** The secrets that sign Stripe's webhook events, one for each endpoint. If empty, payments are not received. */
  stripeWebhookSecrets: readonly string[]
  /** A key of Stripe's API that may read webhook endpoints, for the command `doctor`. */
  stripeApiKey: string | undefined
  /** The SMTP server for mails. If undefined, each mail is written to `DATA_DIR/outbox`. */
  smtpUrl: string | undefined
  /** The sender's email address of all mails. */
  mailFrom: string
  /** The email address that receives a mail about each contact message. If undefined, no mail is sent. */
  mailTo: string | undefined
  /** The key with which the site sends pushes of new songs. If undefined, it sends none. */
  vapidKey: VapidKey | undefined
  rateLimits: {
    /** The limits of failed logins from one IP address in 15 minutes: to one account, and to all accounts together. */
    failedLoginsPerPair: number
    failedLoginsPerAddress: number
    /** The limit of sign-ups per IP address and hour. */
    signUpPerHour: number
    /** The limit of password reset and verification mails per IP address and hour. */
    mailPerHour: number
    /** The limit of contact messages per IP address and hour. */
    contactPerHour: number
    /** The limit of conversions per account and hour. */
    conversionsPerHour: number
    /** The limit of calls of each writing endpoint per account and hour, or per IP address and hour for callers without an account. */
    writesPerHour: number
  }
}

/** The error of an invalid setting. Its message is one line and names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

const HOST_NAME = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
const PROXY_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** The shortest prefix lengths that the ranges of trusted proxies may have: those of the widest private networks, 10.0.0.0/8 and fc00::/7. */
const PROXY_PREFIX_MIN = { 4: 8, 6: 7 } as const
/** The IPv6 network that contains all IPv4 addresses in mapped form (RFC 4291, 2.5.5.2). */
const MAPPED_IPV4 = { address: '::ffff:0:0', prefixLength: 96 }

/** Whether two IPv6 ranges share addresses. */
function rangesOverlap(ipAddress: string, prefixLength: number, otherRange: typeof MAPPED_IPV4): boolean {
  const range = new BlockList()
  range.addSubnet(ipAddress, Math.min(prefixLength, otherRange.prefixLength), 'ipv6')
  return range.check(otherRange.address, 'ipv6')
}

/** Whether the text is an IP address, a CIDR range that is not wider than a private network, or one of Fastify's named ranges. */
function isProxyRange(text: string): boolean {
  const [ipAddress = '', prefixLength, ...otherParts] = text.split('/')
  const ipVersion = isIP(ipAddress)
  if (ipVersion === 0) return PROXY_RANGES.has(text)
  if (prefixLength === undefined) return true
  if (otherParts.length > 0 || !/^\d{1,3}$/.test(prefixLength)) return false
  const length = Number(prefixLength)
  if (length > (ipVersion === 4 ? 32 : 128)) return false
  if (ipVersion === 4) return length >= PROXY_PREFIX_MIN[4]
  return length >= (rangesOverlap(ipAddress, length, MAPPED_IPV4) ? MAPPED_IPV4.prefixLength + PROXY_PREFIX_MIN[4] : PROXY_PREFIX_MIN[6])
}

function readInteger(environment: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = environment[name]?.trim()
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`)
  return value
}

function readChoice<T extends string>(environment: Environment, name: string, choices: readonly T[], fallback: T): T {
  const text = environment[name]?.trim().toLowerCase()
  if (text === undefined || text === '') return fallback
  const chosenValue = choices.find((each) => each === text)
  if (chosenValue === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not '${text}'`)
  return chosenValue
}

function readList(
  environment: Environment,
  name: string,
  fallback: string,
  isValid: (entry: string) => boolean,
  entryKind: string,
): string[] {
  const listEntries = (environment[name]?.trim() || fallback)
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
  const invalidEntry = listEntries.find((entry) => !isValid(entry))
  if (invalidEntry !== undefined)
    throw new ConfigError(`${name} must be a list of ${entryKind}, separated by commas; '${invalidEntry}' is not one of these`)
  return [...new Set(listEntries)]
}

function readPublicOrigin(environment: Environment, port: number): URL {
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

const withoutEndSlashes = (url: string) => url.replace(/(?<!\/)\/+$/, '')

function readApiBaseUrl(environment: Environment): string {
  const text = withoutEndSlashes(environment.API_BASE_URL?.trim() || '/api')
  const isValid = text.startsWith('/')
    ? /^(?:\/[\w.~-]+)+$/.test(text)
    : /^https?:\/\//.test(text) && URL.canParse(text) && !/[?#\s'";]/.test(text)
  if (!isValid) throw new ConfigError(`API_BASE_URL must be a path such as /api or an http(s) URL, not '${text}'`)
  return text
}

function readDatabaseUrl(environment: Environment): string | undefined {
  const text = environment.DATABASE_URL?.trim()
  if (text === undefined || text === '') return undefined
  // The error message does not repeat the URL, because it may contain a password.
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) throw new ConfigError('DATABASE_URL must be a postgres:// URL')
  return text
}

function readFileStore(environment: Environment): Config['s3'] {
  const readTrimmed = (name: string, fallback = '') => environment[name]?.trim() || fallback
  const region = readTrimmed('FILE_STORE_REGION', 'us-east-1')
  const endpoint = withoutEndSlashes(readTrimmed('FILE_STORE_ENDPOINT', `https://s3.${region}.amazonaws.com`))
  const [accessKeyId, secretAccessKey] = [readTrimmed('FILE_STORE_KEY_ID'), readTrimmed('FILE_STORE_SECRET')]
  const text = readTrimmed('FILE_STORE')
  if (text === '') return undefined
  const { protocol, host: bucket, pathname, href } = new URL(URL.canParse(text) ? text : 'none:')
  const isBucket = protocol === 's3:' && /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/.test(bucket) && /^[\w./-]*$/.test(pathname)
  // The error message does not repeat the text, because it may contain a password.
  if (!isBucket || href !== `s3://${bucket}${pathname}`)
    throw new ConfigError('FILE_STORE must be a bucket such as s3://bucket or s3://bucket/path')
  if (!/^[a-z0-9-]+$/.test(region)) throw new ConfigError(`FILE_STORE_REGION must be the name of a region, not '${region}'`)
  if (!/^https?:\/\/[^\s?#@]+$/.test(endpoint) || !URL.canParse(endpoint))
    throw new ConfigError(`FILE_STORE_ENDPOINT must be an http(s) URL, not '${endpoint}'`)
  if (accessKeyId === '') throw new ConfigError('FILE_STORE_KEY_ID must be set too, as FILE_STORE is')
  if (secretAccessKey === '') throw new ConfigError('FILE_STORE_SECRET must be set too, as FILE_STORE is')
  const path = pathname.split('/').filter((part) => part !== '')
  return { bucket, prefix: path.map((part) => `${part}/`).join(''), endpoint, region, accessKeyId, secretAccessKey }
}

function readFirebase(environment: Environment): Config['firebase'] {
  const variableNames = ['FIREBASE_API_KEY', 'FIREBASE_PROJECT_ID', 'FIREBASE_AUTH_DOMAIN'] as const
  const [apiKey = '', projectId = '', authDomain = ''] = variableNames.map((name) => environment[name]?.trim() ?? '')
  const missingNames = variableNames.filter((name) => (environment[name]?.trim() ?? '') === '')
  if (missingNames.length === variableNames.length) return undefined
  if (missingNames.length > 0)
    throw new ConfigError(`${missingNames.join(' and ')} must be set too, as Firebase needs all of ${variableNames.join(', ')}`)
  if (!/^[\w-]{10,100}$/.test(apiKey)) throw new ConfigError('FIREBASE_API_KEY must be the API key of a Firebase web app')
  if (!/^[a-z][a-z0-9-]{4,29}$/.test(projectId))
    throw new ConfigError(`FIREBASE_PROJECT_ID must be the id of a project, not '${projectId}'`)
  if (!HOST_NAME.test(authDomain)) throw new ConfigError(`FIREBASE_AUTH_DOMAIN must be a host name, not '${authDomain}'`)
  return { apiKey, projectId, authDomain }
}

function readTokenSyncUrl(environment: Environment): string | undefined {
  const text = environment.TOKEN_SYNC_URL?.trim()
  if (text === undefined || text === '') return undefined
  // The URL must not contain delimiters of the content security policy, because it becomes part of that header.
  if (!/^https?:\/\/[^\s'";,]+$/.test(text) || !URL.canParse(text))
    throw new ConfigError(`TOKEN_SYNC_URL must be an http(s) URL, not '${text}'`)
  return text
}

function readDiscord(environment: Environment): Config['discord'] {
  const apiBase = environment.DISCORD_API_BASE?.trim() || 'https://discord.com'
  if (!/^https?:\/\/[^\s?#]+$/.test(apiBase) || !URL.canParse(apiBase))
    throw new ConfigError(`DISCORD_API_BASE must be an http(s) URL, not '${apiBase}'`)
  const clientId = environment.DISCORD_CLIENT_ID?.trim() ?? ''
  const clientSecret = environment.DISCORD_CLIENT_SECRET?.trim() ?? ''
  if (clientId === '' && clientSecret === '') return undefined
  if (clientId === '') throw new ConfigError('DISCORD_CLIENT_ID must be set too, as DISCORD_CLIENT_SECRET is')
  if (clientSecret === '') throw new ConfigError('DISCORD_CLIENT_SECRET must be set too, as DISCORD_CLIENT_ID is')
  // The API's path is removed, because Discord's documentation gives the base URL with that path.
  return { clientId, clientSecret, apiBase: withoutEndSlashes(apiBase).replace(/\/api(?:\/v\d+)?$/, '') }
}

function readYoutube(environment: Environment): Config['youtube'] {
  const apiKey = environment.YOUTUBE_API_KEY?.trim() ?? ''
  // The error message does not repeat the key, because it is a secret.
  if (!/^[\w-]{0,100}$/.test(apiKey)) throw new ConfigError('YOUTUBE_API_KEY must be an API key of the Google Cloud console')
  const apiBase = withoutEndSlashes(environment.YOUTUBE_API_BASE?.trim() || 'https://www.googleapis.com/youtube/v3')
  if (!/^https?:\/\/[^\s?#]+$/.test(apiBase) || !URL.canParse(apiBase))
    throw new ConfigError(`YOUTUBE_API_BASE must be an http(s) URL, not '${apiBase}'`)
  return { apiKey: apiKey === '' ? undefined : apiKey, apiBase }
}

function readStripeSecrets(environment: Environment): string[] {
  const secrets = (environment.STRIPE_WEBHOOK_SECRET ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  // The error message does not repeat the text, because it may be a secret.
  if (!secrets.every((text) => /^whsec_[\w+/=-]{16,}$/.test(text)))
    throw new ConfigError("STRIPE_WEBHOOK_SECRET must be the signing secret of a webhook of Stripe, which starts with 'whsec_'")
  return secrets
}

function readStripeApiKey(environment: Environment): string | undefined {
  const text = environment.STRIPE_API_KEY?.trim()
  if (text === undefined || text === '') return undefined
  // The error message does not repeat the key, because it is a secret.
  if (!/^[sr]k_\w{8,}$/.test(text)) throw new ConfigError("STRIPE_API_KEY must be a key of Stripe, which starts with 'rk_' or 'sk_'")
  return text
}

function readSmtpUrl(environment: Environment): string | undefined {
  const text = environment.SMTP_URL?.trim()
  if (text === undefined || text === '') return undefined
  // The error message does not repeat the URL, because it may contain a password.
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)) throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL')
  return text
}

function readMailFrom(environment: Environment, host: string): string {
  const text = environment.MAIL_FROM?.trim() || `no-reply@${host}`
  if (!/^(?:[^<>@\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(text))
    throw new ConfigError(`MAIL_FROM must be an address such as no-reply@example.org or Name <no-reply@example.org>, not '${text}'`)
  return text
}

function readMailTo(environment: Environment): string | undefined {
  const text = environment.MAIL_TO?.trim()
  if (text === undefined || text === '') return undefined
  if (!/^[^\s<>@,;]+@[^\s<>@,;]+$/u.test(text)) throw new ConfigError(`MAIL_TO must be an address such as team@example.org, not '${text}'`)
  return text
}

function readMetrics(environment: Environment): Config['metrics'] {
  const text = environment.METRICS?.trim() ?? ''
  if (text === '' || text === 'off') return undefined
  const [, host = '', port = ''] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? []
  if (host === '' || Number(port) > 65_535)
    throw new ConfigError(`METRICS must be off, or an address and a port such as 127.0.0.1:9464, not '${text}'`)
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function readBackup(environment: Environment, dataDir: string): Config['backup'] {
  const keptCount = readInteger(environment, 'BACKUP_KEEP', 7, 1, 10_000)
  const dir = resolve(environment.BACKUP_DIR?.trim() || join(dataDir, 'backups'))
  const text = environment.BACKUP_AT?.trim() ?? ''
  if (text === '' || text === 'off') return undefined
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined) throw new ConfigError(`BACKUP_AT must be off, or a time of day in UTC such as 03:30, not '${text}'`)
  return { atMinutes: Number(hours) * 60 + Number(minutes), dir, kept: keptCount }
}

function readVapid(environment: Environment): VapidKey | undefined {
  const text = environment.VAPID_PRIVATE_KEY?.trim() ?? ''
  if (text === '') return undefined
  try {
    if (/^[\w-]{43}$/.test(text)) return readVapidKey(text)
  } catch {
    // The number is not a private key of the curve.
  }
  // The error message does not repeat the key, because it is a secret.
  throw new ConfigError('VAPID_PRIVATE_KEY must be a key that `admin push key` has made')
}

/** Reads and validates the environment. @throws ConfigError for the first invalid value */
export function readConfig(environment: Environment): Config {
  const port = readInteger(environment, 'PORT', 8080, 0, 65_535)
  const host = environment.HOST?.trim() || '127.0.0.1'
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) throw new ConfigError(`HOST must be an address or a host name, not '${host}'`)
  const origin = readPublicOrigin(environment, port)
  const dataDir = resolve(environment.DATA_DIR?.trim() || './data')
  return {
    host,
    port,
    dataDir,
    databaseUrl: readDatabaseUrl(environment),
    s3: readFileStore(environment),
    siteHosts: readList(
      environment,
      'SITE_HOSTS',
      'localhost,slowedreverb.localhost,127.0.0.1',
      (host) => HOST_NAME.test(host),
      'host names without a port',
    ),
    publicOrigin: origin,
    apiBaseUrl: readApiBaseUrl(environment),
    trustProxy: readList(environment, 'TRUST_PROXY', '', isProxyRange, 'addresses or CIDR ranges, none wider than 10.0.0.0/8 or fc00::/7'),
    demo: readChoice(environment, 'DEMO', ['on', 'off'], 'on') === 'on',
    logLevel: readChoice(environment, 'LOG_LEVEL', logLevels, 'info'),
    metrics: readMetrics(environment),
    backup: readBackup(environment, dataDir),
    firebase: readFirebase(environment),
    tokenSyncUrl: readTokenSyncUrl(environment),
    discord: readDiscord(environment),
    youtube: readYoutube(environment),
    stripeWebhookSecrets: readStripeSecrets(environment),
    stripeApiKey: readStripeApiKey(environment),
    smtpUrl: readSmtpUrl(environment),
    mailFrom: readMailFrom(environment, origin.hostname),
    mailTo: readMailTo(environment),
    vapidKey: readVapid(environment),
    rateLimits: {
      failedLoginsPerPair: readInteger(environment, 'RATE_LIMIT_LOGIN', 20, 1, 1_000_000),
      failedLoginsPerAddress: readInteger(environment, 'RATE_LIMIT_LOGIN_ADDRESS', 100, 1, 1_000_000),
      signUpPerHour: readInteger(environment, 'RATE_LIMIT_SIGNUP', 30, 1, 1_000_000),
      mailPerHour: readInteger(environment, 'RATE_LIMIT_MAIL', 30, 1, 1_000_000),
      contactPerHour: readInteger(environment, 'RATE_LIMIT_CONTACT', 30, 1, 1_000_000),
      conversionsPerHour: readInteger(environment, 'RATE_LIMIT_CONVERSIONS', CONVERSIONS_PER_HOUR, 1, 1_000_000),
      writesPerHour: readInteger(environment, 'RATE_LIMIT_WRITES', 1200, 1, 1_000_000),
    },
  }
}

const withoutUnderscores = (name: string) => name.replaceAll('_', '').toUpperCase()

/**
 * Returns the environment variables that the server does not read although they look like variables of the server: those with the same first word as
 * such a variable (`SMTP_URI`), and those that differ from one only in underscores or case (`DATADIR`).
 */
export function findUnknownVariables(environment: Environment): string[] {
  const knownNames = new Set<string>()
  const recorder = new Proxy<Environment>({}, { get: (_, name) => void knownNames.add(String(name)) })
  readConfig(recorder)
  const firstWords = new Set([...knownNames].flatMap((name) => (name.includes('_') ? [name.slice(0, name.indexOf('_') + 1)] : [])))
  const spellings = new Set([...knownNames].map(withoutUnderscores))
  return Object.keys(environment).filter((name) => {
    const firstWord = name.slice(0, name.indexOf('_') + 1).toUpperCase()
    return !knownNames.has(name) && (firstWords.has(firstWord) || spellings.has(withoutUnderscores(name)))
  })
}
