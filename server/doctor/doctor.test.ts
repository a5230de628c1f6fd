import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCertificate } from '../../e2e/stand-ins/certificate.ts'
import { readConfig } from '../config.ts'
import { connectTo, type HostAccess } from './checks-network.ts'
import { runDoctor } from './doctor.ts'
import { findDifferences, shapeOf } from './recording.ts'

const VIDEO_ID = 'jNQXAC9IVRw'
const WEBHOOK_SECRET = 'whsec_0123456789abcdef'
const WEBHOOK_EVENTS = [
  ...['checkout.session.completed', 'checkout.session.async_payment_succeeded', 'customer.subscription.created'],
  ...['customer.subscription.updated', 'customer.subscription.deleted', 'invoice.paid', 'invoice_payment.paid', 'charge.refunded'],
  'charge.dispute.closed',
]

interface PeerAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** The answers of all services, by the path of the request. A test replaces some of them. */
let answers: Record<string, PeerAnswer | ((request: IncomingMessage) => PeerAnswer)>
let origin = ''
let closePeer = async () => {}
const requests: { path: string; headers: IncomingMessage['headers'] }[] = []

const jsonAnswer = (body: unknown, status = 200): PeerAnswer => ({ status, headers: { 'content-type': 'application/json' }, body })
const hosts: HostAccess = {
  resolve: async () => ['192.0.2.1'],
  readCertificate: async () => ({ certificate: { valid_to: new Date(Date.now() + 60 * 86_400_000).toISOString() }, distrust: undefined }),
}

beforeEach(async () => {
  requests.length = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    requests.push({ path: pathname, headers: request.headers })
    const found = answers[pathname] ?? { status: 404 }
    const { status = 200, headers = {}, body = '' } = typeof found === 'function' ? found(request) : found
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closePeer = async () => {
    server.close()
    server.closeAllConnections()
  }
  answers = {
    '/oembed': jsonAnswer({ title: 'Me at the zoo', type: 'video' }),
    [`/embed/${VIDEO_ID}`]: { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html>' },
    '/iframe_api': {
      headers: { 'content-type': 'text/javascript' },
      body: "var scriptUrl = 'https:\\/\\/www.youtube.com\\/s\\/player\\/9b6e0b2c\\/www-widgetapi.vflset\\/www-widgetapi.js';",
    },
    [`/vi/${VIDEO_ID}/hqdefault.jpg`]: { headers: { 'content-type': 'image/jpeg' } },
    '/': { headers: { 'referrer-policy': 'strict-origin-when-cross-origin' } },
    '/youtube/v3/videos': jsonAnswer({ items: [{ id: VIDEO_ID, status: { embeddable: true } }] }),
    '/api/oauth2/token': jsonAnswer({ access_token: 'secret-token', token_type: 'Bearer', expires_in: 604_800, scope: 'identify' }),
    '/v1/webhook_endpoints': () =>
      jsonAnswer({ data: [{ url: `${origin}/api/webhooks/stripe`, status: 'enabled', enabled_events: WEBHOOK_EVENTS }] }),
    '/api/webhooks/stripe': jsonAnswer({ received: true }),
  }
})
afterEach(() => closePeer())

const createEnvironment = () => ({
  PUBLIC_ORIGIN: origin,
  SITE_HOSTS: 'example.org,localhost',
  YOUTUBE_API_KEY: 'AIzaSecretKey',
  YOUTUBE_API_BASE: `${origin}/youtube/v3`,
  DISCORD_CLIENT_ID: '123',
  DISCORD_CLIENT_SECRET: 'client-secret',
  DISCORD_API_BASE: origin,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_KEY: 'rk_test_12345678',
})
const run = (env: Record<string, string> = {}, mailTo?: string, access = hosts) =>
  runDoctor({
    config: readConfig({ ...createEnvironment(), ...env }),
    videoId: VIDEO_ID,
    mailTo,
    services: { youtube: origin, frames: origin, thumbnails: origin, stripe: origin },
    hosts: access,
  })
const findingOf = async (check: string, ...args: Parameters<typeof run>) =>
  (await run(...args)).findings.find((finding) => finding.check === check)

it('healthy services: all checks of configured services succeed', async () => {
  const { findings } = await run({ PUBLIC_ORIGIN: origin })
  expect(findings.filter(({ status }) => status !== 'ok')).toMatchObject([
    { check: 'file store', status: 'not configured' },
    { check: 'mail', status: 'not configured' },
  ])
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['clock', 'embed', 'DNS of *.example.org']))
  // The frame is requested as a page of the site does.
  expect(requests.find(({ path }) => path === `/embed/${VIDEO_ID}`)?.headers.referer).toBe(`${origin}/`)
})

