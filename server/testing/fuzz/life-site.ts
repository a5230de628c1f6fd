import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import type { AccountExport } from '../../../contract/account.ts'
import { PLACEHOLDER_COVER_HEADER } from '../../../contract/caches.ts'
import { findFfmpeg } from '../../conversion/ffmpeg.ts'
import type { DiscordPeer } from '../../discord/testing/discord-peer.ts'
import { openDiscordSite } from '../../discord/testing/discord-site.ts'
import { createSignedEvent, sendEvent, WEBHOOK_SECRET } from '../../payments/testing/signed-events.ts'
import { readTables } from '../../storage/testing/read-tables.ts'
import { findLeak } from './leaks.ts'
import {
  computeRoles,
  createEmail,
  createMessage,
  findOwnerName,
  isWebsiteShown,
  type LifeModel,
  type PersonName,
  personNames,
} from './life-model.ts'

export const FIRST_PASSWORD = 'the first Passphrase 83'
/** A program that copies the upload instead of converting it. */
const CONVERSION_PROGRAM = `const job = JSON.parse(process.argv[2]); require('node:fs').copyFileSync(job.inputFile, job.outputFile); console.log('done')`

/** Opens a site for random sequences of steps (`life-commands.ts`). If a check of a response finds a problem, it throws an error. */
export async function openLifeSite(peer: DiscordPeer, startMs: number) {
  const clock = { nowMs: startMs }
  const programPath = join(tmpdir(), `varispeed-copy-${process.pid}.cjs`)
  writeFileSync(programPath, CONVERSION_PROGRAM)
  const site = await openDiscordSite(
    peer,
    {
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      MAIL_TO: 'team@people.example',
      RATE_LIMIT_SIGNUP: '1000000',
      SITE_HOSTS: '127.0.0.1,localhost,slowedreverb.localhost',
    },
    { nowMs: () => clock.nowMs, conversionProgram: { mainFile: programPath, wasmKernelPath: '' } },
  )
  const hasFfmpeg = (await findFfmpeg(process.env.PATH ?? '')) !== undefined
  const bannerBytes = await sharp({ create: { width: 64, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const nameBySecret = new Map([
    ['the webhook secret', WEBHOOK_SECRET],
    ['a password', FIRST_PASSWORD],
    ['the data folder', site.dataDir],
  ])
  const nameByUid = new Map<string, PersonName>()
  let requestCount = 0

  /** Sends a request, as a person or anonymously, and checks that the response contains nothing forbidden. */
  async function sendRequest(request: InjectOptions, name: PersonName | undefined, isLogin = false): Promise<LightMyRequestResponse> {
    requestCount++
    const remoteAddress = `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`
    const response = await site.app.inject({ remoteAddress, ...request })
    const { statusCode, body, headers } = response
    const requestText = `${request.method ?? 'GET'} ${String(request.url)} of ${name ?? 'nobody'}: ${statusCode} ${body.slice(0, 300)}`
    if (statusCode >= 500 && !(statusCode === 503 && headers['retry-after'] !== undefined)) throw new Error(requestText)
    const otherUids = [...nameByUid]
      .filter(([, owner]) => owner !== name)
      .flatMap(([uid, owner]) => [[`the uid of ${owner}`, uid] as const, [`the address of ${owner}`, createEmail(owner)] as const])
    const leak = findLeak(`${JSON.stringify(headers)}\n${body}`, new Map([...(isLogin ? [] : nameBySecret), ...otherUids]))
    if (leak !== undefined) throw new Error(`The answer has ${leak}. ${requestText}`)
    return response
  }

  const postJson = (url: string, payload: object, name?: PersonName, token?: string) =>
    sendRequest({ method: 'POST', url, payload, ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) }, name)

  async function callIdentity(identityAction: string, requestBody: object, name: PersonName) {
    const isLogin = /signUp|signIn|update/.test(identityAction)
    const response = await sendRequest(
      { method: 'POST', url: `/identitytoolkit.googleapis.com/v1/accounts:${identityAction}?key=any`, payload: requestBody },
      name,
      isLogin,
    )
    const body = response.json()
    for (const field of ['idToken', 'refreshToken'])
      if (typeof body[field] === 'string') nameBySecret.set(`the ${field} ${body[field].slice(-8)}`, body[field])
    return { status: response.statusCode, body }
  }

  /** Signs a person in, if the model says that this is possible. Returns a token that is valid for minutes. */
  async function requireToken(model: LifeModel, name: PersonName): Promise<string | undefined> {
    const modelAccount = model.accounts.get(name)
    if (modelAccount === undefined) return undefined
    if (modelAccount.login !== undefined && modelAccount.login.untilMs > model.nowMs) return modelAccount.login.idToken
    const { status, body } = await callIdentity(
      'signInWithPassword',
      { email: createEmail(name), password: modelAccount.password, returnSecureToken: true },
      name,
    )
    if (modelAccount.isDisabled) {
      if (status === 200) throw new Error(`${name} is disabled and could log in`)
      return undefined
    }
    if (status !== 200) throw new Error(`${name} could not log in: ${JSON.stringify(body)}`)
    modelAccount.login = { idToken: body.idToken, refreshToken: body.refreshToken, untilMs: model.nowMs + 50 * 60_000 }
    return modelAccount.login.idToken
  }

  /** Calls an endpoint as a person, or anonymously if the person has no account. */
  async function callApi(model: LifeModel, name: PersonName, httpMethod: 'GET' | 'POST', urlPath: string, requestBody?: object) {
    const token = await requireToken(model, name)
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const requestApi = () =>
      sendRequest({ method: httpMethod, url: `/api${urlPath}`, headers, ...(requestBody && { payload: requestBody }) }, name)
    let response = await requestApi()
    // If the list changed while it was read, it must be requested again.
    for (let tries = 0; httpMethod === 'GET' && response.statusCode === 503 && tries < 10; tries++) response = await requestApi()
    return response.json() as { code: number; message: string; data: never }
  }

  /** Uploads a file to an endpoint. */
  async function uploadFile(
    model: LifeModel,
    name: PersonName,
    urlPath: string,
    fileContent: Buffer | undefined,
    fileName: string,
    formFields: Record<string, string> = {},
  ) {
    const form = new FormData()
    for (const [key, value] of Object.entries(formFields)) form.append(key, value)
    if (fileContent !== undefined) form.append('file', new Blob([new Uint8Array(fileContent)]), fileName)
    const body = new Response(form)
    const token = await requireToken(model, name)
    const headers = {
      'content-type': body.headers.get('content-type') ?? '',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    return (
      await sendRequest({ method: 'POST', url: `/api${urlPath}`, headers, payload: Buffer.from(await body.arrayBuffer()) }, name)
    ).json() as {
      code: number
      data: string
    }
  }

  let eventCount = 0
  async function sendPaymentEvent(eventType: string, eventObject: Record<string, unknown>, createdMs: number): Promise<void> {
    const event = { id: `evt_${++eventCount}`, type: eventType, created: Math.floor(createdMs / 1000), object: eventObject }
    const status = await sendEvent(site, createSignedEvent(event, { nowMs: clock.nowMs }))
    if (status !== 200) throw new Error(`the event ${eventType} was answered with ${status}`)
  }

  const outboxPath = join(site.dataDir, 'outbox')
  const listMails = () => {
    try {
      return readdirSync(outboxPath)
        .filter((file) => file.endsWith('.eml'))
        .sort()
    } catch {
      return []
    }
  }
  /**
   * Calls `requestMail`, which makes the site write a mail to `name`. Returns the code in the mail, or undefined if no mail is written within
   * two seconds.
   */
  async function readMailedCode(name: PersonName, requestMail: () => Promise<unknown>): Promise<string | undefined> {
    const mailsBefore = new Set(listMails())
    await requestMail()
    for (let attemptIndex = 0; attemptIndex < 100; attemptIndex++) {
      for (const mailFile of listMails().filter((each) => !mailsBefore.has(each))) {
        const mailText = readFileSync(join(outboxPath, mailFile), 'utf8').replace(/=\r\n/g, '').replaceAll('=3D', '=')
        // The mail of an earlier request may be written late. It is addressed to another person, or contains no code.
        const code = mailText.includes(createEmail(name)) ? /oobCode=([\w-]+)/.exec(mailText)?.[1] : undefined
        if (code !== undefined) return code
      }
      await sleep(20)
    }
    return undefined
  }

  /** Waits until no mail is being written, because the jump of the clock would let the sending process's claim of the mail expire. */
  async function waitForMails(): Promise<void> {
    for (let waits = 0; waits < 200; waits++) {
      if ((readTables(site.dataDir).get('mails') ?? []).every(({ sent, failure }) => sent !== null || failure !== null)) return
      await sleep(10)
    }
  }

  async function checkPerson(model: LifeModel, name: PersonName): Promise<void> {
    const modelAccount = model.accounts.get(name)
    const { code, data } = await callApi(model, name, 'GET', '/account/getinfo')
    if (modelAccount === undefined || modelAccount.isDisabled) {
      if (code !== 401 && code !== 403) throw new Error(`${name} has no usable account, and /account/getinfo answers ${code}`)
      return
    }
    const accountInfo = data as { email: string; roles: string[]; discord_id: string; website?: string }
    const websiteDomain = modelAccount.website?.domain
    const expectedInfo = {
      email: createEmail(name),
      roles: computeRoles(model, name),
      discord_id: modelAccount.discordId,
      website: websiteDomain,
    }
    const [shownDomainName] = accountInfo.website === undefined ? [] : new URL(accountInfo.website).hostname.split('.')
    const foundInfo = {
      email: accountInfo.email,
      roles: [...accountInfo.roles].sort(),
      discord_id: accountInfo.discord_id,
      website: shownDomainName,
    }
    if (JSON.stringify(foundInfo) !== JSON.stringify(expectedInfo))
      throw new Error(`${name} is ${JSON.stringify(foundInfo)}, not ${JSON.stringify(expectedInfo)}`)
    const favoriteIds = ((await callApi(model, name, 'GET', '/favorite/getall')).data as { youtube_id: string }[]).map(
      ({ youtube_id }) => youtube_id,
    )
    if (favoriteIds.sort().join() !== [...modelAccount.favorites].sort().join())
      throw new Error(`the favorites of ${name} are ${favoriteIds.join()}, not ${[...modelAccount.favorites].join()}`)
    await checkExport(model, name)
  }

  /** Checks that the export of an account contains only its own rows. */
  async function checkExport(model: LifeModel, name: PersonName): Promise<void> {
    const modelAccount = model.accounts.get(name)
    const { code, data } = await callApi(model, name, 'GET', '/account/export')
    if (code !== 200) throw new Error(`/account/export answers ${name} with ${code}`)
    const { uid, messages, favorites, ...otherData } = data as AccountExport
    const expectedExport = [modelAccount?.uid, modelAccount?.website?.domain, modelAccount?.discordId, modelAccount?.favorites.size]
    const foundExport = [uid, otherData.website?.domain_name, otherData.discord?.id ?? '', favorites.length]
    if (JSON.stringify(foundExport) !== JSON.stringify(expectedExport))
      throw new Error(`the export of ${name} has ${JSON.stringify(foundExport)}, not ${JSON.stringify(expectedExport)}`)
    const foreign = messages.find(({ message }) => message !== createMessage(name))
    if (foreign !== undefined) throw new Error(`the export of ${name} has the message '${foreign.message}'`)
  }

  /** Checks that the list of websites contains exactly those that are shown. */
  async function checkWebsiteList(model: LifeModel): Promise<void> {
    const listedSites = (await sendRequest({ url: '/api/subscriber/getsubscriberssite' }, undefined)).json().data as {
      domain_name: string
    }[]
    const found = listedSites.map(({ domain_name }) => domain_name).filter((domain) => model.domains.has(domain))
    const expected = personNames.filter((name) => isWebsiteShown(model, name)).map((name) => model.accounts.get(name)?.website?.domain)
    if (found.sort().join() !== expected.sort().join()) throw new Error(`the list of websites has ${found.join()}, not ${expected.join()}`)
  }

  /** Checks that visitors of a domain name see the website and its banner if the website is shown, and otherwise neither of them. */
  async function checkDomain(model: LifeModel, domainName: string): Promise<void> {
    const ownerName = findOwnerName(model, domainName)
    const ownerWebsite = ownerName === undefined ? undefined : model.accounts.get(ownerName)?.website
    const isWebsiteVisible = ownerName !== undefined && isWebsiteShown(model, ownerName)
    const infoResponse = await sendRequest({ url: `/api/subscriber/getinfo?domain_name=${domainName}` }, undefined)
    if (infoResponse.statusCode !== (isWebsiteVisible ? 200 : 404))
      throw new Error(
        `the website ${domainName} is ${isWebsiteVisible ? '' : 'not '}to be seen, and /subscriber/getinfo answers ${infoResponse.statusCode}`,
      )
    const page = await sendRequest({ url: '/', headers: { host: `${domainName}.localhost` } }, undefined)
    const isCurrentDomain = ownerWebsite?.domain === domainName
    if ((page.statusCode === 200) !== (isWebsiteVisible && isCurrentDomain))
      throw new Error(`the page of ${domainName}.localhost answers ${page.statusCode}`)
    const picture = await sendRequest({ url: `/img/website/${domainName}/320` }, undefined)
    const isDrawn = picture.statusCode !== 200 || picture.headers[PLACEHOLDER_COVER_HEADER] !== undefined
    if (!isDrawn && !(isWebsiteVisible && ownerWebsite?.hasBanner === true)) throw new Error(`the banner of ${domainName} is shown`)
  }

  /** Checks that no row of any table names a deleted account. */
  function checkDeletedAccounts({ deletedUids }: LifeModel): void {
    if (deletedUids.size === 0) return
    for (const [tableName, tableRows] of readTables(site.dataDir))
      for (const tableRow of tableRows)
        for (const [column, value] of Object.entries(tableRow))
          for (const uid of deletedUids)
            if (typeof value === 'string' && value.includes(uid))
              throw new Error(`${tableName}.${column} has the uid of a deleted account: ${JSON.stringify(tableRow).slice(0, 300)}`)
  }

  function checkLog(): void {
    for (const logLine of site.takeLog()) {
      const { link: _link, err, ...logEntry } = JSON.parse(logLine)
      const leak = findLeak(JSON.stringify(logEntry), nameBySecret)
      if (leak !== undefined) throw new Error(`the log has ${leak}: ${logLine.slice(0, 500)}`)
      if (logEntry.level >= 50 && err?.type !== 'ApiError') throw new Error(`the log has an error: ${logLine.slice(0, 1000)}`)
    }
  }

  return {
    ...site,
    clock,
    banner: bannerBytes,
    hasFfmpeg,
    identity: callIdentity,
    tokenOf: requireToken,
    call: callApi,
    upload: uploadFile,
    send: sendRequest,
    post: postJson,
    pay: sendPaymentEvent,
    mailedCode: readMailedCode,
    keepSecret: (name: string, secret: string) => nameBySecret.set(name, secret),
    setDiscordPerson: (person: Record<string, unknown>) => {
      peer.person = person
    },
    noteAccount: (uid: string, name: PersonName) => nameByUid.set(uid, name),
    requestCount: () => requestCount,
    /** Compares everything that other people can see with the model. */
    async check(model: LifeModel): Promise<void> {
      for (const name of personNames) await checkPerson(model, name)
      for (const domain of model.domains.keys()) await checkDomain(model, domain)
      await checkWebsiteList(model)
      await waitForMails()
      checkDeletedAccounts(model)
      checkLog()
    },
  }
}
export type LifeSite = Awaited<ReturnType<typeof openLifeSite>>
