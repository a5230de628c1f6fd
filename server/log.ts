import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

/**
 * The names of query parameters with secret values: identity tokens, codes of mailed links, refresh tokens, signatures of converted files, and Discord's
 * code and state.
 */
const SECRET_PARAMETER_NAMES = ['firebase_auth_token', 'oobcode', 'refresh_token', 'signature', 'code', 'state']
const REDACTION_MARK = '[redacted]'

/** The maximum number of times that a part of a URL is percent-decoded. A URL in a parameter of another URL is encoded twice. */
const PERCENT_DECODINGS_MAX = 4

function decodePercent(encodedText: string): string {
  let decodedText = encodedText.replaceAll('+', ' ')
  for (let count = 0; count < PERCENT_DECODINGS_MAX && decodedText.includes('%'); count++) {
    // Decodes each escape separately, because `decodeURIComponent` would fail for the whole text if one of them is malformed.
    decodedText = decodedText.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  }
  return decodedText
}

/**
 * Replaces a JWT in a word, and everything after it. Searches with `indexOf`, because a regular expression would take quadratic time for a word
 * that contains the start of a JWT many times.
 */
function redactJwt(tokenText: string): string {
  const start = tokenText.indexOf('eyJ')
  return start >= 0 && tokenText.includes('.', start + 4) ? tokenText.slice(0, start) + REDACTION_MARK : tokenText
}

/**
 * Returns the first character and the domain of an email address. The rest is left out, because people sometimes enter passwords into the address
 * field.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${at < 0 ? '' : email.slice(at, at + 100)}`
}

/**
 * Masks each word that contains an email address, which may be percent-encoded. A word ends at characters that no address contains. Searches the
 * words with `lastIndexOf`, because a regular expression of an address would take quadratic time for a long word without `@`.
 */
const maskEmails = (logText: string): string =>
  logText.replace(/[^\s,;:<>()"[\]\\]+/g, (word) => {
    const [quotes = ''] = /^['`]*/.exec(word) ?? []
    const address = word.slice(quotes.length).replaceAll('%40', '@')
    const localPart = address.slice(0, Math.max(0, address.lastIndexOf('@')))
    // The scope of a package's name follows `node_modules/` in the paths of stack traces.
    return localPart === '' || localPart.endsWith('node_modules/') ? word : quotes + maskEmail(address)
  })

/** Redacts tokens in a text: fields of forms and JSON, bearer tokens, and JWTs. */
function redactTokens(logText: string): string {
  return logText
    .replace(/((?:firebase_auth_token|oobcode|refresh_token|signature)(?:\[\])?["']?\s*[=:]\s*["']?)[^&\s"']*/gi, `$1${REDACTION_MARK}`)
    .replace(/([?&](?:code|state)=)[^&\s"']*/gi, `$1${REDACTION_MARK}`)
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${REDACTION_MARK}`)
    .replace(/[\w.-]+/g, redactJwt)
}

/** Redacts tokens in a text, and masks email addresses. */
export const redactText = (logText: string): string => maskEmails(redactTokens(logText))

/** Whether a part of a URL contains a secret parameter or an email address when it is percent-decoded. */
function holdsSecret(encodedText: string): boolean {
  if (!encodedText.includes('%')) return false
  const text = decodePercent(encodedText)
  return redactTokens(`?${text}`) !== `?${text}` || maskEmails(text) !== text
}

/** Redacts tokens in a URL, and masks email addresses in each of its parts, so that the rest of the URL remains. */
const redactUrlText = (urlText: string): string => redactTokens(urlText).replace(/[^/?&=]+/g, maskEmails)

/**
 * Redacts secret query parameters and email addresses of a URL, even if they are percent-encoded, or part of another parameter or of the path. An
 * address that is not percent-encoded is masked.
 */
export function redactUrl(url: string): string {
  const [rawPath = '', ...queryParts] = url.split('?')
  const urlPath = holdsSecret(rawPath) ? `/${REDACTION_MARK}` : rawPath
  if (queryParts.length === 0) return redactUrlText(urlPath)
  const queryText = queryParts
    .join('?')
    .split('&')
    .map((parameterPair) => {
      const equalsIndex = parameterPair.indexOf('=')
      const parameterName = equalsIndex < 0 ? parameterPair : parameterPair.slice(0, equalsIndex)
      const plainName = decodePercent(parameterName).toLowerCase()
      const secretName = SECRET_PARAMETER_NAMES.find((each) => plainName.includes(each))
      if (secretName !== undefined) return `${secretName}=${REDACTION_MARK}`
      return holdsSecret(parameterPair.slice(equalsIndex + 1)) ? `${parameterName}=${REDACTION_MARK}` : parameterPair
    })
    .join('&')
  return redactUrlText(`${urlPath}?${queryText}`)
}

/** The maximum size of the text that waits to be written. Further lines are dropped, for instance while the disk is full. */
const UNWRITTEN_LOG_MAX_LENGTH = 1_048_576

/** Opens a file for the log, by default standard output. A log that cannot be written does not end the server. */
export const openLogFile = (dest: number | string = 1) =>
  pino.destination({ dest, sync: false, maxLength: UNWRITTEN_LOG_MAX_LENGTH }).on('error', () => {})

/** Creates the server's log. It contains no headers or bodies; URLs and error texts are redacted. */
export function createLog(level: LogLevel, stream: DestinationStream = openLogFile()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        req: (request: { method: string; url: string; ip: string }) => ({
          method: request.method,
          url: redactUrl(request.url),
          ip: request.ip,
        }),
        err: (error: unknown) =>
          error instanceof Error
            ? { type: error.name, message: redactText(error.message), stack: redactText(error.stack ?? '') }
            : { message: redactText(String(error)) },
      },
    },
    stream,
  )
}
