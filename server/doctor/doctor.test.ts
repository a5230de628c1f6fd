import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCertificate } from '../../e2e/stand-ins/certificate.ts'
import { readConfig } from '../config.ts'
import { type HostAccess, readTlsCertificate } from './checks-network.ts'
import { runDoctor } from './doctor.ts'
import { describeShape, findDifferences } from './recording.ts'

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
let answerByPath: Record<string, PeerAnswer | ((request: IncomingMessage) => PeerAnswer)>
let peerOrigin = ''
let closePeer = async () => {}
const peerRequests: { path: string; headers: IncomingMessage['headers'] }[] = []

const createJsonAnswer = (body: unknown, status = 200): PeerAnswer => ({ status, headers: { 'content-type': 'application/json' }, body })
const hosts: HostAccess = {
  resolve: async () => ['192.0.2.1'],
  readCertificate: async () => ({
    certificate: { valid_to: new Date(Date.now() + 60 * 86_400_000).toISOString() },
    distrustReason: undefined,
  }),
}

beforeEach(async () => {
  peerRequests.length = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    peerRequests.push({ path: pathname, headers: request.headers })
    const found = answerByPath[pathname] ?? { status: 404 }
    const { status = 200, headers = {}, body = '' } = typeof found === 'function' ? found(request) : found
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  peerOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closePeer = async () => {
    server.close()
    server.closeAllConnections()
  }
  answerByPath = {
    '/oembed': createJsonAnswer({ title: 'Me at the zoo', type: 'video' }),
    [`/embed/${VIDEO_ID}`]: { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html>' },
    '/iframe_api': {
      headers: { 'content-type': 'text/javascript' },
      body: "var scriptUrl = 'https:\\/\\/www.youtube.com\\/s\\/player\\/9b6e0b2c\\/www-widgetapi.vflset\\/www-widgetapi.js';",
    },
    [`/vi/${VIDEO_ID}/hqdefault.jpg`]: { headers: { 'content-type': 'image/jpeg' } },
    '/': { headers: { 'referrer-policy': 'strict-origin-when-cross-origin' } },
    '/youtube/v3/videos': createJsonAnswer({ items: [{ id: VIDEO_ID, status: { embeddable: true } }] }),
    '/api/oauth2/token': createJsonAnswer({ access_token: 'secret-token', token_type: 'Bearer', expires_in: 604_800, scope: 'identify' }),
    '/v1/webhook_endpoints': () =>
      createJsonAnswer({ data: [{ url: `${peerOrigin}/api/webhooks/stripe`, status: 'enabled', enabled_events: WEBHOOK_EVENTS }] }),
    '/api/webhooks/stripe': createJsonAnswer({ received: true }),
  }
})
afterEach(() => closePeer())

const createEnvironment = () => ({
  PUBLIC_ORIGIN: peerOrigin,
  SITE_HOSTS: 'example.org,localhost',
  YOUTUBE_API_KEY: 'AIzaSecretKey',
  YOUTUBE_API_BASE: `${peerOrigin}/youtube/v3`,
  DISCORD_CLIENT_ID: '123',
  DISCORD_CLIENT_SECRET: 'client-secret',
  DISCORD_API_BASE: peerOrigin,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_KEY: 'rk_test_12345678',
})
const runWithEnvironment = (env: Record<string, string> = {}, mailTo?: string, hostAccess = hosts) =>
  runDoctor({
    config: readConfig({ ...createEnvironment(), ...env }),
    videoId: VIDEO_ID,
    mailTo,
    services: { youtubeOrigin: peerOrigin, frameOrigin: peerOrigin, thumbnailOrigin: peerOrigin, stripeOrigin: peerOrigin },
    hosts: hostAccess,
  })
const runAndFindFinding = async (check: string, ...args: Parameters<typeof runWithEnvironment>) =>
  (await runWithEnvironment(...args)).findings.find((finding) => finding.check === check)

it('healthy services: all checks of configured services succeed', async () => {
  const { findings } = await runWithEnvironment({ PUBLIC_ORIGIN: peerOrigin })
  expect(findings.filter(({ status }) => status !== 'ok')).toMatchObject([
    { check: 'file store', status: 'not configured' },
    { check: 'mail', status: 'not configured' },
  ])
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['clock', 'embed', 'DNS of *.example.org']))
  // Checks that the request for the player's frame has the referrer that a page of the site would send.
  expect(peerRequests.find(({ path }) => path === `/embed/${VIDEO_ID}`)?.headers.referer).toBe(`${peerOrigin}/`)
})

