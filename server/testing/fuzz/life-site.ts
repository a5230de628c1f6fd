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
import { emailOf, isWebsiteShown, type Model, messageOf, ownerOf, type PersonName, personNames, rolesOf } from './life-model.ts'

export const FIRST_PASSWORD = 'the first Passphrase 83'
/** Copies the upload instead of converting it. */
const CONVERSION_PROGRAM = `const job = JSON.parse(process.argv[2]); require('node:fs').copyFileSync(job.inputFile, job.outputFile); console.log('done')`

/** Opens the site of the state machine. If it finds a problem, it throws an error. */
export async function openLifeSite(peer: DiscordPeer, startMs: number) {
  const clock = { nowMs: startMs }
  const program = join(tmpdir(), `varispeed-copy-${process.pid}.cjs`)
  writeFileSync(program, CONVERSION_PROGRAM)
  const site = await openDiscordSite(
    peer,
    {
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      MAIL_TO: 'team@people.example',
      RATE_LIMIT_SIGNUP: '1000000',
      SITE_HOSTS: '127.0.0.1,localhost,slowedreverb.localhost',
    },
    { nowMs: () => clock.nowMs, conversionProgram: { file: program, kernelFile: '' } },
  )
  const hasFfmpeg = (await findFfmpeg(process.env.PATH ?? '')) !== undefined
  const banner = await sharp({ create: { width: 64, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const secrets = new Map([
    ['the webhook secret', WEBHOOK_SECRET],
    ['a password', FIRST_PASSWORD],
    ['the data folder', site.dataDir],
  ])
  const uids = new Map<string, PersonName>()
  let requestCount = 0

  /** Sends a request, as a person or anonymously, and checks that the response contains nothing forbidden. */
  async function send(request: InjectOptions, name: PersonName | undefined, isLogin = false): Promise<LightMyRequestResponse> {
    requestCount++
    const remoteAddress = `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`
    const response = await site.app.inject({ remoteAddress, ...request })
    const { statusCode, body, headers } = response
    const requestText = `${request.method ?? 'GET'} ${String(request.url)} of ${name ?? 'nobody'}: ${statusCode} ${body.slice(0, 300)}`
    if (statusCode >= 500 && !(statusCode === 503 && headers['retry-after'] !== undefined)) throw new Error(requestText)
    const otherUids = [...uids]
      .filter(([, owner]) => owner !== name)
      .flatMap(([uid, owner]) => [[`the uid of ${owner}`, uid] as const, [`the address of ${owner}`, emailOf(owner)] as const])
    const leak = findLeak(`${JSON.stringify(headers)}\n${body}`, new Map([...(isLogin ? [] : secrets), ...otherUids]))
    if (leak !== undefined) throw new Error(`The answer has ${leak}. ${requestText}`)
    return response
  }

  const post = (url: string, payload: object, name?: PersonName, token?: string) =>
    send({ method: 'POST', url, payload, ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) }, name)

  async function callIdentity(action: string, payload: object, name: PersonName) {
    const isLogin = /signUp|signIn|update/.test(action)
    const response = await send(
      { method: 'POST', url: `/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`, payload },
      name,
      isLogin,
    )
    const body = response.json()
    for (const field of ['idToken', 'refreshToken'])
      if (typeof body[field] === 'string') secrets.set(`the ${field} ${body[field].slice(-8)}`, body[field])
    return { status: response.statusCode, body }
  }

  /** Signs a person in, if the model says that this is possible. Returns a token that is valid for minutes. */
  async function tokenOf(model: Model, name: PersonName): Promise<string | undefined> {
    const account = model.accounts.get(name)
    if (account === undefined) return undefined
    if (account.login !== undefined && account.login.untilMs > model.nowMs) return account.login.idToken
    const { status, body } = await callIdentity(
      'signInWithPassword',
      { email: emailOf(name), password: account.password, returnSecureToken: true },
      name,
    )
    if (account.isDisabled) {
      if (status === 200) throw new Error(`${name} is disabled and could log in`)
      return undefined
    }
    if (status !== 200) throw new Error(`${name} could not log in: ${JSON.stringify(body)}`)
    account.login = { idToken: body.idToken, refreshToken: body.refreshToken, untilMs: model.nowMs + 50 * 60_000 }
    return account.login.idToken
  }

  /** Calls an endpoint as a person, or anonymously if the person has no account. */
  async function call(model: Model, name: PersonName, method: 'GET' | 'POST', urlPath: string, payload?: object) {
    const token = await tokenOf(model, name)
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const requestApi = () => send({ method, url: `/api${urlPath}`, headers, ...(payload && { payload }) }, name)
    let response = await requestApi()
    // If the list changed while it was read, it must be requested again.
    for (let tries = 0; method === 'GET' && response.statusCode === 503 && tries < 10; tries++) response = await requestApi()
    return response.json() as { code: number; message: string; data: never }
  }

  /** Uploads a file to an endpoint. */
  async function upload(
    model: Model,
    name: PersonName,
    urlPath: string,
    file: Buffer | undefined,
    fileName: string,
    fields: Record<string, string> = {},
  ) {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, value)
    if (file !== undefined) form.append('file', new Blob([new Uint8Array(file)]), fileName)
    const body = new Response(form)
    const token = await tokenOf(model, name)
    const headers = {
      'content-type': body.headers.get('content-type') ?? '',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    return (
      await send({ method: 'POST', url: `/api${urlPath}`, headers, payload: Buffer.from(await body.arrayBuffer()) }, name)
    ).json() as {
      code: number
      data: string
    }
  }

  let eventCount = 0
  async function pay(type: string, object: Record<string, unknown>, createdMs: number): Promise<void> {
    const event = { id: `evt_${++eventCount}`, type, created: Math.floor(createdMs / 1000), object }
    const status = await sendEvent(site, createSignedEvent(event, { nowMs: clock.nowMs }))
    if (status !== 200) throw new Error(`the event ${type} was answered with ${status}`)
  }

  const outbox = join(site.dataDir, 'outbox')
  const listMails = () => {
    try {
      return readdirSync(outbox)
        .filter((file) => file.endsWith('.eml'))
        .sort()
    } catch {
      return []
    }
  }
  /**
   * Calls `request`, which makes the site write a mail to `name`. Returns the code in the mail, or undefined if no mail is written within
   * two seconds.
   */
  async function mailedCode(name: PersonName, request: () => Promise<unknown>): Promise<string | undefined> {
    const mailsBefore = new Set(listMails())
    await request()
    for (let attempt = 0; attempt < 100; attempt++) {
      for (const file of listMails().filter((each) => !mailsBefore.has(each))) {
        const text = readFileSync(join(outbox, file), 'utf8').replace(/=\r\n/g, '').replaceAll('=3D', '=')
        // The mail of an earlier request may be written late. It is addressed to another person, or contains no code.
        const code = text.includes(emailOf(name)) ? /oobCode=([\w-]+)/.exec(text)?.[1] : undefined
        if (code !== undefined) return code
      }
      await sleep(20)
    }
    return undefined
  }

  /** Waits until no mail is being written, because the jump of the clock would let the sending process's claim of the mail expire. */
  async function settleMails(): Promise<void> {
    for (let waits = 0; waits < 200; waits++) {
      if ((readTables(site.dataDir).get('mails') ?? []).every(({ sent, failure }) => sent !== null || failure !== null)) return
      await sleep(10)
    }
  }

  async function checkPerson(model: Model, name: PersonName): Promise<void> {
    const account = model.accounts.get(name)
    const { code, data } = await call(model, name, 'GET', '/account/getinfo')
    if (account === undefined || account.isDisabled) {
      if (code !== 401 && code !== 403) throw new Error(`${name} has no usable account, and /account/getinfo answers ${code}`)
      return
    }
    const info = data as { email: string; roles: string[]; discord_id: string; website?: string }
    const website = account.website?.domain
    const expectedInfo = { email: emailOf(name), roles: rolesOf(model, name), discord_id: account.discordId, website }
    const [shownWebsite] = info.website === undefined ? [] : new URL(info.website).hostname.split('.')
    const foundInfo = { email: info.email, roles: [...info.roles].sort(), discord_id: info.discord_id, website: shownWebsite }
    if (JSON.stringify(foundInfo) !== JSON.stringify(expectedInfo))
      throw new Error(`${name} is ${JSON.stringify(foundInfo)}, not ${JSON.stringify(expectedInfo)}`)
    const favorites = ((await call(model, name, 'GET', '/favorite/getall')).data as { youtube_id: string }[]).map(
      ({ youtube_id }) => youtube_id,
    )
    if (favorites.sort().join() !== [...account.favorites].sort().join())
      throw new Error(`the favorites of ${name} are ${favorites.join()}, not ${[...account.favorites].join()}`)
    await checkExport(model, name)
  }

  /** Checks that the export of an account contains only its own rows. */
  async function checkExport(model: Model, name: PersonName): Promise<void> {
    const account = model.accounts.get(name)
    const { code, data } = await call(model, name, 'GET', '/account/export')
    if (code !== 200) throw new Error(`/account/export answers ${name} with ${code}`)
    const { uid, messages, favorites, ...otherData } = data as AccountExport
    const expectedExport = [account?.uid, account?.website?.domain, account?.discordId, account?.favorites.size]
    const foundExport = [uid, otherData.website?.domain_name, otherData.discord?.id ?? '', favorites.length]
    if (JSON.stringify(foundExport) !== JSON.stringify(expectedExport))
      throw new Error(`the export of ${name} has ${JSON.stringify(foundExport)}, not ${JSON.stringify(expectedExport)}`)
    const foreign = messages.find(({ message }) => message !== messageOf(name))
    if (foreign !== undefined) throw new Error(`the export of ${name} has the message '${foreign.message}'`)
  }

  /** Checks that the list of websites contains exactly those that are shown. */
  async function checkList(model: Model): Promise<void> {
    const listedSites = (await send({ url: '/api/subscriber/getsubscriberssite' }, undefined)).json().data as { domain_name: string }[]
    const found = listedSites.map(({ domain_name }) => domain_name).filter((domain) => model.domains.has(domain))
    const expected = personNames.filter((name) => isWebsiteShown(model, name)).map((name) => model.accounts.get(name)?.website?.domain)
    if (found.sort().join() !== expected.sort().join()) throw new Error(`the list of websites has ${found.join()}, not ${expected.join()}`)
  }

  /** Checks that visitors of a domain name see the website and its banner if the website is shown, and otherwise neither of them. */
  async function checkDomain(model: Model, domain: string): Promise<void> {
    const owner = ownerOf(model, domain)
    const website = owner === undefined ? undefined : model.accounts.get(owner)?.website
    const isVisible = owner !== undefined && isWebsiteShown(model, owner)
    const info = await send({ url: `/api/subscriber/getinfo?domain_name=${domain}` }, undefined)
    if (info.statusCode !== (isVisible ? 200 : 404))
      throw new Error(`the website ${domain} is ${isVisible ? '' : 'not '}to be seen, and /subscriber/getinfo answers ${info.statusCode}`)
    const page = await send({ url: '/', headers: { host: `${domain}.localhost` } }, undefined)
    const isCurrent = website?.domain === domain
    if ((page.statusCode === 200) !== (isVisible && isCurrent))
      throw new Error(`the page of ${domain}.localhost answers ${page.statusCode}`)
    const picture = await send({ url: `/img/website/${domain}/320` }, undefined)
    const isDrawn = picture.statusCode !== 200 || picture.headers[PLACEHOLDER_COVER_HEADER] !== undefined
    if (!isDrawn && !(isVisible && website?.hasBanner === true)) throw new Error(`the banner of ${domain} is shown`)
  }

  /** Checks that no row of any table names a deleted account. */
  function checkDeleted({ deletedUids }: Model): void {
    if (deletedUids.size === 0) return
    for (const [table, rows] of readTables(site.dataDir))
      for (const row of rows)
        for (const [column, value] of Object.entries(row))
          for (const uid of deletedUids)
            if (typeof value === 'string' && value.includes(uid))
              throw new Error(`${table}.${column} has the uid of a deleted account: ${JSON.stringify(row).slice(0, 300)}`)
  }

  function checkLog(): void {
    for (const line of site.takeLog()) {
      const { link: _link, err, ...entry } = JSON.parse(line)
      const leak = findLeak(JSON.stringify(entry), secrets)
      if (leak !== undefined) throw new Error(`the log has ${leak}: ${line.slice(0, 500)}`)
      if (entry.level >= 50 && err?.type !== 'ApiError') throw new Error(`the log has an error: ${line.slice(0, 1000)}`)
    }
  }

  return {
    ...site,
    clock,
    banner,
    hasFfmpeg,
    identity: callIdentity,
    tokenOf,
    call,
    upload,
    send,
    post,
    pay,
    mailedCode,
    keepSecret: (name: string, secret: string) => secrets.set(name, secret),
    setDiscordPerson: (person: Record<string, unknown>) => {
      peer.person = person
    },
    noteAccount: (uid: string, name: PersonName) => uids.set(uid, name),
    requestCount: () => requestCount,
    /** Compares everything that other people can see with the model. */
    async check(model: Model): Promise<void> {
      for (const name of personNames) await checkPerson(model, name)
      for (const domain of model.domains.keys()) await checkDomain(model, domain)
      await checkList(model)
      await settleMails()
      checkDeleted(model)
      checkLog()
    },
  }
}
export type LifeSite = Awaited<ReturnType<typeof openLifeSite>>
