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
  /** Whether own playlists may contain videos of YouTube that the catalogue lacks. It needs an API key. */
  playlistVideos: boolean
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

const HOST_NAME_PATTERN = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
const NAMED_PROXY_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

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
function isProxyRange(rangeText: string): boolean {
  const [ipAddress = '', prefixLength, ...otherParts] = rangeText.split('/')
  const ipVersion = isIP(ipAddress)
  if (ipVersion === 0) return NAMED_PROXY_RANGES.has(rangeText)
  if (prefixLength === undefined) return true
  if (otherParts.length > 0 || !/^\d{1,3}$/.test(prefixLength)) return false
  const prefixBits = Number(prefixLength)
  if (prefixBits > (ipVersion === 4 ? 32 : 128)) return false
  if (ipVersion === 4) return prefixBits >= PROXY_PREFIX_MIN[4]
  return (
    prefixBits >= (rangesOverlap(ipAddress, prefixBits, MAPPED_IPV4) ? MAPPED_IPV4.prefixLength + PROXY_PREFIX_MIN[4] : PROXY_PREFIX_MIN[6])
  )
}

function readInteger(environment: Environment, settingName: string, defaultValue: number, min: number, max: number): number {
  const settingText = environment[settingName]?.trim()
  if (settingText === undefined || settingText === '') return defaultValue
  const integerValue = /^\d{1,9}$/.test(settingText) ? Number(settingText) : Number.NaN
  if (!(integerValue >= min && integerValue <= max))
    throw new ConfigError(`${settingName} must be a whole number from ${min} to ${max}, not '${settingText}'`)
  return integerValue
}

function readChoice<T extends string>(environment: Environment, settingName: string, allowedValues: readonly T[], defaultValue: T): T {
  const settingText = environment[settingName]?.trim().toLowerCase()
  if (settingText === undefined || settingText === '') return defaultValue
  const chosenValue = allowedValues.find((each) => each === settingText)
  if (chosenValue === undefined) throw new ConfigError(`${settingName} must be one of ${allowedValues.join(', ')}, not '${settingText}'`)
  return chosenValue
}

function readList(
  environment: Environment,
  settingName: string,
  defaultValue: string,
  isValid: (entry: string) => boolean,
  entryKind: string,
): string[] {
  const listEntries = (environment[settingName]?.trim() || defaultValue)
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
  const invalidEntry = listEntries.find((entry) => !isValid(entry))
  if (invalidEntry !== undefined)
    throw new ConfigError(`${settingName} must be a list of ${entryKind}, separated by commas; '${invalidEntry}' is not one of these`)
  return [...new Set(listEntries)]
}

function readPublicOrigin(environment: Environment, port: number): URL {
  const originText = environment.PUBLIC_ORIGIN?.trim() || `http://localhost:${port}`
  const url = URL.canParse(originText) ? new URL(originText) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new ConfigError(`PUBLIC_ORIGIN must be a scheme and a host such as https://example.org, not '${originText}'`)
  return url
}

const removeEndSlashes = (url: string) => url.replace(/(?<!\/)\/+$/, '')

function readApiBaseUrl(environment: Environment): string {
  const apiBaseText = removeEndSlashes(environment.API_BASE_URL?.trim() || '/api')
  const isValid = apiBaseText.startsWith('/')
    ? /^(?:\/[\w.~-]+)+$/.test(apiBaseText)
    : /^https?:\/\//.test(apiBaseText) && URL.canParse(apiBaseText) && !/[?#\s'";]/.test(apiBaseText)
  if (!isValid) throw new ConfigError(`API_BASE_URL must be a path such as /api or an http(s) URL, not '${apiBaseText}'`)
  return apiBaseText
}

