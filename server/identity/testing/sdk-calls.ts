import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '../../test-app.ts'

export interface CallOptions {
  ipAddress?: string
  host?: string
  userAgent?: string
}

const MAILS_WAIT_MS = 5000

/** Returns functions that send the requests of the Firebase SDK. */
export function createSdkCalls({ app, dataDir }: TestApp) {
  const createHeaders = ({ host, userAgent }: CallOptions) => ({
    ...(host === undefined ? {} : { host }),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
  })
  const callIdentity = async (actionName: string, requestBody: Record<string, unknown>, options: CallOptions = {}) =>
    app.inject({
      method: 'POST',
      url: `/identitytoolkit.googleapis.com/v1/accounts:${actionName}?key=any`,
      payload: requestBody,
      headers: createHeaders(options),
      remoteAddress: options.ipAddress ?? '10.0.0.1',
    })
  const createCredentialFields = (email: string, password: string) => ({
    returnSecureToken: true,
    email,
    password,
    clientType: 'CLIENT_TYPE_WEB',
  })
  const outboxPath = join(dataDir, 'outbox')
  const listMailFiles = () => {
    try {
      return readdirSync(outboxPath).filter((name) => name.endsWith('.eml'))
    } catch {
      return []
    }
  }
  const readMails = () =>
    listMailFiles()
      .sort()
      .map((name) => readFileSync(join(outboxPath, name), 'utf8').replace(/=\r\n/g, '').replaceAll('=3D', '='))
  return {
    identity: callIdentity,
    readMails,
    signUp: (email: string, password: string, options?: CallOptions) =>
      callIdentity('signUp', createCredentialFields(email, password), options),
    signIn: (email: string, password: string, options?: CallOptions) =>
      callIdentity('signInWithPassword', createCredentialFields(email, password), options),
    lookup: (idToken: string) => callIdentity('lookup', { idToken }),
    refresh: (refreshToken: string) =>
      app.inject({
        method: 'POST',
        url: '/securetoken.googleapis.com/v1/token?key=any',
        payload: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    sendReset: (email: string, options?: CallOptions) => callIdentity('sendOobCode', { requestType: 'PASSWORD_RESET', email }, options),
    /** Waits for a number of mails. Returns their links. */
    async readMailLinks(linkCount: number): Promise<string[]> {
      const deadlineMs = Date.now() + MAILS_WAIT_MS
      while (listMailFiles().length < linkCount && Date.now() < deadlineMs) await sleep(20)
      if (listMailFiles().length !== linkCount) throw new Error(`There are ${listMailFiles().length} mails, not ${linkCount}`)
      return readMails().map((text) => /https?:\/\/\S+/.exec(text)?.[0] ?? '')
    },
  }
}
export type SdkCalls = ReturnType<typeof createSdkCalls>

/** Returns the message of an error in the Firebase SDK's format. @throws for any other response */
export function readSdkError(response: { statusCode: number; body: string; json(): unknown }): string {
  if (response.statusCode !== 400) throw new Error(`The answer is no refusal: ${response.statusCode} ${response.body}`)
  return (response.json() as { error: { code: number; message: string } }).error.message
}
