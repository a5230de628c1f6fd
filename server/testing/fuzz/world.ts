import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { decodeJwt } from 'jose'
import { HOUR_MS } from '../../durations.ts'
import { createSdkCalls } from '../../identity/testing/sdk-calls.ts'
import { WEBHOOK_SECRET } from '../../payments/testing/signed-events.ts'
import { createVapidPrivateKey } from '../../push/web-push.ts'
import { readTables } from '../../storage/testing/read-tables.ts'
import { createTestApp } from '../../test-app.ts'
import { readMainThreadCpuMs } from '../main-thread-cpu.ts'
import { findLeak } from './leaks.ts'
import { type CallerKind, callerKinds } from './requests.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
/** The most processor time that a request may use on the main thread, in milliseconds. */
export const CPU_MAX_MS = 100
const PASSWORD = 'a long Passphrase 7431'
const DISCORD_SECRET = 'discord-client-secret-5102'

const MALFORMED_TOKENS = ['x', 'eyJhbGciOiJub25lIn0.e30.', 'a.b.c', '\u00e9', 'eyJ'.repeat(3000), '..']
const createEmail = (caller: CallerKind) => `${caller.replace(' ', '-')}@people.example`
/** A text that is in every private row of a caller. No other caller may see it. */
const createPrivateText = (caller: CallerKind) => `private-text-of-${caller.replace(' ', '-')}`
/** A completed conversion of the caller `subscriber`. */
export const CONVERSION_ID = '5b1f0a58-9d0c-4a61-8f0e-3d6f6f0b7c11'
/** The id of the own playlist of each caller. The playlist of the caller `stranger` is shared. */
export const OWN_PLAYLIST_ID = '7d2f8c1e-3b6a-4e59-9c0d-2a4b6c8d0e1f'

interface FuzzPerson {
  uid: string
  idToken: string
  refreshToken: string
}

export interface FuzzResponse {
  response: LightMyRequestResponse
  /** The processor time that the main thread used, in milliseconds. */
  cpuMs: number
}

