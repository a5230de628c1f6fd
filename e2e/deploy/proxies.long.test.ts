import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SecureVersion } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UPLOAD_MAX_BYTES } from '../../contract/conversion-rules.ts'
import { type Site, startSite } from '../server.ts'
import { readExampleSettings } from './example-files.ts'
import { type RunningProxy, startCaddy, startNginx } from './proxy-process.ts'
import { negotiateAlpnProtocol, negotiateTlsVersion, requestOverHttp, requestOverHttps } from './proxy-requests.ts'
import { createSilentWav } from './silent-wav.ts'

// Tests the built server behind the real proxies, with the example files of `deploy/`.

/**
 * Host names of both brands for each kind of site (main, radio, subscriber), each with the brand and the kind that the server must
 * recognise.
 */
const knownHosts = [
  ['example.org', 'nightcore-meridian', 'main'],
  ['www.example.org', 'nightcore-meridian', 'main'],
  ['fm.example.org', 'nightcore-meridian', 'radio'],
  ['aria.example.org', 'nightcore-meridian', 'subscriber'],
  ['slowedreverb.example.net', 'slowed-reverb-meridian', 'main'],
  ['www.slowedreverb.example.net', 'slowed-reverb-meridian', 'main'],
  ['fm.slowedreverb.example.net', 'slowed-reverb-meridian', 'radio'],
  ['aria.slowedreverb.example.net', 'slowed-reverb-meridian', 'subscriber'],
] as const
const unknownHosts = ['nobody.example.org', 'nobody.slowedreverb.example.net'] as const