function readDatabaseUrl(environment: Environment): string | undefined {
  const databaseUrlText = environment.DATABASE_URL?.trim()
  if (databaseUrlText === undefined || databaseUrlText === '') return undefined
  // The error message does not repeat the URL, because it may contain a password.
  if (!/^postgres(?:ql)?:\/\//.test(databaseUrlText) || !URL.canParse(databaseUrlText))
    throw new ConfigError('DATABASE_URL must be a postgres:// URL')
  return databaseUrlText
}

function readFileStore(environment: Environment): Config['s3'] {
  const readTrimmed = (name: string, fallback = '') => environment[name]?.trim() || fallback
  const regionName = readTrimmed('FILE_STORE_REGION', 'us-east-1')
  const endpointUrl = removeEndSlashes(readTrimmed('FILE_STORE_ENDPOINT', `https://s3.${regionName}.amazonaws.com`))
  const [accessKeyId, secretAccessKey] = [readTrimmed('FILE_STORE_KEY_ID'), readTrimmed('FILE_STORE_SECRET')]
  const fileStoreText = readTrimmed('FILE_STORE')
  if (fileStoreText === '') return undefined
  const { protocol, host: bucketName, pathname, href } = new URL(URL.canParse(fileStoreText) ? fileStoreText : 'none:')
  const isBucketUrl = protocol === 's3:' && /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/.test(bucketName) && /^[\w./-]*$/.test(pathname)
  // The error message does not repeat the text, because it may contain a password.
  if (!isBucketUrl || href !== `s3://${bucketName}${pathname}`)
    throw new ConfigError('FILE_STORE must be a bucket such as s3://bucket or s3://bucket/path')
  if (!/^[a-z0-9-]+$/.test(regionName)) throw new ConfigError(`FILE_STORE_REGION must be the name of a region, not '${regionName}'`)
  if (!/^https?:\/\/[^\s?#@]+$/.test(endpointUrl) || !URL.canParse(endpointUrl))
    throw new ConfigError(`FILE_STORE_ENDPOINT must be an http(s) URL, not '${endpointUrl}'`)
  if (accessKeyId === '') throw new ConfigError('FILE_STORE_KEY_ID must be set too, as FILE_STORE is')
  if (secretAccessKey === '') throw new ConfigError('FILE_STORE_SECRET must be set too, as FILE_STORE is')
  const pathParts = pathname.split('/').filter((part) => part !== '')
  return {
    bucket: bucketName,
    prefix: pathParts.map((part) => `${part}/`).join(''),
    endpoint: endpointUrl,
    region: regionName,
    accessKeyId,
    secretAccessKey,
  }
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
  if (!HOST_NAME_PATTERN.test(authDomain)) throw new ConfigError(`FIREBASE_AUTH_DOMAIN must be a host name, not '${authDomain}'`)
  return { apiKey, projectId, authDomain }
}

function readTokenSyncUrl(environment: Environment): string | undefined {
  const syncUrlText = environment.TOKEN_SYNC_URL?.trim()
  if (syncUrlText === undefined || syncUrlText === '') return undefined
  // The URL must not contain delimiters of the content security policy, because it becomes part of that header.
  if (!/^https?:\/\/[^\s'";,]+$/.test(syncUrlText) || !URL.canParse(syncUrlText))
    throw new ConfigError(`TOKEN_SYNC_URL must be an http(s) URL, not '${syncUrlText}'`)
  return syncUrlText
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
  return { clientId, clientSecret, apiBase: removeEndSlashes(apiBase).replace(/\/api(?:\/v\d+)?$/, '') }
}

function readYoutube(environment: Environment): Config['youtube'] {
  const apiKey = environment.YOUTUBE_API_KEY?.trim() ?? ''
  // The error message does not repeat the key, because it is a secret.
  if (!/^[\w-]{0,100}$/.test(apiKey)) throw new ConfigError('YOUTUBE_API_KEY must be an API key of the Google Cloud console')
  const apiBase = removeEndSlashes(environment.YOUTUBE_API_BASE?.trim() || 'https://www.googleapis.com/youtube/v3')
  if (!/^https?:\/\/[^\s?#]+$/.test(apiBase) || !URL.canParse(apiBase))
    throw new ConfigError(`YOUTUBE_API_BASE must be an http(s) URL, not '${apiBase}'`)
  return { apiKey: apiKey === '' ? undefined : apiKey, apiBase }
}

function readPlaylistVideos(environment: Environment): boolean {
  const isAllowed = readChoice(environment, 'PLAYLIST_VIDEOS', ['on', 'off'], 'off') === 'on'
  if (isAllowed && (environment.YOUTUBE_API_KEY?.trim() ?? '') === '')
    throw new ConfigError('YOUTUBE_API_KEY must be set too, as PLAYLIST_VIDEOS is on')
  return isAllowed
}

function readStripeSecrets(environment: Environment): string[] {
  const webhookSecrets = (environment.STRIPE_WEBHOOK_SECRET ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  // The error message does not repeat the text, because it may be a secret.
  if (!webhookSecrets.every((text) => /^whsec_[\w+/=-]{16,}$/.test(text)))
    throw new ConfigError("STRIPE_WEBHOOK_SECRET must be the signing secret of a webhook of Stripe, which starts with 'whsec_'")
  return webhookSecrets
}

function readStripeApiKey(environment: Environment): string | undefined {
  const apiKeyText = environment.STRIPE_API_KEY?.trim()
  if (apiKeyText === undefined || apiKeyText === '') return undefined
  // The error message does not repeat the key, because it is a secret.
  if (!/^[sr]k_\w{8,}$/.test(apiKeyText)) throw new ConfigError("STRIPE_API_KEY must be a key of Stripe, which starts with 'rk_' or 'sk_'")
  return apiKeyText
}

function readSmtpUrl(environment: Environment): string | undefined {
  const smtpUrlText = environment.SMTP_URL?.trim()
  if (smtpUrlText === undefined || smtpUrlText === '') return undefined
  // The error message does not repeat the URL, because it may contain a password.
  if (!/^smtps?:\/\/./.test(smtpUrlText) || !URL.canParse(smtpUrlText)) throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL')
  return smtpUrlText
}

function readMailFrom(environment: Environment, host: string): string {
  const mailFromText = environment.MAIL_FROM?.trim() || `no-reply@${host}`
  if (!/^(?:[^<>@\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(mailFromText))
    throw new ConfigError(`MAIL_FROM must be an address such as no-reply@example.org or Name <no-reply@example.org>, not '${mailFromText}'`)
  return mailFromText
}

function readMailTo(environment: Environment): string | undefined {
  const mailToText = environment.MAIL_TO?.trim()
  if (mailToText === undefined || mailToText === '') return undefined
  if (!/^[^\s<>@,;]+@[^\s<>@,;]+$/u.test(mailToText))
    throw new ConfigError(`MAIL_TO must be an address such as team@example.org, not '${mailToText}'`)
  return mailToText
}

function readMetrics(environment: Environment): Config['metrics'] {
  const metricsText = environment.METRICS?.trim() ?? ''
  if (metricsText === '' || metricsText === 'off') return undefined
  const [, hostText = '', portText = ''] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(metricsText) ?? []
  if (hostText === '' || Number(portText) > 65_535)
    throw new ConfigError(`METRICS must be off, or an address and a port such as 127.0.0.1:9464, not '${metricsText}'`)
  return { host: hostText.replace(/^\[|\]$/g, ''), port: Number(portText) }
}

function readBackup(environment: Environment, dataDir: string): Config['backup'] {
  const keptBackupCount = readInteger(environment, 'BACKUP_KEEP', 7, 1, 10_000)
  const backupsDir = resolve(environment.BACKUP_DIR?.trim() || join(dataDir, 'backups'))
  const backupTimeText = environment.BACKUP_AT?.trim() ?? ''
  if (backupTimeText === '' || backupTimeText === 'off') return undefined
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(backupTimeText) ?? []
  if (hours === undefined) throw new ConfigError(`BACKUP_AT must be off, or a time of day in UTC such as 03:30, not '${backupTimeText}'`)
  return { atMinutes: Number(hours) * 60 + Number(minutes), dir: backupsDir, kept: keptBackupCount }
}

function readVapid(environment: Environment): VapidKey | undefined {
  const privateKeyText = environment.VAPID_PRIVATE_KEY?.trim() ?? ''
  if (privateKeyText === '') return undefined
  try {
    if (/^[\w-]{43}$/.test(privateKeyText)) return readVapidKey(privateKeyText)
  } catch {
    // `readVapidKey` throws if the number is not a private key of the curve.
  }
  // The error message does not repeat the key, because it is a secret.
  throw new ConfigError('VAPID_PRIVATE_KEY must be a key that `admin push key` has made')
}

/** Reads and validates the environment. @throws ConfigError for the first invalid value */
export function readConfig(environment: Environment): Config {
  const listenPort = readInteger(environment, 'PORT', 8080, 0, 65_535)
  const listenHost = environment.HOST?.trim() || '127.0.0.1'
  if (!/^[A-Za-z0-9.:_-]+$/.test(listenHost)) throw new ConfigError(`HOST must be an address or a host name, not '${listenHost}'`)
  const origin = readPublicOrigin(environment, listenPort)
  const dataDir = resolve(environment.DATA_DIR?.trim() || './data')
  return {
    host: listenHost,
    port: listenPort,
    dataDir,
    databaseUrl: readDatabaseUrl(environment),
    s3: readFileStore(environment),
    siteHosts: readList(
      environment,
      'SITE_HOSTS',
      'localhost,slowedreverb.localhost,127.0.0.1',
      (host) => HOST_NAME_PATTERN.test(host),
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
    playlistVideos: readPlaylistVideos(environment),
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

/** First words of variables that look like ours, although no variable of the server that is read begins with them. */
const OTHER_FIRST_WORDS = ['METRICS_', 'DEMO_', 'VARISPEED_']

const removeUnderscores = (name: string) => name.replaceAll('_', '').toUpperCase()

/**
 * Returns the environment variables that the server does not read although they look like variables of the server: those with the same first word as
 * such a variable (`SMTP_URI`) or one of `OTHER_FIRST_WORDS`, and those that differ from one only in underscores or case (`DATADIR`).
 */
export function findUnknownVariables(environment: Environment): string[] {
  const knownNames = new Set<string>()
  const nameRecorder = new Proxy<Environment>({}, { get: (_, name) => void knownNames.add(String(name)) })
  readConfig(nameRecorder)
  const readFirstWords = [...knownNames].flatMap((name) => (name.includes('_') ? [name.slice(0, name.indexOf('_') + 1)] : []))
  const firstWords = new Set([...OTHER_FIRST_WORDS, ...readFirstWords])
  const knownSpellings = new Set([...knownNames].map(removeUnderscores))
  return Object.keys(environment).filter((variableName) => {
    const firstWord = variableName.slice(0, variableName.indexOf('_') + 1).toUpperCase()
    return !knownNames.has(variableName) && (firstWords.has(firstWord) || knownSpellings.has(removeUnderscores(variableName)))
  })
}
