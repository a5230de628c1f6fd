import { WAIT_LIMIT_MS } from './automated-page.ts'

/** The time limit for the start of a browser. */
const START_TIMEOUT_MS = 30_000

/** The key that marks a reference to an element (www.w3.org/TR/webdriver2, 12.1). */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

export interface ElementReference {
  readonly [ELEMENT_KEY]: string
}

/** A session of the W3C WebDriver protocol (www.w3.org/TR/webdriver2). */
export interface WebDriverSession {
  /** Sends a command for the session. Its path is relative to the URL of the session. */
  send(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>
  /** Sends a command for an element. */
  sendTo(element: ElementReference, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>
  /** Runs a function in the page. Its arguments and its result are JSON or elements. The function may return a promise. */
  run(source: string, ...args: readonly unknown[]): Promise<unknown>
  end(): Promise<void>
}

export async function startSession(driverUrl: string, wantedCapabilities: object): Promise<WebDriverSession> {
  const session = await request(driverUrl, 'POST', '/session', { capabilities: { alwaysMatch: wantedCapabilities } })
  const { sessionId } = session as { sessionId: string }
  const sendRequest: WebDriverSession['send'] = (method, path, body) => request(driverUrl, method, `/session/${sessionId}${path}`, body)
  await sendRequest('POST', '/timeouts', { script: WAIT_LIMIT_MS, pageLoad: WAIT_LIMIT_MS, implicit: 0 })
  return {
    send: sendRequest,
    sendTo: (element, method, path, body) => sendRequest(method, `/element/${element[ELEMENT_KEY]}${path}`, body),
    async run(scriptSource, ...args) {
      const scriptOutcome = await sendRequest('POST', '/execute/async', { script: RUN_SCRIPT.replace('SOURCE', () => scriptSource), args })
      const { value, error } = scriptOutcome as { value?: unknown; error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    },
    end: async () => void (await request(driverUrl, 'DELETE', `/session/${sessionId}`)),
  }
}

const RUN_SCRIPT = `
const args = [...arguments]
const done = args.pop()
new Promise((resolve) => resolve((SOURCE)(...args))).then((value) => done({ value }), (error) => done({ error: String(error) }))`

async function request(driverUrl: string, httpMethod: string, urlPath: string, requestBody: object = {}): Promise<unknown> {
  const timeoutSignal = AbortSignal.timeout(urlPath === '/session' ? START_TIMEOUT_MS : 2 * WAIT_LIMIT_MS)
  const response = await fetch(driverUrl + urlPath, {
    method: httpMethod,
    signal: timeoutSignal,
    ...(httpMethod === 'POST' && { body: JSON.stringify(requestBody) }),
  })
  const { value }: { value: unknown } = await response.json()
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new Error(`${error}: ${message}`)
}