describe.each([
  ['Caddy', startCaddy],
  ['nginx', startNginx],
] as const)('%s', (proxyName, startProxy) => {
  let workFolder = ''
  let site: Site
  let proxy: RunningProxy

  beforeAll(async () => {
    workFolder = await mkdtemp(join(tmpdir(), 'varispeed-proxy-'))
    const settings = { ...(await readExampleSettings()), DATA_DIR: join(workFolder, 'data'), DEMO: 'on', RATE_LIMIT_CONTACT: '1' }
    site = await startSite(settings)
    proxy = await startProxy(workFolder, site.port)
  })
  afterAll(async () => {
    await proxy?.stop()
    await site?.stop()
    await rm(workFolder, { recursive: true, force: true })
  })

  it.each(knownHosts)('the host %s is answered over TLS with the brand and the kind of site %s, %s', async (host, brand, hostClass) => {
    const { status, body } = await requestOverHttps(proxy, host, '/api/site')
    expect(status, proxy.readLog()).toBe(200)
    expect(JSON.parse(body).data).toMatchObject({ brand, host_class: hostClass })
    const page = await requestOverHttps(proxy, host, '/')
    expect(page.status).toBeLessThan(400)
    expect(page.headers['content-security-policy'] ?? page.headers.location).toBeDefined()
  })

  it('the proxy refuses versions of TLS older than 1.2', async () => {
    const negotiateVersion = (version: SecureVersion) => negotiateTlsVersion(proxy, 'example.org', version)
    expect(await negotiateVersion('TLSv1.2')).toBe('TLSv1.2')
    expect(await negotiateVersion('TLSv1.3')).toBe('TLSv1.3')
    for (const version of ['TLSv1', 'TLSv1.1'] as const)
      await expect(negotiateVersion(version)).rejects.toThrow(/alert protocol version|ECONNRESET/)
  })

  it('the proxy speaks HTTP/2', async () => {
    expect(await negotiateAlpnProtocol(proxy, 'example.org')).toBe('h2')
  })

  it.each(unknownHosts)('the host %s is not accepted as a site', async (host) => {
    if (proxyName === 'Caddy') {
      // Before Caddy gets a certificate for a host name, it asks the server whether the site has this host. For an unknown host the server
      // denies it, so the TLS connection fails.
      await expect(requestOverHttps(proxy, host, '/')).rejects.toThrow(/SSL|TLS|tls|alert/)
      return
    }
    // nginx has a wildcard certificate, which is valid for the unknown host, so the request reaches the server.
    const { status } = await requestOverHttps(proxy, host, '/')
    expect(status).toBeLessThan(500)
  })

  it('plain HTTP redirects to the same address with HTTPS', async () => {
    for (const hostName of ['example.org', 'fm.slowedreverb.example.net']) {
      const response = await requestOverHttp(proxy, hostName, '/faq?a=1')
      expect([301, 308]).toContain(response.status)
      expect(response.headers.location).toMatch(new RegExp(`^https://${hostName}(?::\\d+)?/faq\\?a=1$`))
    }
  })

  it('API calls over plain HTTP are refused, so that no program keeps sending its token unencrypted', async () => {
    for (const urlPath of [
      '/api',
      '/api/account/getinfo',
      '/identitytoolkit.googleapis.com/v1/accounts:lookup',
      '/securetoken.googleapis.com/v1/token',
    ]) {
      const response = await requestOverHttp(proxy, 'example.org', urlPath)
      expect([urlPath, response.status, response.headers.location]).toEqual([urlPath, 403, undefined])
    }
  })

  it('links in pages have the public origin', async () => {
    const { body } = await requestOverHttps(proxy, 'www.slowedreverb.example.net', '/faq')
    expect(body).toContain('<link rel="canonical" href="https://slowedreverb.example.net/faq"')
  })

  it('a visitor cannot forge the host or the IP address that the server sees', async () => {
    const headers = { 'x-forwarded-host': 'fm.example.org', forwarded: 'host=fm.example.org' }
    const { body } = await requestOverHttps(proxy, 'example.org', '/api/site', { headers })
    expect(JSON.parse(body).data.host_class).toBe('main')
    const statusCodes: number[] = []
    for (const ipAddress of ['203.0.113.1', '203.0.113.2']) {
      const form = JSON.stringify({ topic: 'song-report', message: 'A report of a song' })
      const formHeaders = { 'content-type': 'application/json', 'x-forwarded-for': ipAddress }
      statusCodes.push(
        (await requestOverHttps(proxy, 'example.org', '/api/contact/request', { method: 'POST', headers: formHeaders, body: form })).status,
      )
    }
    expect(statusCodes).toEqual([200, 429])
  })

  it('a body that is larger than the server takes is answered with 413', async () => {
    for (const bodyBytes of [300_000, 3_000_000]) {
      const body = JSON.stringify({ s: 'x'.repeat(bodyBytes) })
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
      const statusCodes: number[] = []
      for (let count = 0; count < 10; count++)
        statusCodes.push((await requestOverHttps(proxy, 'example.org', '/api/song/play', { method: 'POST', headers, body })).status)
      expect(statusCodes).toEqual(Array.from({ length: 10 }, () => 413))
    }
  })

  it('a song of 10 MB is uploaded, converted and downloaded', async () => {
    const credentials = JSON.stringify({ email: 'ann@example.com', password: 'secret-1', returnSecureToken: true })
    const signUpResponse = await requestOverHttps(proxy, 'example.org', '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: credentials,
    })
    const authorizationHeader = `Bearer ${JSON.parse(signUpResponse.body).idToken}`
    await site.runAdmin('user', 'grant', '--email', 'ann@example.com', '--role', 'subscriber')
    const convertBytes = async (byteCount: number) => {
      const form = new FormData()
      form.set('speed', '25')
      form.set('file', new File([createSilentWav(byteCount)], 'song.wav', { type: 'audio/wav' }))
      const encodedForm = new Response(form)
      const contentType = encodedForm.headers.get('content-type') ?? ''
      const body = Buffer.from(await encodedForm.arrayBuffer())
      const headers = { authorization: authorizationHeader, 'content-type': contentType, 'content-length': String(body.length) }
      return requestOverHttps(proxy, 'example.org', '/api/make/convert', { method: 'POST', headers, body })
    }
    const { status, body } = await convertBytes(UPLOAD_MAX_BYTES)
    expect([status, body.slice(0, 200)]).toEqual([200, expect.any(String)])
    const file = await requestOverHttps(proxy, 'example.org', JSON.parse(body).data)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'audio/mpeg'])
    expect(JSON.parse((await convertBytes(UPLOAD_MAX_BYTES + 4)).body)).toMatchObject({ code: 413 })
  })
})
