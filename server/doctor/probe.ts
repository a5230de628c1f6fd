import { createRecording, type Recording } from './recording.ts'

/** The result of a check. `text` describes the result, and `mend` says how to fix a problem. */
export interface Finding {
  check: string
  status: 'ok' | 'wrong' | 'not configured' | 'could not be reached'
  text: string
  mend?: string
}

/** An answer with its whole body. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The difference between the clocks of this machine and the other one in milliseconds; undefined without a `Date`. */
  skewMs: number | undefined
}

const TIMEOUT_MS = 10_000
const BODY_MAX_LENGTH = 2_000_000

/** Returns the innermost reason of a failed request on one line. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const message = cause instanceof Error ? cause.message : String(error)
  return (message === '' ? code : message).split('\n', 1)[0]?.slice(0, 200) ?? ''
}

/** Creates the function with which checks send requests, and the list of recordings of the responses. */
export function createProbe() {
  const recordings: Recording[] = []
  /** Sends a request and reads the whole answer. With a `name`, the answer is recorded under it. @throws if there is no answer */
  async function send(url: string, init: RequestInit = {}, name?: string): Promise<Answer> {
    const sentMs = Date.now()
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const receivedMs = Date.now()
    const text = (await response.text()).slice(0, BODY_MAX_LENGTH)
    if (name !== undefined) recordings.push(createRecording(name, response, text))
    const date = Date.parse(response.headers.get('date') ?? '')
    // The header is in whole seconds, rounded down.
    const skewMs = Number.isNaN(date) ? undefined : (sentMs + receivedMs) / 2 - (date + 500)
    return { status: response.status, headers: response.headers, text, skewMs }
  }
  return { send, recordings }
}
export type Probe = ReturnType<typeof createProbe>
