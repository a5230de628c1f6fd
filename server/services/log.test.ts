import { describe, expect, it } from 'vitest'
import { createLog, redactText, redactUrl } from './log.ts'

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
  ])('takes the token out of the URL %s', (url) => {
    expect(redactUrl(url)).not.toMatch(/plain-secret|eyJ/)
  })

  it('keeps the rest of a URL', () => {
    expect(redactUrl('/api/song/get?s=1&firebase_auth_token=x&p=100%')).toBe('/api/song/get?s=1&firebase_auth_token=[redacted]&p=100%')
  })

  it.each([
    `{"firebase_auth_token":"plain-secret"}`,
    `{"firebase_auth_token": "plain-secret`,
    `firebase_auth_token=plain-secret&s=1`,
    `Authorization: Bearer plain-secret`,
    `grant_type=refresh_token&refresh_token=plain-secret`,
    `{"oobCode":"plain-secret"}`,
    'GET http://localhost/account/link_discord?state=plain-secret&code=plain-secret failed',
    `Unexpected token in ${ID_TOKEN}`,
  ])('takes the token out of the text %s', (text) => {
    expect(redactText(text)).not.toMatch(/plain-secret|eyJ/)
  })

  it('applies to logged errors and requests', () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    log.error({ err: new Error(`bad ${ID_TOKEN}`), req: { method: 'GET', url: `/?firebase_auth_token=${ID_TOKEN}`, ip: '::1' } }, 'failed')
    expect(lines.join('')).toContain('failed')
    expect(lines.join('')).not.toContain('eyJ')
  })
})
