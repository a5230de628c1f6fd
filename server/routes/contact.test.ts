import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const complete = {
  ...{ topic: 'other', email: 'a@example.com', discord: 'a', message: 'Hello', remember: 'No' },
  youtube_url: 'https://www.youtube.com/@a',
}

let site: TestApp
async function open(environment: Record<string, string> = {}) {
  site = await createTestApp(environment, { nowMs: () => NOW })
}
const send = (fields: Record<string, string>, remoteAddress = '10.0.0.1') =>
  site.app.inject({ method: 'POST', url: '/api/contact/request', payload: fields, remoteAddress })
const stored = () => site.storage.contacts.all({ limit: 100, offset: 0 })

afterEach(() => site.close())

describe('POST /contact/request', () => {
  it('stores a form, multipart and JSON alike, under the brand of the host', async () => {
    await open()
    const url = '/api/contact/request'
    const host = 'slowedreverb.localhost:8080'
    const form = new URLSearchParams(complete).toString()
    const multipart = Object.entries(complete).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const bodies = [
      { payload: form, type: 'application/x-www-form-urlencoded' },
      { payload: `${multipart.join('')}--b--\r\n`, type: 'multipart/form-data; boundary=b' },
      { payload: JSON.stringify(complete), type: 'application/json' },
    ]
    for (const { payload, type } of bodies) {
      const answer = await site.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type, host } })
      expect(answer.json()).toEqual({ code: 200, message: 'OK', data: null })
    }
    const rows = await stored()
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row).toMatchObject({ ...complete, brand: 'slowed-reverb-meridian', created: '2026-06-01T12:00:00.000Z' })
  })

  it('stores a message that is sent again once', async () => {
    await open()
    const change_id = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
    for (const message of ['Hello', 'Hello', 'Other']) expect((await send({ ...complete, message, change_id })).json().code).toBe(200)
    expect((await send({ ...complete, change_id: change_id.toUpperCase() })).json().code).toBe(200)
    expect((await send({ ...complete, change_id: '7' })).json().message).toBe('change_id has the wrong format')
    expect((await stored()).map(({ message }) => message)).toEqual(['Hello'])
    expect((await stored())[0]).not.toHaveProperty('change_id')
    for (let sent = 0; sent < 2; sent++) await send(complete)
    expect(await stored()).toHaveLength(3)
  })

  it('asks each topic for what it needs', async () => {
    await open({ RATE_LIMIT_CONTACT: '100' })
    const refused: [Record<string, string>, string][] = [
      [{ ...complete, email: '' }, 'email is required'],
      [{ ...complete, email: 'nobody' }, 'email must'],
      [{ ...complete, email: 'a@b' }, 'email must'],
      [{ ...complete, discord: ' ' }, 'discord is required'],
      [{ ...complete, youtube_url: '' }, 'youtube_url is required'],
      [{ ...complete, topic: 'advertisement', youtube_url: '' }, 'youtube_url is required'],
      [{ ...complete, youtube_url: 'javascript:alert(1)' }, 'youtube_url must'],
      [{ ...complete, message: '' }, 'message is required'],
      [{ ...complete, topic: 'request-song' }, 'remember must be Yes'],
      [{ ...complete, topic: 'advertising' }, 'topic must be one of'],
      [{ topic: 'song-report', message: ' ' }, 'message is required'],
      [{ topic: 'song-report', message: 'x', email: 'nobody' }, 'email must'],
      [{ ...complete, honeypot: 'buy' }, 'honeypot'],
      [{ ...complete, opened_at: 'yesterday' }, 'opened_at'],
      [{ ...complete, opened_at: new Date(NOW - 500).toISOString() }, 'opened_at'],
      [{ ...complete, opened_at: new Date(NOW + 60_000).toISOString() }, 'opened_at'],
    ]
    for (const [fields, message] of refused) {
      const answer = await send(fields)
      expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining(message)])
    }
    expect(await stored()).toHaveLength(0)
    const accepted: Record<string, string>[] = [
      { ...complete, topic: 'request-song', remember: 'Yes', message: '' },
      { topic: 'song-report', message: 'AAAAAAAAAA1: wrong title' },
      { topic: 'artwork-request', message: 'A banner, please' },
      { ...complete, honeypot: '', opened_at: new Date(NOW - 5000).toISOString() },
    ]
    for (const fields of accepted) expect((await send(fields)).json().code).toBe(200)
    expect(await stored()).toHaveLength(accepted.length)
  })

  it('takes 30 messages an hour from an address', async () => {
    await open()
    for (let sent = 0; sent < 30; sent++) expect((await send(complete)).statusCode).toBe(200)
    const refused = await send(complete)
    expect(refused.json()).toMatchObject({ code: 429, data: null })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await send(complete, '10.0.0.2')).statusCode).toBe(200)
    expect(await stored()).toHaveLength(31)
  })

  it('believes a forwarded address only from a proxy that is trusted', async () => {
    await open({ RATE_LIMIT_CONTACT: '1', TRUST_PROXY: '10.0.0.9' })
    const through = (proxy: string, client: string) =>
      site.app.inject({
        method: 'POST',
        url: '/api/contact/request',
        payload: complete,
        remoteAddress: proxy,
        headers: { 'x-forwarded-for': client },
      })
    expect((await through('10.0.0.9', '1.1.1.1')).statusCode).toBe(200)
    expect((await through('10.0.0.9', '1.1.1.2')).statusCode).toBe(200)
    expect((await through('10.0.0.8', '1.1.1.3')).statusCode).toBe(200)
    expect((await through('10.0.0.8', '1.1.1.4')).statusCode).toBe(429)
  })

  it('refuses files and other content types', async () => {
    await open()
    const file = '--b\r\ncontent-disposition: form-data; name="message"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n'
    const url = '/api/contact/request'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    expect((await site.app.inject({ method: 'POST', url, payload: file, headers })).json().code).toBe(400)
    const text = await site.app.inject({ method: 'POST', url, payload: 'x', headers: { 'content-type': 'text/plain' } })
    expect([text.statusCode, text.json().code]).toEqual([415, 415])
    const large = await site.app.inject({ method: 'POST', url, payload: { ...complete, message: 'x'.repeat(300_000) } })
    expect([large.statusCode, large.json().code]).toEqual([413, 413])
    expect((await send({ ...complete, message: 'x'.repeat(10_001) })).json().message).toBe('message must have at most 10000 characters')
  })
})
