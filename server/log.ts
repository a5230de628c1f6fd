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

/** Redacts tokens in a text: fields of forms and JSON, bearer tokens, and JWTs. */
export function redactText(logText: string): string {
  return logText
    .replace(/((?:firebase_auth_token|oobcode|refresh_token|signature)(?:\[\])?["']?\s*[=:]\s*["']?)[^&\s"']*/gi, `$1${REDACTION_MARK}`)
    .replace(/([?&](?:code|state)=)[^&\s"']*/gi, `$1${REDACTION_MARK}`)
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${REDACTION_MARK}`)
    .replace(/[\w.-]+/g, redactJwt)
}

/** Whether a part of a URL contains a secret parameter when it is percent-decoded. */
function holdsSecret(encodedText: string): boolean {
  const text = `?${decodePercent(encodedText)}`
  return encodedText.includes('%') && redactText(text) !== text
}

/** Redacts secret query parameters of a URL, even if they are percent-encoded, or part of another parameter or of the path. */
export function redactUrl(url: string): string {
  const [rawPath = '', ...queryParts] = url.split('?')
  const urlPath = holdsSecret(rawPath) ? `/${REDACTION_MARK}` : rawPath
  if (queryParts.length === 0) return redactText(urlPath)
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
  return redactText(`${urlPath}?${queryText}`)
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
