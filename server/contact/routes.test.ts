import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const completeForm = {
  topic: 'other',
  email: 'a@example.com',
  discord: 'a',
  message: 'Hello',
  remember: 'No',
  youtube_url: 'https://www.youtube.com/@a',
}

let site: TestApp
async function openSite(environment: Record<string, string> = {}) {
  site = await createTestApp(environment, { nowMs: () => NOW_MS })
}
const sendForm = (fields: Record<string, string>, remoteAddress = '10.0.0.1') =>
  site.app.inject({ method: 'POST', url: '/api/contact/request', payload: fields, remoteAddress })
const listStoredMessages = () => site.storage.contacts.list({ limit: 100, offset: 0 })

afterEach(() => site.close())

describe('POST /contact/request', () => {
  it('contact: a form, a multipart body and JSON are stored alike, with the brand of the host', async () => {
    await openSite()
    const url = '/api/contact/request'
    const hostHeader = 'slowedreverb.localhost:8080'
    const formBody = new URLSearchParams(completeForm).toString()
    const multipartBody = Object.entries(completeForm).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const invalidBodies = [
      { payload: formBody, type: 'application/x-www-form-urlencoded' },
      { payload: `${multipartBody.join('')}--b--\r\n`, type: 'multipart/form-data; boundary=b' },
      { payload: JSON.stringify(completeForm), type: 'application/json' },
    ]
    for (const { payload, type } of invalidBodies) {
      const response = await site.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type, host: hostHeader } })
      expect(response.json()).toEqual({ code: 200, message: 'OK', data: null })
    }
    const storedMessages = await listStoredMessages()
    expect(storedMessages).toHaveLength(3)
    for (const row of storedMessages)
      expect(row).toMatchObject({ ...completeForm, brand: 'slowed-reverb-meridian', created: '2026-06-01T12:00:00.000Z' })
  })

  it('contact: each lone surrogate of a message is stored as one character, so that the longest message stays within its limit', async () => {
    await openSite()
    const requestBody = JSON.stringify({ ...completeForm, message: '\ud800'.repeat(10_000) })
    const headers = { 'content-type': 'application/json' }
    const response = await site.app.inject({ method: 'POST', url: '/api/contact/request', payload: requestBody, headers })
    expect(response.json().code).toBe(200)
    expect((await listStoredMessages())[0]?.message).toBe('\ufffd'.repeat(10_000))
  })

  it('contact: a repeated message is stored once', async () => {
    await openSite()
    const change_id = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
    for (const message of ['Hello', 'Hello', 'Other'])
      expect((await sendForm({ ...completeForm, message, change_id })).json().code).toBe(200)
    expect((await sendForm({ ...completeForm, change_id: change_id.toUpperCase() })).json().code).toBe(200)
    expect((await sendForm({ ...completeForm, change_id: '7' })).json().message).toBe('change_id has the wrong format')
    expect((await listStoredMessages()).map(({ message }) => message)).toEqual(['Hello'])
    expect((await listStoredMessages())[0]).not.toHaveProperty('change_id')
    for (let sentCount = 0; sentCount < 2; sentCount++) await sendForm(completeForm)
    expect(await listStoredMessages()).toHaveLength(3)
  })

  it('contact: the fields of the topic are required', async () => {
    await openSite({ RATE_LIMIT_CONTACT: '100' })
    const refusedForms: [Record<string, string>, string][] = [
      [{ ...completeForm, email: '' }, 'email is required'],
      [{ ...completeForm, email: 'nobody' }, 'email must'],
      [{ ...completeForm, email: 'a@b' }, 'email must'],
      [{ ...completeForm, email: 'a\u200b@example.com' }, 'email must'],
      [{ ...completeForm, discord: ' ' }, 'discord is required'],
      [{ ...completeForm, discord: 'a\u202Eb' }, 'discord must not contain hidden characters'],
      [{ ...completeForm, youtube_url: '' }, 'youtube_url is required'],
      [{ ...completeForm, topic: 'advertisement', youtube_url: '' }, 'youtube_url is required'],
      [{ ...completeForm, youtube_url: 'javascript:alert(1)' }, 'youtube_url must'],
      [{ ...completeForm, message: '' }, 'message is required'],
      [{ ...completeForm, topic: 'request-song' }, 'remember must be Yes'],
      [{ ...completeForm, topic: 'advertising' }, 'topic must be one of'],
      [{ topic: 'song-report', message: ' ' }, 'message is required'],
      [{ topic: 'song-report', message: 'x', email: 'nobody' }, 'email must'],
      [{ ...completeForm, honeypot: 'buy' }, 'honeypot'],
      [{ ...completeForm, open_ms: 'long' }, 'open_ms'],
      [{ ...completeForm, open_ms: '500' }, 'open_ms'],
      [{ ...completeForm, open_ms: '-5000' }, 'open_ms'],
    ]
    for (const [fields, message] of refusedForms) {
      const response = await sendForm(fields)
      expect([response.statusCode, response.json().message]).toEqual([400, expect.stringContaining(message)])
    }
    expect(await listStoredMessages()).toHaveLength(0)
    const acceptedForms: Record<string, string>[] = [
      { ...completeForm, topic: 'request-song', remember: 'Yes', message: '' },
      { topic: 'song-report', message: 'AAAAAAAAAA1: wrong title' },
      { ...completeForm, honeypot: '', open_ms: '5000' },
      // A form that a device stored offline for a year.
      { ...completeForm, open_ms: '31536000000' },
    ]
    for (const fields of acceptedForms) expect((await sendForm(fields)).json().code).toBe(200)
    expect(await listStoredMessages()).toHaveLength(acceptedForms.length)
  })

  it("contact: the list of artwork requests has only the caller's own artwork requests, newest first, and no other messages", async () => {
    await openSite()
    const tokenByName = new Map<string, string>()
    for (const name of ['ann', 'bob']) {
      tokenByName.set(name, (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken)
      await site.storage.roles.grant(`${name}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
    }
    await site.storage.settings.set('ARTWORK', 'true', undefined)
    const createAuthHeaders = (name: string) => ({ authorization: `Bearer ${tokenByName.get(name)}` })
    const sendRequest = (name: string, payload: Record<string, string>) =>
      site.app.inject({ method: 'POST', url: '/api/contact/request', payload, headers: createAuthHeaders(name) })
    await sendRequest('ann', { topic: 'artwork-request', message: 'A banner' })
    await sendRequest('ann', completeForm)
    await sendRequest('ann', { topic: 'artwork-request', message: 'A portrait' })
    const listArtworkMessages = async (personName: string) =>
      (await site.app.inject({ url: '/api/contact/artwork', headers: createAuthHeaders(personName) }))
        .json()
        .data.map(({ message }: { message: string }) => message)
    expect(await listArtworkMessages('ann')).toEqual(['A portrait', 'A banner'])
    expect(await listArtworkMessages('bob')).toEqual([])
    const artworkAccount = { brandId: 'nightcore-meridian', uid: 'cem', topic: 'artwork-request' as const }
    for (let index = 0; index < 3; index++)
      await site.storage.contacts.add({ ...artworkAccount, message: `Frame ${index}`, atMs: index + 1 })
    const newest = await site.storage.contacts.listOf({ uid: 'cem', verifiedEmail: undefined }, { topic: 'artwork-request', limit: 2 })
    expect(newest.map(({ message }) => message)).toEqual(['Frame 2', 'Frame 1'])
  })

  it('contact: only subscribers can request artwork; the mail has the email address of the account', async () => {
    await openSite({ MAIL_TO: 'team@example.org' })
    const sendContact = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const payload = { topic: 'artwork-request', message: 'A banner', youtube_url: 'https://youtube.com/@a', email: 'x@example.org' }
      return (await site.app.inject({ method: 'POST', url: '/api/contact/request', payload, headers })).json()
    }
    expect(await sendContact()).toMatchObject({ code: 401 })
    const idToken = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken
    expect(await sendContact(idToken)).toEqual({ code: 403, message: CONTENT_LOCKED_MESSAGE, data: null })
    expect(await listStoredMessages()).toHaveLength(0)
    await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
    expect(await sendContact(idToken)).toMatchObject({ code: 200 })
    await vi.waitFor(async () => expect(await listStoredMessages()).toMatchObject([{ email: 'ann@example.com', mail: { kind: 'sent' } }]), {
      timeout: 30_000,
    })
    const outboxFolder = join(site.dataDir, 'outbox')
    const mailTexts = await Promise.all((await readdir(outboxFolder)).map((name) => readFile(join(outboxFolder, name), 'utf8')))
    const teamMailText = mailTexts.find((mail) => mail.includes('team@example.org'))
    expect(teamMailText).toMatch(/^Reply-To: ann@example\.com\r$/m)
    expect(teamMailText).toContain('A banner')
    await site.storage.settings.set('ARTWORK', 'false', undefined)
    await vi.waitFor(async () => expect(await sendContact(idToken)).toMatchObject({ code: 400, message: 'Artwork requests are closed.' }))
  })

  it('contact: 30 messages an hour are accepted from one IP address', async () => {
    await openSite()
    for (let sentCount = 0; sentCount < 30; sentCount++) expect((await sendForm(completeForm)).statusCode).toBe(200)
    const refusedForms = await sendForm(completeForm)
    expect(refusedForms.json()).toMatchObject({ code: 429, data: null })
    expect(Number(refusedForms.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await sendForm(completeForm, '10.0.0.2')).statusCode).toBe(200)
    expect(await listStoredMessages()).toHaveLength(31)
  })

  it('contact: two processes count the messages of a network together', async () => {
    await openSite({ RATE_LIMIT_CONTACT: '2' })
    const otherProcess = await createTestApp({ RATE_LIMIT_CONTACT: '2' }, { nowMs: () => NOW_MS, appWithSameData: site })
    try {
      const statusCodes: number[] = []
      for (const { app } of [site, otherProcess, site, otherProcess])
        statusCodes.push((await app.inject({ method: 'POST', url: '/api/contact/request', payload: completeForm })).statusCode)
      expect(statusCodes).toEqual([200, 200, 429, 429])
      expect(await listStoredMessages()).toHaveLength(2)
    } finally {
      await otherProcess.close()
    }
  })

  it.each(['embedded', 'Firebase'])(
    'contact: a message is mailed to MAIL_TO once, with the sender as Reply-To (%s identity)',
    async (identityMode) => {
      const firebaseSite =
        identityMode === 'embedded'
          ? {}
          : { FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_API_KEY: 'x'.repeat(39), FIREBASE_AUTH_DOMAIN: 'demo.example' }
      await openSite({ MAIL_TO: 'team@example.org', ...firebaseSite })
      const change_id = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
      // A line break in a single-line field is refused. A line break in the message begins no mail header.
      expect((await sendForm({ ...completeForm, discord: 'a\r\nBcc: x@example.com' })).statusCode).toBe(400)
      for (let sentCount = 0; sentCount < 2; sentCount++)
        expect(
          (await sendForm({ ...completeForm, message: 'Hello\u202E\u200B\nteam\r\n\r\nBcc: x@example.com', change_id })).statusCode,
        ).toBe(200)
      const outboxFolder = join(site.dataDir, 'outbox')
      await vi.waitFor(async () => expect(await listStoredMessages()).toMatchObject([{ mail: { kind: 'sent' } }]), { timeout: 30_000 })
      const [mailFileName = '', ...otherNames] = await readdir(outboxFolder)
      expect(otherNames).toEqual([])
      const mailText = await readFile(join(outboxFolder, mailFileName), 'utf8')
      expect(mailText).toMatch(/^To: team@example\.org\r\nReply-To: a@example\.com\r$/m)
      expect(mailText).toContain('Hello\r\nteam')
      expect(mailText.slice(0, mailText.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/m)
    },
  )

  it('contact: X-Forwarded-For is read only from trusted proxies', async () => {
    await openSite({ RATE_LIMIT_CONTACT: '1', TRUST_PROXY: '10.0.0.9' })
    const sendThroughProxy = (proxyAddress: string, forwardedAddress: string) =>
      site.app.inject({
        method: 'POST',
        url: '/api/contact/request',
        payload: completeForm,
        remoteAddress: proxyAddress,
        headers: { 'x-forwarded-for': forwardedAddress },
      })
    expect((await sendThroughProxy('10.0.0.9', '1.1.1.1')).statusCode).toBe(200)
    expect((await sendThroughProxy('10.0.0.9', '1.1.1.2')).statusCode).toBe(200)
    expect((await sendThroughProxy('10.0.0.8', '1.1.1.3')).statusCode).toBe(200)
    expect((await sendThroughProxy('10.0.0.8', '1.1.1.4')).statusCode).toBe(429)
  })

  it('contact: files and other content types are refused', async () => {
    await openSite()
    const fileBody = '--b\r\ncontent-disposition: form-data; name="message"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n'
    const url = '/api/contact/request'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    expect((await site.app.inject({ method: 'POST', url, payload: fileBody, headers })).json().code).toBe(400)
    const textResponse = await site.app.inject({ method: 'POST', url, payload: 'x', headers: { 'content-type': 'text/plain' } })
    expect([textResponse.statusCode, textResponse.json().code]).toEqual([415, 415])
    const largeResponse = await site.app.inject({ method: 'POST', url, payload: { ...completeForm, message: 'x'.repeat(300_000) } })
    expect([largeResponse.statusCode, largeResponse.json().code]).toEqual([413, 413])
    expect((await sendForm({ ...completeForm, message: 'x'.repeat(10_001) })).json().message).toBe(
      'message must have at most 10000 characters',
    )
  })
})