it('nothing is configured: the checks report missing settings, and send no request', async () => {
  const variableNames = ['YOUTUBE_API_KEY', 'DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET', 'STRIPE_WEBHOOK_SECRET']
  const { findings } = await run({ ...Object.fromEntries(variableNames.map((name) => [name, ''])), SITE_HOSTS: 'localhost' })
  const off = findings.filter(({ status }) => status === 'not configured').map(({ check }) => check)
  expect(off).toEqual(['YouTube Data API', 'Discord', 'Stripe endpoint', 'file store', 'mail', 'hosts'])
  expect(requests.map(({ path }) => path)).not.toContain('/v1/webhook_endpoints')
})

describe('each fault is found', () => {
  const cases: [fault: string, check: string, path: string, answer: PeerAnswer, text: string][] = [
    ['a video that must not be embedded', 'embed', '/oembed', { status: 401, body: 'Unauthorized' }, 'does not let other sites play it'],
    ['an unknown video', 'embed', '/oembed', { status: 404 }, 'YouTube answers 404'],
    ['a wrong clock', 'clock', '/oembed', { headers: { date: new Date(Date.now() - 120_000).toUTCString() } }, 'is 1'],
    ['a page of consent before the frame', 'player frame', `/embed/${VIDEO_ID}`, { status: 302, headers: { location: '/x' } }, '302'],
    ['a moved script', 'player script', '/iframe_api', { body: "'https://www.youtube.com/elsewhere/www-widgetapi.js'" }, 'is now at'],
    ['no script', 'player script', '/iframe_api', { status: 503 }, '503'],
    [
      'a thumbnail that is no picture',
      'thumbnails',
      `/vi/${VIDEO_ID}/hqdefault.jpg`,
      { headers: { 'content-type': 'text/html' } },
      'text/html',
    ],
    ['a page that sends no referrer', 'Referer', '/', { headers: { 'referrer-policy': 'no-referrer' } }, 'error 153'],
    ['a site that does not answer', 'Referer', '/', { status: 502 }, '502'],
    [
      'a used-up quota',
      'YouTube Data API',
      '/youtube/v3/videos',
      jsonAnswer({ error: { errors: [{ reason: 'quotaExceeded' }] } }, 403),
      'quotaExceeded',
    ],
    [
      'an API that is not enabled',
      'YouTube Data API',
      '/youtube/v3/videos',
      jsonAnswer({ error: { errors: [{ reason: 'accessNotConfigured' }] } }, 403),
      '403',
    ],
    ['a wrong client secret', 'Discord', '/api/oauth2/token', jsonAnswer({ error: 'invalid_client' }, 401), 'invalid_client'],
    ['a wrong key of Stripe', 'Stripe endpoint', '/v1/webhook_endpoints', jsonAnswer({ error: {} }, 401), '401'],
    ['an endpoint that is not registered', 'Stripe endpoint', '/v1/webhook_endpoints', jsonAnswer({ data: [] }), 'No endpoint'],
    ['another webhook secret', 'Stripe secret', '/api/webhooks/stripe', jsonAnswer({ code: 400 }, 400), '400'],
  ]
  it.each(cases)('doctor finds %s', async (_fault, check, urlPath, answer, text) => {
    answers[urlPath] = answer
    const finding = await findingOf(check)
    expect(finding).toMatchObject({ status: 'wrong', text: expect.stringContaining(text) })
    expect(finding?.mend).toBeTruthy()
  })

  it('doctor finds a disabled endpoint of Stripe, and one that misses events', async () => {
    const endpoint = { url: `${origin}/api/webhooks/stripe`, status: 'enabled', enabled_events: ['*'] }
    answers['/v1/webhook_endpoints'] = jsonAnswer({ data: [endpoint] })
    expect(await findingOf('Stripe endpoint')).toMatchObject({ status: 'ok' })
    answers['/v1/webhook_endpoints'] = jsonAnswer({ data: [{ ...endpoint, status: 'disabled' }] })
    expect(await findingOf('Stripe endpoint')).toMatchObject({ status: 'wrong', text: expect.stringContaining('disabled') })
    answers['/v1/webhook_endpoints'] = jsonAnswer({ data: [{ ...endpoint, enabled_events: WEBHOOK_EVENTS.slice(1) }] })
    expect(await findingOf('Stripe endpoint')).toMatchObject({ text: 'The endpoint does not get checkout.session.completed.' })
  })

  it('doctor lists the services that cannot be reached', async () => {
    await closePeer()
    const { findings } = await run()
    const unreached = findings.filter(({ status }) => status === 'could not be reached').map(({ check }) => check)
    expect(unreached).toEqual([
      ...[
        'embed',
        'player frame',
        'player script',
        'thumbnails',
        'Referer',
        'YouTube Data API',
        'Discord',
        'Stripe endpoint',
        'Stripe secret',
      ],
    ])
  })

  it('hosts: no address, no wildcard, no answer, an untrusted certificate, and one that ends soon', async () => {
    const env = { PUBLIC_ORIGIN: 'https://example.org' }
    const noName = Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    const noWildcard = { ...hosts, resolve: async (host: string) => (host === 'example.org' ? ['192.0.2.1'] : Promise.reject(noName)) }
    expect(await findingOf('DNS of example.org', env, undefined, noWildcard)).toMatchObject({ status: 'ok', text: '192.0.2.1' })
    expect(await findingOf('DNS of *.example.org', env, undefined, noWildcard)).toMatchObject({ status: 'wrong' })
    const noDns = { ...hosts, resolve: () => Promise.reject(new Error('timeout')) }
    expect(await findingOf('DNS of example.org', env, undefined, noDns)).toMatchObject({ status: 'could not be reached', text: 'timeout' })
    expect(await findingOf('certificate of fm.example.org', env)).toMatchObject({ status: 'ok' })
    const accessOf = (days: number, distrust?: string): HostAccess => ({
      ...hosts,
      readCertificate: async () => ({ certificate: { valid_to: new Date(Date.now() + days * 86_400_000).toISOString() }, distrust }),
    })
    expect(await findingOf('certificate of example.org', env, undefined, accessOf(5))).toMatchObject({ status: 'wrong' })
    const untrustedAccess = accessOf(60, 'self-signed certificate')
    expect(await findingOf('certificate of example.org', env, undefined, untrustedAccess)).toMatchObject({
      text: expect.stringContaining('self-signed'),
    })
  })
})

