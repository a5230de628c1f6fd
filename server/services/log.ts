import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

export type Log = Logger

/** Parameters whose values are secrets: identity tokens, the codes of mailed links, refresh tokens, what comes back from Discord. */
const SECRET_NAMES = ['firebase_auth_token', 'oobcode', 'refresh_token', 'code', 'state']
const HIDDEN = '[redacted]'

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `text` without tokens: as a field of a form or of JSON, as a bearer token, and anything shaped like a signed token. */
export function redactText(text: string): string {
  return text
    .replace(/((?:firebase_auth_token|oobcode|refresh_token)["']?\s*[=:]\s*["']?)[^&\s"']*/gi, `$1${HIDDEN}`)
    .replace(/([?&](?:code|state)=)[^&\s"']*/gi, `$1${HIDDEN}`)
    .replace(/(bearer\s+)[^\s"',]+/gi, `$1${HIDDEN}`)
    .replace(/eyJ[\w-]+\.[\w-]*(?:\.[\w-]*)?/g, HIDDEN)
}

/** A request's URL without tokens, whichever way their name was written. */
export function redactUrl(url: string): string {
  const [path = '', ...rest] = url.split('?')
  if (rest.length === 0) return redactText(path)
  const query = rest
    .join('?')
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      const name = equals < 0 ? pair : pair.slice(0, equals)
      const plainName = decoded(name.replaceAll('+', ' ')).toLowerCase()
      const secret = SECRET_NAMES.find((each) => plainName.includes(each))
      return secret === undefined ? pair : `${secret}=${HIDDEN}`
    })
    .join('&')
  return redactText(`${path}?${query}`)
}

/** The server's log. No header and no body is ever written, and what could hold a token goes through redaction. */
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
