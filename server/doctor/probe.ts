import { createRecording, type Recording } from './recording.ts'

/** The result of a check. `text` describes the result, and `mend` says how to fix a problem. */
export interface Finding {
  check: string
  status: 'ok' | 'wrong' | 'not configured' | 'could not be reached'
  text: string
  mend?: string
}

/** An answer with its whole body. */
export interface PeerResponse {
  status: number
  headers: Headers
  text: string
  /** The difference between the clocks of this machine and the other one in milliseconds; undefined without a `Date`. */
  skewMs: number | undefined
}

const REQUEST_TIMEOUT_MS = 10_000
const RESPONSE_BODY_MAX_LENGTH = 2_000_000

/** Returns the innermost reason of a failed request on one line. */
export function describeReason(error: unknown): string {
  const errorCause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = errorCause instanceof Error && 'code' in errorCause ? String(errorCause.code) : ''
  const message = errorCause instanceof Error ? errorCause.message : String(error)
  return (message === '' ? code : message).split('\n', 1)[0]?.slice(0, 200) ?? ''
}

/** Creates the function with which checks send requests, and the list of recordings of the responses. */
export function createProbe() {
  const recordings: Recording[] = []
  /** Sends a request and reads the whole answer. With a `recordingName`, the answer is recorded under it. @throws if there is no answer */
  async function sendRequest(url: string, init: RequestInit = {}, recordingName?: string): Promise<PeerResponse> {
    const sentMs = Date.now()
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    const receivedMs = Date.now()
    const bodyText = (await response.text()).slice(0, RESPONSE_BODY_MAX_LENGTH)
    if (recordingName !== undefined) recordings.push(createRecording(recordingName, response, bodyText))
    const serverTimeMs = Date.parse(response.headers.get('date') ?? '')
    // The time in the header `Date` is in whole seconds, rounded down.
    const skewMs = Number.isNaN(serverTimeMs) ? undefined : (sentMs + receivedMs) / 2 - (serverTimeMs + 500)
    return { status: response.status, headers: response.headers, text: bodyText, skewMs }
  }
  return { send: sendRequest, recordings }
}
export type Probe = ReturnType<typeof createProbe>
