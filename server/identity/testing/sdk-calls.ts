import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '../../test-app.ts'

export interface CallOptions {
  from?: string
  host?: string
}

const MAILS_WAIT_MS = 5000

/** The calls that the browser's SDK makes, with its bodies. */
export function sdkCalls({ app, dataDir }: TestApp) {
  const headersFor = ({ host }: CallOptions) => (host === undefined ? {} : { host })
  const identity = async (action: string, payload: Record<string, unknown>, options: CallOptions = {}) =>
    app.inject({
      method: 'POST',
      url: `/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`,
      payload,
      headers: headersFor(options),
      remoteAddress: options.from ?? '10.0.0.1',
    })
  const credentials = (email: string, password: string) => ({ returnSecureToken: true, email, password, clientType: 'CLIENT_TYPE_WEB' })
  return {
    identity,
    signUp: (email: string, password: string, options?: CallOptions) => identity('signUp', credentials(email, password), options),
    signIn: (email: string, password: string, options?: CallOptions) =>
      identity('signInWithPassword', credentials(email, password), options),
    lookup: (idToken: string) => identity('lookup', { idToken }),
    refresh: (refreshToken: string) =>
      app.inject({
        method: 'POST',
        url: '/securetoken.googleapis.com/v1/token?key=any',
        payload: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    sendReset: (email: string, options?: CallOptions) => identity('sendOobCode', { requestType: 'PASSWORD_RESET', email }, options),
    /** The links of the mails that were written so far, once there are as many. */
    async links(count: number): Promise<string[]> {
      const outbox = join(dataDir, 'outbox')
      const files = () => {
        try {
          return readdirSync(outbox).filter((name) => name.endsWith('.eml'))
        } catch {
          return []
        }
      }
      const deadline = Date.now() + MAILS_WAIT_MS
      while (files().length < count && Date.now() < deadline) await sleep(20)
      if (files().length !== count) throw new Error(`There are ${files().length} mails, not ${count}`)
      return files()
        .sort()
        .map((name) => {
          const text = readFileSync(join(outbox, name), 'utf8').replace(/=\r\n/g, '').replaceAll('=3D', '=')
          return /https?:\/\/\S+/.exec(text)?.[0] ?? ''
        })
    },
  }
}
export type SdkCalls = ReturnType<typeof sdkCalls>

/** The message of an error that has the SDK's shape; anything else is a failure of the test. */
export function errorOf(answer: { statusCode: number; body: string; json(): unknown }): string {
  if (answer.statusCode !== 400) throw new Error(`The answer is no refusal: ${answer.statusCode} ${answer.body}`)
  return (answer.json() as { error: { code: number; message: string } }).error.message
}
