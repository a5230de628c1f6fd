import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

export type Log = Logger

/**
 * The names of query parameters with secret values: identity tokens, codes of mailed links, refresh tokens, and Discord's code and state.
 */
const SECRET_NAMES = ['firebase_auth_token', 'oobcode', 'refresh_token', 'code', 'state']
const REDACTION_MARK = '[redacted]'

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Redacts tokens in a text: fields of forms and JSON, bearer tokens, and JWTs. */
export function redactText(text: string): string {
  return text
    .replace(/((?:firebase_auth_token|oobcode|refresh_token)["']?\s*[=:]\s*["']?)[^&\s"']*/gi, `$1${REDACTION_MARK}`)
    .replace(/([?&](?:code|state)=)[^&\s"']*/gi, `$1${REDACTION_MARK}`)
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${REDACTION_MARK}`)
    .replace(/eyJ[\w-]+\.[\w-]*(?:\.[\w-]*)?/g, REDACTION_MARK)
}

/** Redacts secret query parameters of a URL, also if their names are percent-encoded. */
export function redactUrl(url: string): string {
  const [path = '', ...queryParts] = url.split('?')
  if (queryParts.length === 0) return redactText(path)
  const query = queryParts
    .join('?')
    .split('&')
    .map((pair) => {
      const equalsIndex = pair.indexOf('=')
      const name = equalsIndex < 0 ? pair : pair.slice(0, equalsIndex)
      const plainName = decodePercent(name.replaceAll('+', ' ')).toLowerCase()
      const secretName = SECRET_NAMES.find((each) => plainName.includes(each))
      return secretName === undefined ? pair : `${secretName}=${REDACTION_MARK}`
    })
    .join('&')
  return redactText(`${path}?${query}`)
}

/** Creates the server's log. It contains no headers or bodies; URLs and error texts are redacted. */
export function createLog(level: LogLevel, stream?: DestinationStream): Log {
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
    stream ?? pino.destination({ dest: 1, sync: false }),
  )
}