it('nothing is configured: the checks report missing settings, and send no request', async () => {
  const variableNames = ['YOUTUBE_API_KEY', 'DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET', 'STRIPE_WEBHOOK_SECRET']
  const { findings } = await runWithEnvironment({ ...Object.fromEntries(variableNames.map((name) => [name, ''])), SITE_HOSTS: 'localhost' })
  const off = findings.filter(({ status }) => status === 'not configured').map(({ check }) => check)
  expect(off).toEqual(['YouTube Data API', 'Discord', 'Stripe endpoint', 'file store', 'mail', 'hosts'])
  expect(peerRequests.map(({ path }) => path)).not.toContain('/v1/webhook_endpoints')
})

describe('each fault is found', () => {
  const faultCases: [fault: string, check: string, path: string, answer: PeerAnswer, text: string][] = [
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
      createJsonAnswer({ error: { errors: [{ reason: 'quotaExceeded' }] } }, 403),
      'quotaExceeded',
    ],
    [
      'an API that is not enabled',
      'YouTube Data API',
      '/youtube/v3/videos',
      createJsonAnswer({ error: { errors: [{ reason: 'accessNotConfigured' }] } }, 403),
      '403',
    ],
    ['a wrong client secret', 'Discord', '/api/oauth2/token', createJsonAnswer({ error: 'invalid_client' }, 401), 'invalid_client'],
    ['a wrong key of Stripe', 'Stripe endpoint', '/v1/webhook_endpoints', createJsonAnswer({ error: {} }, 401), '401'],
    ['an endpoint that is not registered', 'Stripe endpoint', '/v1/webhook_endpoints', createJsonAnswer({ data: [] }), 'No endpoint'],
    ['another webhook secret', 'Stripe secret', '/api/webhooks/stripe', createJsonAnswer({ code: 400 }, 400), '400'],
  ]
  it.each(faultCases)('doctor finds %s', async (_fault, checkName, urlPath, peerAnswer, findingText) => {
    answerByPath[urlPath] = peerAnswer
    const finding = await runAndFindFinding(checkName)
    expect(finding).toMatchObject({ status: 'wrong', text: expect.stringContaining(findingText) })
    expect(finding?.mend).toBeTruthy()
  })

  it.each([
    ['strict-origin-when-cross-origin, no-referrer', 'wrong'],
    ['strict-origin-when-cross-origin,Same-Origin', 'wrong'],
    ['no-referrer, unknown-policy', 'wrong'],
    ['no-referrer, strict-origin-when-cross-origin', 'ok'],
    ['unknown-policy', 'ok'],
  ])('of several referrer policies, the last one that browsers know counts: %s', async (headerValue, status) => {
    answerByPath['/'] = { headers: { 'referrer-policy': headerValue } }
    expect(await runAndFindFinding('Referer')).toMatchObject({ status })
  })

  it('doctor finds a disabled endpoint of Stripe, and one that misses events', async () => {
    const stripeEndpoint = { url: `${peerOrigin}/api/webhooks/stripe`, status: 'enabled', enabled_events: ['*'] }
    answerByPath['/v1/webhook_endpoints'] = createJsonAnswer({ data: [stripeEndpoint] })
    expect(await runAndFindFinding('Stripe endpoint')).toMatchObject({ status: 'ok' })
    answerByPath['/v1/webhook_endpoints'] = createJsonAnswer({ data: [{ ...stripeEndpoint, status: 'disabled' }] })
    expect(await runAndFindFinding('Stripe endpoint')).toMatchObject({ status: 'wrong', text: expect.stringContaining('disabled') })
    answerByPath['/v1/webhook_endpoints'] = createJsonAnswer({ data: [{ ...stripeEndpoint, enabled_events: WEBHOOK_EVENTS.slice(1) }] })
    expect(await runAndFindFinding('Stripe endpoint')).toMatchObject({ text: 'The endpoint does not get checkout.session.completed.' })
  })

  it('doctor lists the services that cannot be reached', async () => {
    await closePeer()
    const { findings } = await runWithEnvironment()
    const unreachedChecks = findings.filter(({ status }) => status === 'could not be reached').map(({ check }) => check)
    expect(unreachedChecks).toEqual([
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
    const siteEnv = { PUBLIC_ORIGIN: 'https://example.org' }
    const notFoundError = Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    const hostsWithoutWildcard = {
      ...hosts,
      resolve: async (host: string) => (host === 'example.org' ? ['192.0.2.1'] : Promise.reject(notFoundError)),
    }
    expect(await runAndFindFinding('DNS of example.org', siteEnv, undefined, hostsWithoutWildcard)).toMatchObject({
      status: 'ok',
      text: '192.0.2.1',
    })
    expect(await runAndFindFinding('DNS of *.example.org', siteEnv, undefined, hostsWithoutWildcard)).toMatchObject({
      status: 'wrong',
      mend: expect.stringContaining('docs/admin.md, step 3'),
    })
    const hostsWithoutDns = { ...hosts, resolve: () => Promise.reject(new Error('timeout')) }
    expect(await runAndFindFinding('DNS of example.org', siteEnv, undefined, hostsWithoutDns)).toMatchObject({
      status: 'could not be reached',
      text: 'timeout',
    })
    expect(await runAndFindFinding('certificate of fm.example.org', siteEnv)).toMatchObject({ status: 'ok' })
    const createHostAccess = (daysLeft: number, distrustReason?: string): HostAccess => ({
      ...hosts,
      readCertificate: async () => ({
        certificate: { valid_to: new Date(Date.now() + daysLeft * 86_400_000).toISOString() },
        distrustReason,
      }),
    })
    expect(await runAndFindFinding('certificate of example.org', siteEnv, undefined, createHostAccess(5))).toMatchObject({
      status: 'wrong',
    })
    const untrustedHostAccess = createHostAccess(60, 'self-signed certificate')
    expect(await runAndFindFinding('certificate of example.org', siteEnv, undefined, untrustedHostAccess)).toMatchObject({
      text: expect.stringContaining('self-signed'),
    })
  })
})

it('a certificate is read as it is presented for a host, with the reason why browsers do not trust it', async () => {
  const server = createTlsServer(await createCertificate(['example.org']))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { certificate, distrustReason } = await readTlsCertificate('127.0.0.1', port, 'example.org')
  expect(distrustReason).toMatch(/self.signed/i)
  expect(Date.parse(certificate.valid_to)).toBeGreaterThan(Date.now())
  server.close()
  await once(server, 'close')
  await expect(readTlsCertificate('127.0.0.1', port, 'example.org')).rejects.toThrow('ECONNREFUSED')
})

describe('mail', () => {
  const startSmtp = async (isLoginAccepted: boolean) => {
    const receivedMails: string[] = []
    const server = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      onAuth: (_auth, _session, done) => (isLoginAccepted ? done(null, { user: 'x' }) : done(new Error('Wrong password'))),
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
    const smtpServer = await startSmtp(true)
    expect(await runAndFindFinding('mail', { SMTP_URL: smtpServer.url })).toMatchObject({ status: 'ok' })
    expect(smtpServer.received).toEqual([])
    expect(await runAndFindFinding('mail', { SMTP_URL: smtpServer.url }, 'team@example.org')).toMatchObject({ status: 'ok' })
    expect(smtpServer.received).toEqual(['team@example.org'])
    await smtpServer.close()
    expect(await runAndFindFinding('mail', { SMTP_URL: smtpServer.url })).toMatchObject({ status: 'could not be reached' })
  })

  it('doctor finds that the mail server refuses the log-in', async () => {
    const smtpServer = await startSmtp(false)
    expect(await runAndFindFinding('mail', { SMTP_URL: smtpServer.url })).toMatchObject({
      status: 'wrong',
      mend: expect.stringContaining('password'),
    })
    await smtpServer.close()
  })
})

describe('recordings', () => {
  it('recordings contain status, headers and the shape of the body, and no secret', async () => {
    const { recordings } = await runWithEnvironment()
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
    const recordedShape = describeShape({ items: [{ id: 'x', count: 1 }], kind: 'list' })
    expect(findDifferences(recordedShape, describeShape({ items: [{ id: 'y' }] }))).toEqual([])
    expect(findDifferences(recordedShape, describeShape({ items: [{ id: 1, more: 2 }] }))).toEqual([
      'body.items[].id is "number", recorded as "string"',
      'body.items[].more is not in the recording',
    ])
  })
})
