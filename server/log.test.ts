import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLog, maskEmail, openLogFile, redactText, redactUrl } from './log.ts'
import { readMainThreadCpuMs } from './testing/main-thread-cpu.ts'

const ID_TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'

describe('redaction', () => {
  it.each([
    `/api/song/get?s=1&firebase_auth_token=${ID_TOKEN}`,
    '/api/song/get?firebase_auth_token=plain-secret&s=1',
    '/api/song/get?firebase%5Fauth%5Ftoken=plain-secret',
    '/api/song/get?FIREBASE_AUTH_TOKEN=plain-secret',
    '/api/song/get?firebase_auth_token[]=plain-secret',
    '/api/song/get?%66irebase_auth_token=plain-secret?x',
    `/login/${ID_TOKEN}?s=1`,
    '/reset-password?oobCode=plain-secret',
    '/reset-password?mode=x&oob%43ode=plain-secret&y=1',
    '/account/link_discord?code=plain-secret&state=eyJ0b2tlbiI6InBsYWluLXNlY3JldCJ9',
    '/api/account/link_discord?st%61te=plain-secret&%43ODE=plain-secret',
    '/api/make/file/1?until=2&signature=plain-secret',
    '/search?x=firebase_auth_token%3Dplain-secret',
    '/search?x=%2F%3Ffirebase%255Fauth%255Ftoken%253Dplain-secret%26y&z=100%',
    '/search?x=%zz%26oobCode%3Dplain-secret',
    '/login?to=%2Faccount%2Flink_discord%3Fcode%3Dplain-secret',
    '/a/%3Frefresh_token=plain-secret',
    '/a/firebase_auth_token%3Dplain-secret?x',
  ])('redaction removes the secret from the URL %s', (url) => {
    expect(redactUrl(url)).not.toMatch(/plain-secret|eyJ/)
  })

  it('redaction keeps the rest of a URL', () => {
    expect(redactUrl('/api/song/get?s=1&firebase_auth_token=x&p=100%')).toBe('/api/song/get?s=1&firebase_auth_token=[redacted]&p=100%')
  })

  it.each([
    `{"firebase_auth_token":"plain-secret"}`,
    `{"firebase_auth_token": "plain-secret`,
    `firebase_auth_token=plain-secret&s=1`,
    `Authorization: Bearer plain-secret`,
    `grant_type=refresh_token&refresh_token=plain-secret`,
    `{"oobCode":"plain-secret"}`,
    'GET /api/make/file/1?until=2&signature=plain-secret failed',
    'GET http://localhost/account/link_discord?state=plain-secret&code=plain-secret failed',
    `Unexpected token in ${ID_TOKEN}`,
  ])('redaction removes the secret from the text %s', (text) => {
    expect(redactText(text)).not.toMatch(/plain-secret|eyJ/)
  })

  it('an email address is logged in part, and of a password typed in its place only the first character', () => {
    expect(maskEmail('ann@example.com')).toBe('a…@example.com')
    expect(maskEmail('hunter2')).toBe('h…')
    expect(maskEmail('')).toBe('…')
  })

  it.each([
    ['550 5.1.1 <bob@example.com>: Recipient address rejected', '550 5.1.1 <b…@example.com>: Recipient address rejected'],
    ['No such users: \'bob.k+x@example.com\', "bob@localhost"', 'No such users: \'b…@example.com\', "b…@localhost"'],
    ["bob/o'k&n=1@exämple.com...unknown", 'b…@exämple.com...unknown'],
    ['see https://x.example/?id=bob%40example.com;ip=::1', 'see https:/…@example.com;ip=::1'],
    ['at a (file:///srv/node_modules/@fastify/x.js:1:2)', 'at a (file:///srv/node_modules/@fastify/x.js:1:2)'],
    ['the channel @bob, at 5 @ 6', 'the channel @bob, at 5 @ 6'],
  ])('redaction masks the email addresses of the text %s', (text, maskedText) => {
    expect(redactText(text)).toBe(maskedText)
  })

  it.each([
    ['/search?s=bob@example.com&p=1', '/search?s=b…@example.com&p=1'],
    ['/search?s=bob%40example.com&p=1', '/search?s=[redacted]&p=1'],
    ['/a/bob@example.com/b', '/a/b…@example.com/b'],
    ['/a/bob%2540example.com/b', '/[redacted]'],
    ['/artist?a=%40bob', '/artist?a=%40bob'],
  ])('redaction masks the email addresses of the URL %s', (url, redactedUrl) => {
    expect(redactUrl(url)).toBe(redactedUrl)
  })

  it.each(['eyJ', '%65yJ', 'signature', 'bearer+', 'code=&', '+', '%25', '?', 'a', 'a@', '%40', "'"])(
    'redaction takes linear time for a URL or a text that repeats %s',
    (textUnit) => {
      // The longest URL that Node accepts.
      const longText = textUnit.repeat(16_000 / textUnit.length)
      const startMs = readMainThreadCpuMs()
      for (const url of [`/?x=%25${longText}`, `/%25${longText}`]) redactUrl(url)
      // Quadratic time would be seconds for this text.
      redactText(textUnit.repeat(80_000 / textUnit.length))
      expect(readMainThreadCpuMs() - startMs).toBeLessThan(100)
    },
  )

  it('redaction applies to logged errors and requests', () => {
    const logLines: string[] = []
    const log = createLog('info', { write: (line) => logLines.push(line) })
    log.error({ err: new Error(`bad ${ID_TOKEN}`), req: { method: 'GET', url: `/?firebase_auth_token=${ID_TOKEN}`, ip: '::1' } }, 'failed')
    expect(logLines.join('')).toContain('failed')
    expect(logLines.join('')).not.toContain('eyJ')
  })
})

// Linux refuses every write to this file, as on a full disk.
it("if the log's disk is full, lines are dropped and the process continues", async () => {
  const fullDevice = openLogFile('/dev/full')
  const log = createLog('info', fullDevice)
  for (let round = 0; round < 2; round++) {
    const failed = once(fullDevice, 'error')
    log.info('x'.repeat(500_000))
    await failed
  }
  const dropEvent = once(fullDevice, 'drop')
  log.info('x'.repeat(500_000))
  await dropEvent
  fullDevice.destroy()
})