it('a certificate is read as it is presented for a host, with the reason why browsers do not trust it', async () => {
  const server = createTlsServer(await createCertificate(['example.org']))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { certificate, distrust } = await connectTo('127.0.0.1', port, 'example.org')
  expect(distrust).toMatch(/self.signed/i)
  expect(Date.parse(certificate.valid_to)).toBeGreaterThan(Date.now())
  server.close()
  await once(server, 'close')
  await expect(connectTo('127.0.0.1', port, 'example.org')).rejects.toThrow('ECONNREFUSED')
})

describe('mail', () => {
  const startSmtp = async (isLoginRight: boolean) => {
    const receivedMails: string[] = []
    const server = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      onAuth: (_auth, _session, done) => (isLoginRight ? done(null, { user: 'x' }) : done(new Error('Wrong password'))),
      onRcptTo: ({ address }, _session, done) => {
        receivedMails.push(address)
        done()
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.server.address() as AddressInfo
    return {
      url: `smtp://user:password@127.0.0.1:${port}`,
      received: receivedMails,
      close: () => new Promise<void>((done) => server.close(() => done())),
    }
  }

  it('the log-in is tried, and a mail is sent to a given address only', async () => {
    const smtp = await startSmtp(true)
    expect(await findingOf('mail', { SMTP_URL: smtp.url })).toMatchObject({ status: 'ok' })
    expect(smtp.received).toEqual([])
    expect(await findingOf('mail', { SMTP_URL: smtp.url }, 'team@example.org')).toMatchObject({ status: 'ok' })
    expect(smtp.received).toEqual(['team@example.org'])
    await smtp.close()
    expect(await findingOf('mail', { SMTP_URL: smtp.url })).toMatchObject({ status: 'could not be reached' })
  })

  it('doctor finds that the mail server refuses the log-in', async () => {
    const smtp = await startSmtp(false)
    expect(await findingOf('mail', { SMTP_URL: smtp.url })).toMatchObject({ status: 'wrong', mend: expect.stringContaining('password') })
    await smtp.close()
  })
})

describe('recordings', () => {
  it('recordings contain status, headers and the shape of the body, and no secret', async () => {
    const { recordings } = await run()
    expect(recordings.map(({ name }) => name).toSorted()).toEqual([
      'discord-token',
      'stripe-webhook-endpoints',
      'youtube-embed',
      'youtube-iframe-api',
      'youtube-oembed',
      'youtube-thumbnail',
      'youtube-videos',
    ])
    expect(recordings.find(({ name }) => name === 'discord-token')).toEqual({
      name: 'discord-token',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { access_token: 'string', token_type: 'string', expires_in: 'number', scope: 'string' },
    })
    const text = JSON.stringify(recordings)
    for (const secret of ['AIzaSecretKey', 'client-secret', 'secret-token', 'rk_test', WEBHOOK_SECRET]) expect(text).not.toContain(secret)
  })

  it('a member that the recording lacks, or that has another type, is a difference', () => {
    const recordedShape = shapeOf({ items: [{ id: 'x', count: 1 }], kind: 'list' })
    expect(findDifferences(recordedShape, shapeOf({ items: [{ id: 'y' }] }))).toEqual([])
    expect(findDifferences(recordedShape, shapeOf({ items: [{ id: 1, more: 2 }] }))).toEqual([
      'body.items[].id is "number", recorded as "string"',
      'body.items[].more is not in the recording',
    ])
  })
})