/** A site with an account of each kind of caller. The test can advance its clock. */
export async function openFuzzSite() {
  const clock = { nowMs: START_MS }
  const siteEnvironment = {
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    VAPID_PRIVATE_KEY: createVapidPrivateKey(),
    DISCORD_CLIENT_ID: '1234567890',
    DISCORD_CLIENT_SECRET: DISCORD_SECRET,
    DISCORD_API_BASE: 'http://127.0.0.1:9',
    MAIL_TO: 'team@people.example',
    // The limit for the number of calls is raised, so that the test reaches the limits of stored rows.
    RATE_LIMIT_SIGNUP: '1000000',
    RATE_LIMIT_WRITES: '1000000',
  }
  const programPath = join(tmpdir(), `varispeed-fuzz-${process.pid}.cjs`)
  writeFileSync(programPath, "console.log('failed')")
  const conversionProgram = { mainFile: programPath, wasmKernelPath: '' }
  const site = await createTestApp(siteEnvironment, { nowMs: () => clock.nowMs, conversionProgram })
  await site.storage.settings.set('CHECKOUT_PREMIUM', 'https://buy.example/premium')
  const personByCaller = new Map<CallerKind, FuzzPerson>()
  let sharedToken = ''
  /** Texts that neither a response nor a line of the log may contain. */
  const nameBySecret = new Map([
    ['the webhook secret', WEBHOOK_SECRET],
    ['the Discord secret', DISCORD_SECRET],
    ['a password', PASSWORD],
    ['the data folder', site.dataDir],
    ['the project folder', process.cwd()],
  ])

  async function logIn(caller: CallerKind): Promise<void> {
    const sdkCalls = createSdkCalls(site)
    const callOptions = { ipAddress: `10.0.${personByCaller.size}.${callerKinds.indexOf(caller)}` }
    let response = await sdkCalls.signIn(createEmail(caller), PASSWORD, callOptions)
    const isNewAccount = response.statusCode !== 200
    if (isNewAccount) response = await sdkCalls.signUp(createEmail(caller), PASSWORD, callOptions)
    const { localId: uid, idToken, refreshToken } = response.json()
    personByCaller.set(caller, { uid, idToken, refreshToken })
    nameBySecret.set(`the identity token of ${caller}`, idToken)
    nameBySecret.set(`the refresh token of ${caller}`, refreshToken)
    if (isNewAccount) await provideAccountData(caller, uid, idToken)
    await site.storage.favorites.set(uid, 'AAAAAAAAAA1', true, clock.nowMs)
    await restorePlaylist(caller, uid)
  }

  /** Creates the playlist of an account, or restores it if an earlier call has deleted it. Shares the playlist of `stranger`. */
  async function restorePlaylist(caller: CallerKind, uid: string): Promise<void> {
    const { ownPlaylists } = site.storage
    const nowText = new Date(clock.nowMs).toISOString()
    const playlistTitle = caller === 'stranger' ? 'Shared' : createPrivateText(caller)
    const playlistChange = {
      id: randomUUID(),
      l: OWN_PLAYLIST_ID,
      at: nowText,
      device: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
      title: playlistTitle,
      deleted: false,
    }
    await ownPlaylists.sync(uid, { changes: [playlistChange] }, clock.nowMs, { newSinceMs: 0 })
    if (caller !== 'stranger') return
    const outcome = await ownPlaylists.share(uid, OWN_PLAYLIST_ID, true, false)
    if (typeof outcome !== 'string') sharedToken = outcome.token
  }

  /** Gives a new account private rows, and the role and data of its kind of caller. */
  async function provideAccountData(caller: CallerKind, uid: string, idToken: string): Promise<void> {
    const { storage } = site
    const privateText = createPrivateText(caller)
    const { nowMs } = clock
    await storage.makeHistory.add(uid, { id: randomUUID(), file_name: privateText, file_size: 1, speed: 1, pitch: 0, createdMs: nowMs })
    await storage.contacts.add({ topic: 'other', message: privateText, brandId: 'nightcore-meridian', atMs: nowMs, uid })
    const linkAttempt = { tokenHash: privateText, browserHash: privateText, returnUrl: '/account', expiresMs: nowMs + HOUR_MS, atMs: nowMs }
    await storage.discord.startLink({ uid, ...linkAttempt })
    await storage.discord.takeAttempt(privateText, nowMs)
    await storage.discord.completeLink(privateText, { id: privateText, name: privateText }, nowMs)
    if (caller !== 'subscriber' && caller !== 'stranger') return
    await storage.roles.grant(createEmail(caller), { role: 'subscriber', source: 'admin', untilMs: undefined })
    await storage.conversions.add(
      {
        id: caller === 'subscriber' ? CONVERSION_ID : randomUUID(),
        ...{ uid, state: 'done', file_name: privateText, upload_bytes: 1, file_bytes: 1, demuxer: 'wav', rate: 1.25, format: 'wav' },
        ...{ message: '', secret: 'conversion-secret-9127', created: clock.nowMs },
      },
      100,
      0,
    )
    const headers = { authorization: `Bearer ${idToken}` }
    if (caller === 'stranger') {
      await site.app.inject({ method: 'POST', url: '/api/website/activate', headers, payload: { domain_name: caller } })
      const hidden = { domain_name: caller, name: privateText, enabled: 'no' }
      await site.app.inject({ method: 'POST', url: '/api/website/save', headers, payload: hidden })
    }
    nameBySecret.set('the secret of a conversion', 'conversion-secret-9127')
  }

  /** Logs all callers in again, and creates deleted accounts again. */
  async function restorePeople(): Promise<void> {
    for (const caller of ['user', 'subscriber', 'stranger'] as const) await logIn(caller)
  }

  await logIn('expired')
  clock.nowMs += 2 * HOUR_MS
  await logIn('disabled')
  await site.storage.accounts.setDisabled(personByCaller.get('disabled')?.uid ?? '', true)
  await logIn('signed out')
  await site.app.inject({
    method: 'POST',
    url: '/api/account/sign_out',
    payload: { refresh_token: personByCaller.get('signed out')?.refreshToken },
  })
  await restorePeople()
  for (const { password_hash } of readTables(site.dataDir).get('accounts') ?? [])
    nameBySecret.set('a password hash', String(password_hash).split('$').at(-1) ?? '')

  async function sendRequest(request: InjectOptions): Promise<FuzzResponse> {
    const startMs = readMainThreadCpuMs()
    const response = await site.app.inject(request)
    return { response, cpuMs: readMainThreadCpuMs() - startMs }
  }

  /** Describes the private data of other callers that a response discloses, unless the request contained the data; undefined if it discloses none. */
  function findResponseLeak(
    { headers, body }: LightMyRequestResponse,
    caller: CallerKind,
    { payload, url }: InjectOptions,
  ): string | undefined {
    const otherPeople = [...personByCaller].filter(([each]) => each !== caller)
    const personalSecrets = otherPeople.flatMap(([otherCaller, { uid, idToken }]) => [
      [`the uid of ${otherCaller}`, uid] as const,
      [`the address of ${otherCaller}`, createEmail(otherCaller)] as const,
      [`a private text of ${otherCaller}`, createPrivateText(otherCaller)] as const,
      [`a login of ${otherCaller}`, String(decodeJwt(idToken).sid)] as const,
    ])
    const asked = `${String(url)} ${String(payload)}`
    const notAsked = personalSecrets.filter(([, text]) => !asked.includes(text))
    return findLeak(`${JSON.stringify(headers)}\n${body}`, new Map([...nameBySecret, ...notAsked]))
  }

  return {
    site,
    clock,
    send: sendRequest,
    restore: restorePeople,
    leakOf: findResponseLeak,
    /** Returns the id of a login of `user` that the test does not use. */
    async spareLoginId(): Promise<string> {
      await logIn('user')
      const { uid = '', idToken = '' } = personByCaller.get('user') ?? {}
      const spare = (await site.storage.logins.listOf(uid)).find(({ loginId }) => loginId !== decodeJwt(idToken).sid)
      return spare?.loginId ?? ''
    },
    /** Returns the token of the shared playlist of `stranger`. */
    sharedToken: () => sharedToken,
    tokenOf(caller: CallerKind, index: number): string | undefined {
      if (caller === 'nobody') return undefined
      return caller === 'malformed' ? MALFORMED_TOKENS[index % MALFORMED_TOKENS.length] : personByCaller.get(caller)?.idToken
    },
    /** Describes the problems of the lines that the server has logged since the last call. */
    takeLogProblems(): string[] {
      return site.takeLog().flatMap((logLine) => {
        // Log lines may contain secrets: without SMTP, the links of mails are logged. The stacks of errors are logged, too.
        const { link: _link, err, ...logEntry } = JSON.parse(logLine)
        const leakText = findLeak(JSON.stringify(logEntry), nameBySecret)
        if (leakText !== undefined) return [`the log has ${leakText}: ${logLine.slice(0, 500)}`]
        // A refusal with 503 is logged as an error as well.
        return logEntry.level >= 50 && err?.type !== 'ApiError'
          ? [`the log has an error: ${logLine.slice(0, 1500)} ${err === undefined ? '' : err.message}`]
          : []
      })
    },
    close: () => site.close(),
  }
}
export type FuzzSite = Awaited<ReturnType<typeof openFuzzSite>>

/** Returns the total size of all files in a folder, in bytes. */
export function measureFolderBytes(folderPath: string): number {
  return readdirSync(folderPath, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  )
}

/** Returns a seed that depends on all parts. */
export const computeSeed = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join(' ')).digest().readInt32LE(0)
